#include "builder/cli/options.h"

#include <cstdio>
#include <iostream>

namespace mill::builder::cli {

Work read_plan(const Arguments& arguments) {
    Options options(
        "plan", "Shows what a build would do: groups in order, positions, memory and disk. Builds nothing.\n",
        "examples:\n  millwright plan --rules lg9 --start\n  millwright plan --rules lg12 --subspace 6-6 --metrics wdl,dtz --json\n");
    options.add_tables();
    options.add_selection();
    options.add_resources();
    if (!options.parse(arguments)) return done();
    const Ruleset rules = options.ruleset();
    const builder::Metrics metrics = builder::parse_metrics(options.get<std::string>("metrics"));
    const auto plan = builder::make_plan(rules, options.selection(), metrics, options.threads());
    const builder::TableStore store(rules, options.tables());
    const std::uint64_t available = options.memory();
    const bool json = options.json();
    return [=] {
        std::uint64_t positions = 0, disk = 0, memory = 0, missing = 0;
        for (const auto& g : plan) {
            bool there = true;
            for (const Subspace s : g.members) there = there && store.has_all(s, metrics);
            positions += g.positions;
            disk += g.disk_bytes;
            memory = std::max(memory, g.memory());
            if (!there) missing += g.positions;
            if (json) {
                Json members = Json::array(), needs = Json::array();
                for (const Subspace s : g.members) members.push_back(to_text(s));
                for (const Subspace s : g.dependencies) needs.push_back(to_text(s));
                std::cout << Json{{"ruleset", rules.name},    {"group", members},     {"dependencies", needs},
                                  {"positions", g.positions}, {"memory", g.memory()}, {"disk", g.disk_bytes},
                                  {"finished", there}}
                                 .dump()
                          << "\n";
            } else
                std::printf("%-19s %12s positions  memory %10s  disk about %10s  needs %zu tables%s\n",
                            builder::group_name(g.members).c_str(),
                            readable_count(static_cast<double>(g.positions)).c_str(),
                            readable_bytes(static_cast<double>(g.memory())).c_str(),
                            readable_bytes(static_cast<double>(g.disk_bytes)).c_str(), g.dependencies.size(),
                            there ? "  (there)" : "");
        }
        if (json)
            std::cout << Json{{"ruleset", rules.name},  {"groups", plan.size()},
                              {"positions", positions}, {"missing_positions", missing},
                              {"peak_memory", memory},  {"disk", disk}}
                             .dump()
                      << "\n";
        else
            std::printf("\n%zu groups, %s positions (%s to solve); most memory %s, disk about %s in %s\n",
                        plan.size(), readable_count(static_cast<double>(positions)).c_str(),
                        readable_count(static_cast<double>(missing)).c_str(),
                        readable_bytes(static_cast<double>(memory)).c_str(),
                        readable_bytes(static_cast<double>(disk)).c_str(), store.folder().c_str());
        if (memory > available && !json)
            std::printf(
                "that is more memory than the %s that may be used here: a build stops with exit code 4 at the first group "
                "that does not fit\n",
                readable_bytes(static_cast<double>(available)).c_str());
        return exit_ok;
    };
}

} // namespace mill::builder::cli

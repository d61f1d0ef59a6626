#include "builder/cli/options.h"

#include "builder/rows/kernels.h"
#include "builder/solve/solved_set.h"
#include "probe/index/turn_classes.h"
#include "rules/error.h"

#include <chrono>
#include <cstdio>
#include <iostream>

namespace mill::builder::cli {

namespace {

/// Seconds for the group of s alone; what it needs is solved before and kept for the next one.
double seconds_for(builder::SolvedSet& solved, Subspace s) {
    for (const Subspace d : dependencies(solved.rules(), s)) solved.need(d);
    const auto begin = std::chrono::steady_clock::now();
    solved.solve_group_of(s);
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

} // namespace

Work read_bench(const Arguments& arguments) {
    Options options(
        "bench",
        "Measures solving speed per subspace, in memory: positions (entries up to symmetry) per second and core, of a\n"
        "subspace and its mirror solved together, without reading or writing tables.\n",
        "examples:\n  millwright bench --rules lg9\n  millwright bench --rules lg9 --subspace 6-6 --metrics wdl,dtz,dte --threads 1 --json\n");
    options.add_resources();
    options.own().add_options()("subspace",
                                boost::program_options::value<std::vector<std::string>>()->composing(),
                                "default: 3-3 6-3 5-4 5-5 6-6 7-5")(
        "metrics", boost::program_options::value<std::string>()->default_value("wdl,dtz"),
        "wdl,dtz or wdl,dtz,dte")("repeat", boost::program_options::value<int>()->default_value(1),
                                  "runs of each; the best counts");
    if (!options.parse(arguments)) return done();
    const Ruleset rules = options.ruleset();
    const std::string metrics = options.get<std::string>("metrics");
    const bool dte = builder::parse_metrics(metrics).dte, json = options.json();
    const int repeat = options.get<int>("repeat");
    std::vector<std::string> names{"3-3", "6-3", "5-4", "5-5", "6-6", "7-5"};
    if (options.has("subspace")) names = options.get<std::vector<std::string>>("subspace");
    const int threads = options.threads();
    std::vector<Subspace> subspaces;
    for (const std::string& name : names) {
        const Subspace s = parse_subspace(name);
        if (!can_exist(rules, s) || state_of(rules, s) != SubspaceState::open)
            throw Error(ErrorCode::bad_argument, "subspace " + name + " holds no position to solve");
        subspaces.push_back(s);
    }
    return [=] {
        builder::SolveOptions solve_options;
        solve_options.threads = threads;
        solve_options.dte = dte;
        builder::SolvedSet solved(rules, solve_options);
        if (!json)
            std::printf("kernels %s, %d threads, ruleset %s\n", builder::best_kernels().name, threads,
                        rules.name.c_str());
        for (const Subspace s : subspaces) {
            std::uint64_t positions = 0;
            for (const Subspace g : solve_group(rules, s)) positions += SubspaceIndex(g).size();
            double best = seconds_for(solved, s);
            for (int run = 1; run < repeat; ++run) best = std::min(best, seconds_for(solved, s));
            const double rate = static_cast<double>(positions) / best / threads;
            if (json)
                std::cout << Json{{"ruleset", rules.name}, {"subspace", to_text(s)},
                                  {"metrics", metrics},    {"kernels", builder::best_kernels().name},
                                  {"threads", threads},    {"positions", positions},
                                  {"seconds", best},       {"positions_per_second_per_core", rate}}
                                 .dump()
                          << std::endl;
            else {
                std::printf("%-12s %14llu positions %10s %12s positions/s per core\n", to_text(s).c_str(),
                            static_cast<unsigned long long>(positions), readable_time(best).c_str(),
                            readable_count(rate).c_str());
                std::fflush(stdout);
            }
        }
        return exit_ok;
    };
}

} // namespace mill::builder::cli

#include "options.h"

#include "mill/builder/kernels.h"
#include "mill/builder/solver.h"
#include "mill/error.h"
#include "mill/probe/turn_classes.h"

#include <chrono>
#include <cstdio>
#include <iostream>
#include <map>

namespace mill::cli {

namespace {

/// Solves a subspace and what it needs, in memory, and keeps the tables for the next one.
class Bench {
public:
    Bench(const Ruleset& rules, int threads, bool dte) : rules_(rules) {
        options_.threads = threads;
        options_.dte = dte;
    }

    /// Seconds for the group of s alone.
    double solve_group_of(Subspace s) {
        for (const Subspace d : dependencies(rules_, s))
            if (!tables_.count(d)) solve_group_of(d);
        const auto begin = std::chrono::steady_clock::now();
        auto solved = builder::solve(
            rules_, s, [&](Subspace c) { return tables_.at(c); }, options_);
        const double seconds =
            std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        for (auto& t : solved) {
            const Subspace key = t.subspace;
            tables_[key] = std::make_shared<const builder::MemoryTable>(std::move(t));
        }
        return seconds;
    }

private:
    Ruleset rules_;
    builder::SolveOptions options_;
    std::map<Subspace, std::shared_ptr<const builder::MemoryTable>> tables_;
};

} // namespace

int run_bench(const Arguments& arguments) {
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
    if (!options.parse(arguments)) return exit_ok;
    const Ruleset rules = options.ruleset();
    const builder::Metrics metrics = builder::parse_metrics(options.get<std::string>("metrics"));
    std::vector<std::string> names{"3-3", "6-3", "5-4", "5-5", "6-6", "7-5"};
    if (options.has("subspace")) names = options.get<std::vector<std::string>>("subspace");
    const int threads = options.threads();
    Bench bench(rules, threads, metrics.dte);
    if (!options.json())
        std::printf("kernels %s, %d threads, ruleset %s\n", builder::best_kernels().name, threads,
                    rules.name.c_str());
    for (const std::string& name : names) {
        const Subspace s = parse_subspace(name);
        if (!can_exist(rules, s) || state_of(rules, s) != SubspaceState::open)
            throw Error(ErrorCode::bad_argument, "subspace " + name + " holds no position to solve");
        std::uint64_t positions = 0;
        for (const Subspace g : solve_group(rules, s)) positions += SubspaceIndex(g).size();
        double best = bench.solve_group_of(s);
        for (int run = 1; run < options.get<int>("repeat"); ++run)
            best = std::min(best, bench.solve_group_of(s));
        const double rate = static_cast<double>(positions) / best / threads;
        if (options.json())
            std::cout << Json{{"ruleset", rules.name},
                              {"subspace", to_text(s)},
                              {"metrics", options.get<std::string>("metrics")},
                              {"kernels", builder::best_kernels().name},
                              {"threads", threads},
                              {"positions", positions},
                              {"seconds", best},
                              {"positions_per_second_per_core", rate}}
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
}

} // namespace mill::cli

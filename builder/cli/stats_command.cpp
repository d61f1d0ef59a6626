#include "builder/cli/options.h"

#include "builder/check/verify.h"
#include "probe/index/turn_classes.h"
#include "rules/error.h"

#include <algorithm>
#include <cstdio>
#include <iostream>

namespace mill::builder::cli {

Work read_stats(const Arguments& arguments) {
    Options options(
        "stats",
        "Counts of won, drawn and lost boards per subspace (for the side to move, at counter 0, every placement of the\n"
        "stones counted), greatest and summed distances, size on disk and solving speed.\n",
        "examples:\n  millwright stats --rules lg12\n  millwright stats --rules lg9 --json\n");
    options.add_tables();
    options.own().add_options()("subspace",
                                boost::program_options::value<std::vector<std::string>>()->composing(),
                                "only this one; repeatable");
    if (!options.parse(arguments)) return done();
    const builder::TableStore store(options.ruleset(), options.tables());
    std::vector<Subspace> subspaces;
    if (options.has("subspace"))
        for (const std::string& text : options.get<std::vector<std::string>>("subspace"))
            subspaces.push_back(parse_subspace(text));
    const bool json = options.json();
    return [=]() mutable {
        if (subspaces.empty()) subspaces = builder::stored_subspaces(store);
        if (subspaces.empty()) throw Error(ErrorCode::missing_table, "no tables in " + store.folder());
        const auto records = store.records();
        if (!json)
            std::printf("%-12s %5s %14s %14s %14s %14s %7s %7s %10s %10s  %s\n", "subspace", "limit",
                        "boards", "win", "draw", "loss", "max dte", "max dtz", "bytes", "solved in",
                        "positions/s per thread");
        for (const Subspace s : subspaces) {
            const TableMeta wdl = store.open(s, Metric::wdl).meta();
            std::uint64_t bytes = wdl.file_size();
            TableStats dtz, dte;
            const bool has_dtz = store.has(s, Metric::dtz), has_dte = store.has(s, Metric::dte);
            auto add = [&](Metric m, TableStats& stats) {
                const TableMeta meta = store.open(s, m).meta();
                stats = meta.stats;
                bytes += meta.file_size();
            };
            if (has_dtz) add(Metric::dtz, dtz);
            if (has_dte) add(Metric::dte, dte);
            const auto record = records.find(builder::group_name(solve_group(store.rules(), s)));
            const bool timed = record != records.end() && record->second.seconds > 0;
            const double speed = timed ? static_cast<double>(record->second.positions) /
                                             record->second.seconds / record->second.threads
                                       : 0;
            if (json) {
                Json line = {{"ruleset", store.rules().name},
                             {"subspace", to_text(s)},
                             {"own", s.own},
                             {"opp", s.opp},
                             {"own_reserve", s.own_reserve},
                             {"opp_reserve", s.opp_reserve},
                             {"limit", wdl.limit},
                             {"positions", SubspaceIndex(s).boards()},
                             {"win", wdl.stats.win},
                             {"draw", wdl.stats.draw},
                             {"loss", wdl.stats.loss}};
                line["max_dte"] = has_dte ? Json(dte.max) : Json(nullptr);
                line["sum_dte"] = has_dte ? Json(dte.sum) : Json(nullptr);
                line["max_dtz"] = has_dtz ? Json(dtz.max) : Json(nullptr);
                line["sum_dtz"] = has_dtz ? Json(dtz.sum) : Json(nullptr);
                line["entries"] = wdl.entries;
                line["bytes"] = bytes;
                line["solve_seconds"] = timed ? Json(record->second.seconds) : Json(nullptr);
                line["positions_per_second_per_thread"] = timed ? Json(speed) : Json(nullptr);
                std::cout << line.dump() << "\n";
            } else
                std::printf("%-12s %5u %14llu %14llu %14llu %14llu %7s %7s %10s %10s  %s\n",
                            to_text(s).c_str(), wdl.limit,
                            static_cast<unsigned long long>(SubspaceIndex(s).boards()),
                            static_cast<unsigned long long>(wdl.stats.win),
                            static_cast<unsigned long long>(wdl.stats.draw),
                            static_cast<unsigned long long>(wdl.stats.loss),
                            has_dte ? std::to_string(dte.max).c_str() : "-",
                            has_dtz ? std::to_string(dtz.max).c_str() : "-",
                            readable_bytes(static_cast<double>(bytes)).c_str(),
                            timed ? readable_time(record->second.seconds).c_str() : "-",
                            timed ? readable_count(speed).c_str() : "-");
        }
        return exit_ok;
    };
}

} // namespace mill::builder::cli

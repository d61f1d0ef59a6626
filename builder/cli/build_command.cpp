#include "builder/cli/options.h"
#include "builder/cli/progress.h"

#include "rules/error.h"

#include <cstdio>

namespace mill::builder::cli {

Work read_build(const Arguments& arguments) {
    Options options(
        "build",
        "Builds tables: outcomes (wdl), depth to zeroing (dtz) and distance to end (dte) of every position of the\n"
        "selected subspaces and of all that they depend on. Finished subspaces are skipped, so the same command goes\n"
        "on where it was stopped; several processes may share one directory.\n",
        "examples:\n  millwright build --rules lg12 --stones 8\n  millwright build --rules lg9 --start --metrics wdl,dtz --memory 20G\n"
        "  millwright build --rules lg9 --set pieces=3 --start --progress json\n\n"
        "exit codes: 0 done, 2 usage, 3 missing or corrupt data, 4 resources, 130/143 stopped by SIGINT/SIGTERM\n");
    options.add_tables();
    options.add_selection();
    options.add_resources();
    options.own().add_options()("progress",
                                boost::program_options::value<std::string>()->default_value("auto"),
                                "auto, bar, plain, json or none")(
        "level", boost::program_options::value<int>()->default_value(3), "zstd level, 1 to 19");
    if (!options.parse(arguments)) return done();
    const Ruleset rules = options.ruleset();
    builder::BuildOptions build_options;
    build_options.metrics = builder::parse_metrics(options.get<std::string>("metrics"));
    build_options.threads = options.threads();
    build_options.memory = options.memory();
    build_options.zstd_level = options.get<int>("level");
    if (build_options.zstd_level < 1 || build_options.zstd_level > 19)
        throw UsageError("--level: expected 1 to 19");
    build_options.stop = &stop_requested();
    const auto plan =
        builder::make_plan(rules, options.selection(), build_options.metrics, build_options.threads);
    const builder::TableStore store(rules, options.tables());
    const std::shared_ptr progress =
        make_progress(options.json() ? "json" : options.get<std::string>("progress"));
    return [=]() -> int {
        catch_signals();
        try {
            builder::build(store, plan, build_options, *progress);
        } catch (const Error& e) {
            if (e.code() != ErrorCode::aborted) throw;
            std::fprintf(stderr, "\nmillwright: stopped; the same command goes on from here\n");
            return 128 + caught_signal();
        }
        return exit_ok;
    };
}

} // namespace mill::builder::cli

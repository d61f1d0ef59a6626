#include "builder/cli/options.h"

#include "builder/check/verify.h"
#include "builder/jobs/repack.h"

#include <cstdio>
#include <filesystem>
#include <iostream>

namespace mill::builder::cli {

Work read_repack(const Arguments& arguments) {
    Options options(
        "repack",
        "Writes finished tables anew, smaller or in other blocks, without solving again: the tables themselves are\n"
        "left as they are. Tables that are there in the wanted shape are skipped, so the same command goes on where\n"
        "it was stopped. Outcomes need nothing else and can be shipped alone; in the codec `small`, dtz needs wdl,\n"
        "and dte needs both. With --half, tables are left out whose values follow in one ply from those that are\n"
        "kept, about every second one: probes look at all turns there, which takes them longer, and give the same\n"
        "answers.\n",
        "examples:\n  millwright repack --rules lg9 --tables tables --output small\n"
        "  millwright repack --rules lg9 --output half --half\n"
        "  millwright repack --rules lg9 --output outcomes --metrics wdl\n"
        "  millwright repack --rules lg9 --output quick --codec plain --level 3 --block 8192\n\n"
        "exit codes: 0 done, 2 usage, 3 missing or corrupt data, 4 resources, 130/143 stopped by SIGINT/SIGTERM\n");
    options.add_tables();
    namespace po = boost::program_options;
    options.own().add_options()("output,o", po::value<std::string>(), "directory to write to")(
        "metrics", po::value<std::string>()->default_value("wdl,dtz,dte"),
        "of these, those that are there; wdl is one of them")(
        "codec", po::value<std::string>()->default_value("small"),
        "small: context models, where that is smaller; plain: zstd alone, as a build writes")(
        "level", po::value<int>()->default_value(19),
        "zstd level, 1 to 19")("block", po::value<std::uint32_t>()->default_value(0),
                               "entries per block, a multiple of 4 up to 65536; 0 = what suits the codec")(
        "half", po::bool_switch(), "leave out what follows in one ply")(
        "subspace", po::value<std::vector<std::string>>()->composing(),
        "only this one; repeatable")("threads", po::value<int>()->default_value(0), "threads; 0 = all");
    if (!options.parse(arguments)) return done();
    if (!options.has("output")) throw UsageError("--output is missing: the directory to write to");
    builder::RepackOptions repack;
    repack.metrics = builder::parse_metrics(options.get<std::string>("metrics"));
    const std::string codec = options.get<std::string>("codec");
    if (codec != "small" && codec != "plain")
        throw UsageError("--codec '" + codec + "': expected small or plain");
    repack.codec = codec == "small" ? Codec::small : Codec::plain;
    if (repack.codec == Codec::small && repack.metrics.dte && !repack.metrics.dtz)
        throw UsageError(
            "--metrics: dte in the small codec is read with dtz beside it: add dtz, or --codec plain");
    repack.level = options.get<int>("level");
    if (repack.level < 1 || repack.level > 19) throw UsageError("--level: expected 1 to 19");
    repack.block_entries = options.get<std::uint32_t>("block");
    if (repack.block_entries % 4 || repack.block_entries > kMaxBlockEntries)
        throw UsageError("--block: expected a multiple of 4 up to 65536");
    repack.threads = options.threads();
    repack.stop = &stop_requested();
    const Ruleset rules = options.ruleset();
    const builder::TableStore from(rules, options.tables()), to(rules, options.get<std::string>("output"));
    std::vector<Subspace> subspaces;
    if (options.has("subspace"))
        for (const std::string& text : options.get<std::vector<std::string>>("subspace"))
            subspaces.push_back(parse_subspace(text));
    const bool json = options.json(), half = options.get<bool>("half");
    return [=]() mutable -> int {
        if (subspaces.empty()) subspaces = builder::stored_subspaces(from);
        if (subspaces.empty()) throw Error(ErrorCode::missing_table, "no tables in " + from.folder());
        std::vector<Subspace> left_out;
        if (half) left_out = builder::take_what_follows(from, to, repack.metrics, subspaces);
        to.make_folder();
        std::error_code ignored;
        if (std::filesystem::equivalent(from.folder(), to.folder(), ignored))
            throw UsageError("--output is the directory of the tables themselves");
        catch_signals();
        std::uint64_t total_bytes = 0, positions = 0;
        const auto report = [&](const builder::Repacked& r) {
            total_bytes += r.bytes;
            if (r.metric == Metric::wdl) positions += r.meta.entries;
            const auto bits = [&](std::uint64_t bytes) {
                return 8.0 * static_cast<double>(bytes) / static_cast<double>(r.meta.entries);
            };
            const char* shape = r.meta.codec == Codec::small ? "small" : "plain";
            if (json) {
                const Json line = {{"table", table_file_name(r.subspace, r.metric)},
                                   {"codec", shape},
                                   {"skipped", r.skipped},
                                   {"bytes_before", r.bytes_before},
                                   {"bytes", r.bytes},
                                   {"bits_per_position", bits(r.bytes)},
                                   {"seconds", r.seconds}};
                std::cout << line.dump() << std::endl;
            } else {
                std::printf("%-16s %s  %12llu -> %12llu bytes  %.4f -> %.4f bits/position  %s\n",
                            table_file_name(r.subspace, r.metric).c_str(), shape,
                            static_cast<unsigned long long>(r.bytes_before),
                            static_cast<unsigned long long>(r.bytes), bits(r.bytes_before), bits(r.bytes),
                            r.skipped ? "was there" : readable_time(r.seconds).c_str());
                std::fflush(stdout);
            }
        };
        try {
            for (const Subspace s : subspaces) builder::repack(from, to, s, repack, report);
        } catch (const Error& e) {
            if (e.code() != ErrorCode::aborted) throw;
            std::fprintf(stderr, "\nmillwright: stopped; the same command goes on from here\n");
            return 128 + caught_signal();
        }
        to.write_manifest();
        for (const Subspace s : left_out) {
            positions += entry_count(s.own, s.opp);
            if (json) std::cout << Json{{"left_out", to_text(s)}}.dump() << std::endl;
            else std::printf("%-16s left out: follows in one ply\n", to_text(s).c_str());
        }
        const double all_bits = 8.0 * static_cast<double>(total_bytes) / static_cast<double>(positions);
        if (json)
            std::cout << Json{{"total_bytes", total_bytes},
                              {"positions", positions},
                              {"bits_per_position", all_bits}}
                             .dump()
                      << std::endl;
        else
            std::printf("%llu bytes for %llu positions: %.4f bits/position\n",
                        static_cast<unsigned long long>(total_bytes),
                        static_cast<unsigned long long>(positions), all_bits);
        return exit_ok;
    };
}

} // namespace mill::builder::cli

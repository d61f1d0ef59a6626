#include "builder/cli/options.h"

#include "builder/check/verify.h"
#include "builder/machine/parallel.h"
#include "rules/error.h"

#include <cstdio>
#include <iostream>
#include <optional>
#include <unistd.h>

namespace mill::builder::cli {

Work read_verify(const Arguments& arguments) {
    Options options(
        "verify",
        "Derives stored values again from those of the positions that their turns lead to, with the plain rules and\n"
        "not with the solver, and checks every checksum. Of all tables in the directory, or of --subspace.\n",
        "examples:\n  millwright verify --rules lg12               a sample of every table\n"
        "  millwright verify --rules lg12 --full        every position\n\n"
        "exit codes: 0 all good, 1 a check failed (the first faulty position is named), 3 missing or corrupt data\n");
    options.add_tables();
    options.add_resources();
    options.own().add_options()("full", "every position, not a sample")(
        "sample", boost::program_options::value<std::uint64_t>()->default_value(20000),
        "positions per subspace")("seed", boost::program_options::value<std::uint64_t>()->default_value(1),
                                  "of the sample")(
        "subspace", boost::program_options::value<std::vector<std::string>>()->composing(),
        "only this one; repeatable");
    if (!options.parse(arguments)) return done();
    const builder::TableStore store(options.ruleset(), options.tables());
    builder::VerifyOptions verify;
    verify.full = options.has("full");
    verify.sample = options.get<std::uint64_t>("sample");
    verify.seed = options.get<std::uint64_t>("seed");
    verify.threads = options.threads();
    verify.stop = &stop_requested();
    const bool json = options.json();
    const bool terminal = isatty(STDERR_FILENO) && !json;
    if (terminal)
        verify.progress = [](Subspace s, std::uint64_t done, std::uint64_t all) {
            std::fprintf(stderr, "\r\033[K%s: %.1f %%", to_text(s).c_str(),
                         100.0 * static_cast<double>(done) / static_cast<double>(all));
        };
    std::vector<Subspace> subspaces;
    if (options.has("subspace"))
        for (const std::string& text : options.get<std::vector<std::string>>("subspace"))
            subspaces.push_back(parse_subspace(text));
    const std::uint64_t memory = options.memory();
    return [=]() mutable -> int {
        if (subspaces.empty()) {
            subspaces = builder::stored_subspaces(store);
            const std::string fault = builder::check_manifest(store);
            if (!fault.empty()) {
                std::fprintf(stderr, "millwright: %s\n", fault.c_str());
                return exit_check_failed;
            }
        }
        if (subspaces.empty()) throw Error(ErrorCode::missing_table, "no tables in " + store.folder());
        catch_signals();
        builder::start_threads(verify.threads);
        // Subspaces share most of their children: what is loaded stays as long as the metrics are the same.
        builder::Metrics loaded;
        std::optional<builder::TableCache> tables;
        bool missing = false;
        for (const Subspace s : subspaces) {
            const builder::Metrics metrics{true, store.has(s, Metric::dtz), store.has(s, Metric::dte)};
            if (!tables || metrics != loaded)
                tables.emplace(store, metrics, memory, verify.threads, verify.stop);
            loaded = metrics;
            builder::VerifyResult r;
            try {
                r = builder::verify_subspace(store, s, metrics, *tables, verify);
            } catch (const Error& e) {
                if (e.code() != ErrorCode::aborted) throw;
                return 128 + caught_signal();
            }
            if (terminal) std::fprintf(stderr, "\r\033[K");
            if (json) {
                Json line = {{"ruleset", store.rules().name},
                             {"subspace", to_text(s)},
                             {"positions", r.positions},
                             {"seconds", r.seconds}};
                line["fault"] = r.fault.empty() ? Json(nullptr) : Json(r.fault);
                line["missing"] = r.missing.empty() ? Json(nullptr) : Json(r.missing);
                std::cout << line.dump() << std::endl;
            } else if (!r.missing.empty())
                std::printf("%-12s checksums and statistics good; values cannot be derived without %s\n",
                            to_text(s).c_str(), r.missing.c_str());
            else
                std::printf("%-12s %12llu positions, %s: %s\n", to_text(s).c_str(),
                            static_cast<unsigned long long>(r.positions), readable_time(r.seconds).c_str(),
                            r.fault.empty() ? "good" : r.fault.c_str());
            if (!r.fault.empty()) return exit_check_failed;
            missing |= !r.missing.empty();
        }
        return missing ? exit_data : exit_ok;
    };
}

} // namespace mill::builder::cli

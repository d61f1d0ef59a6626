// millprobe missing
#include "probe/cli/tables.h"
#include "rules/text.h"

#include <iostream>

namespace mill::cli {
namespace {

constexpr const char* kHelp =
    "The subspaces that ranking all turns of a position needs and whose tables are not there: outcomes, and DTZ where\n"
    "there is a draw limit.\n\n"
    "examples:\n"
    "  millprobe missing --tables DIR --rules lg9 '3/3/2W/B1W3/1W1/2B/B2 w 0,0'\n\n"
    "JSON keys: position, missing (an array of subspaces)\n\n"
    "exit codes: 0 success, also if some are missing; 2 bad position or usage\n";

} // namespace

Work read_missing(const Arguments& arguments) {
    CommandLine line("missing [--tables DIR] [--rules NAME] [--set KEY=VALUE...] [--json] [POSITION | -]",
                     kHelp);
    add_table_options(line);
    if (!line.parse(arguments)) return done();
    return [=] {
        const auto set = open_tables(line);
        return for_each_position(line, set->rules(), [&](const Position& p) {
            std::vector<std::string> missing;
            for (const Subspace s : missing_subspaces(*set, p)) missing.push_back(to_text(s));
            if (line.json()) {
                print_json({{"position", to_text(p)}, {"missing", missing}});
                return;
            }
            if (missing.empty()) std::cout << "nothing is missing\n";
            for (const std::string& s : missing) std::cout << s << "\n";
        });
    };
}

} // namespace mill::cli

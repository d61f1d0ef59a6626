// millprobe value
#include "probe/cli/tables.h"

#include <iostream>

namespace mill::cli {
namespace {

constexpr const char* kHelp =
    "The exact value of a position for the side to move, at its counter. --rules may be left out where the\n"
    "directory holds the tables of one ruleset. POSITION is one argument; without it, the initial position; '-'\n"
    "reads one per line from standard input.\n\n"
    "examples:\n"
    "  millprobe value --tables DIR '3/3/2W/B1W3/1W1/2B/B2 w 0,0'\n"
    "  millprobe value --tables DIR --rules lg9 --profile --json - < positions.txt\n\n"
    "JSON keys: position, ruleset, outcome (win, draw, loss), dte (plies to the end), dtz (smallest budget of quiet\n"
    "plies at which it is decided), counter, ends (null, or why the game is over); with --profile also profile, an\n"
    "array of [budget, dte] where the distance changes, or null where there is none (draws, no draw limit).\n"
    "Numbers that are unknown (no such table) or meaningless (draws) are null. A draw only at this counter is a draw.\n\n"
    "exit codes: 0 success, 2 bad position or usage, 3 a table is missing or damaged\n";

} // namespace

Work read_value(const Arguments& arguments) {
    CommandLine line(
        "value [--tables DIR] [--rules NAME] [--set KEY=VALUE...] [--profile] [--json] [POSITION | -]",
        kHelp);
    add_table_options(line);
    line.options().add_options()("profile", "the distance at every budget of quiet plies");
    if (!line.parse(arguments)) return done();
    return [=] {
        const auto set = open_tables(line);
        return for_each_position(line, set->rules(), [&](const Position& p) {
            const Answer a = answer(*set, p, kAllMetrics);
            std::vector<std::pair<int, int>> steps;
            if (line.has("profile")) steps = profile(*set, p);
            if (line.json()) {
                Json object = answer_json(*set, p, a);
                if (line.has("profile")) object["profile"] = steps.empty() ? Json(nullptr) : Json(steps);
                print_json(object);
                return;
            }
            std::cout << picture(*set, p, a);
            if (!steps.empty()) {
                std::cout << "with a budget of quiet plies of at least\n";
                for (const auto& [budget, dte] : steps)
                    std::cout << "  " << budget << ": " << dte << " plies\n";
            }
            std::cout << "\n";
        });
    };
}

} // namespace mill::cli

// millprobe line
#include "probe/cli/report.h"
#include "probe/cli/tables.h"
#include "rules/text.h"

#include <iostream>

namespace mill::cli {
namespace {

constexpr const char* kHelp =
    "Best play of both sides to the end of the game: the winner takes the shortest way, the loser the longest, ties\n"
    "go by text. The draw counter runs along. A drawn position has an empty line: play there need not end.\n\n"
    "examples:\n"
    "  millprobe line --tables DIR '3/3/2W/B1W3/1W1/2B/B2 w 0,0'\n\n"
    "JSON keys: those of 'value', and line, an array of turns\n\n"
    "exit codes: 0 success, 2 bad position or usage, 3 a table is missing or damaged\n";

} // namespace

Work read_line(const Arguments& arguments) {
    CommandLine line("line [--tables DIR] [--rules NAME] [--set KEY=VALUE...] [--json] [POSITION | -]",
                     kHelp);
    add_table_options(line);
    if (!line.parse(arguments)) return done();
    return [=] {
        const auto set = open_tables(line);
        return for_each_position(line, set->rules(), [&](const Position& p) {
            const Answer a = answer(*set, p, kAllMetrics);
            std::vector<std::string> turns;
            Position last = p;
            for (const Turn t : best_line(*set, p)) {
                turns.push_back(to_text(t));
                last = apply_turn(set->rules(), last, t);
            }
            if (line.json()) {
                Json object = answer_json(*set, p, a);
                object["line"] = turns;
                print_json(object);
                return;
            }
            std::cout << picture(*set, p, a);
            std::size_t column = 0;
            for (std::size_t i = 0; i < turns.size(); ++i) {
                const std::string text = std::to_string(i + 1) + ". " + turns[i];
                if (column + text.size() + 2 > 100) {
                    std::cout << "\n";
                    column = 0;
                }
                std::cout << "  " << text;
                column += text.size() + 2;
            }
            if (!turns.empty()) {
                const Ending end = judge(set->rules(), last);
                std::cout << "\n" << verdict(result_of(last, end), end.reason) << ".\n";
            }
            std::cout << "\n";
        });
    };
}

} // namespace mill::cli

// millprobe legal
#include "probe/cli/report.h"
#include "rules/text.h"

#include <iostream>

namespace mill::cli {
namespace {

constexpr const char* kHelp =
    "POSITION is one argument; without it, the initial position; '-' reads one position per line from standard\n"
    "input. A position is: board side reserves restrictions counter. The board is rows 7 to 1, left to right,\n"
    "with W, B and digits for empty points; the last two fields may be left out. Sanmill's FEN is read too.\n\n"
    "examples:\n"
    "  millprobe legal --rules lg9\n"
    "  millprobe legal --rules lg9 'WW1/3/BB1/6/3/3/3 w 7,7'\n"
    "  millprobe legal --rules lg12 --json - < positions.txt\n\n"
    "JSON keys: position, turns (sorted), ends (null, or why the game is over), result (open, white, black, draw)\n";

void print_turns(const std::vector<std::string>& turns) {
    std::size_t column = 0;
    for (const std::string& turn : turns) {
        if (column + turn.size() + 2 > 80) {
            std::cout << "\n";
            column = 0;
        }
        std::cout << "  " << turn;
        column += turn.size() + 2;
    }
    std::cout << "\n";
}

} // namespace

Work read_legal(const Arguments& arguments) {
    CommandLine line("legal --rules NAME [--set KEY=VALUE...] [--json] [POSITION | -]", kHelp);
    if (!line.parse(arguments)) return done();
    const Ruleset rules = line.ruleset();
    return [=] {
        return for_each_position(line, rules, [&](const Position& p) {
            const Ending ending = judge(rules, p);
            const std::vector<std::string> turns = sorted_turns(rules, p);
            const Result result = result_of(p, ending);
            if (line.json()) {
                print_json({{"position", to_text(p)},
                            {"turns", turns},
                            {"ends", reason_json(ending.reason)},
                            {"result", std::string(to_text(result))}});
                return;
            }
            std::cout << picture(rules, p) << "\n";
            if (result != Result::open) {
                std::cout << "The game is over. " << verdict(result, ending.reason) << ".\n\n";
            } else {
                std::cout << turns.size() << (turns.size() == 1 ? " legal turn:\n" : " legal turns:\n");
                print_turns(turns);
                std::cout << "\n";
            }
        });
    };
}

} // namespace mill::cli

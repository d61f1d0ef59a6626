// millprobe referee
#include "probe/cli/report.h"
#include "rules/game.h"
#include "rules/text.h"

#include <iostream>
#include <unistd.h>

namespace mill::cli {
namespace {

constexpr const char* kHelp =
    "Reads the turns of a game from standard input, separated by white space, and judges it with its whole\n"
    "history: captures, mill return, draw limits, repetition. Turns are such as d6, a4-b4, d6xg7, a4-b4xg7.\n"
    "Stops at the first illegal turn and says why it is illegal.\n\n"
    "examples:\n"
    "  echo 'd6 f4 d5 f6 d7xf4' | millprobe referee --rules lg9\n"
    "  millprobe referee --rules lg12 --from '3/3/WWW/2B3/BB1/3/W2 b 0,0' < game.txt\n\n"
    "JSON keys: result (white, black, draw, open), reason (null while open), plies, position;\n"
    "after an illegal turn also error and turn, for the game as it stood before\n";

Json state_of(const Game& game) {
    return {{"result", std::string(to_text(game.result()))},
            {"reason", reason_json(game.reason())},
            {"plies", game.plies()},
            {"position", to_text(game.position())}};
}

} // namespace

Work read_referee(const Arguments& arguments) {
    CommandLine line("referee --rules NAME [--from POSITION] [--set KEY=VALUE...] [--json] < TURNS", kHelp);
    // clang-format off
    line.options().add_options()
        ("from", boost::program_options::value<std::string>()->value_name("POSITION"), "where the game starts");
    // clang-format on
    if (!line.parse(arguments, 0)) return done();
    const Ruleset rules = line.ruleset();

    return [=]() -> int {
        Game game(rules);
        if (line.has("from")) {
            const std::string from = line.get<std::string>("from");
            try {
                game = Game(rules, parse_position(rules, from));
            } catch (const Error& e) {
                if (!line.json()) throw;
                print_json({{"position", from}, {"error", e.what()}});
                return exit_code(e.code(), millprobe().io);
            }
        }
        if (isatty(STDIN_FILENO)) std::cerr << "Type the turns of the game; Ctrl-D ends them.\n";
        for (std::string text; std::cin >> text;) {
            try {
                game.play(parse_turn(text));
            } catch (const Error& e) {
                if (line.json()) {
                    Json object = state_of(game);
                    object["error"] = e.what();
                    object["turn"] = text;
                    print_json(object);
                } else {
                    std::cerr << "millprobe: ply " << game.plies() + 1 << ": " << e.what() << "\n  in "
                              << to_text(game.position()) << "\n";
                }
                return exit_code(e.code(), millprobe().io);
            }
        }
        if (line.json()) {
            print_json(state_of(game));
        } else {
            std::cout << picture(rules, game.position()) << "\n"
                      << verdict(game.result(), game.reason()) << ", after " << game.plies()
                      << (game.plies() == 1 ? " ply\n" : " plies\n");
        }
        return exit_ok;
    };
}

} // namespace mill::cli

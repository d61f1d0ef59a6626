// The list of subcommands, in the order of `millprobe --help`.
#include "commands.h"

namespace mill::cli {

std::vector<Command> all_commands() {
    return {
        {"rules", "list the rulesets, or print one in full", run_rules},
        {"legal", "list every legal turn of a position", run_legal},
        {"perft", "count the turns from a position to a depth", run_perft},
        {"referee", "play the turns of a game and judge it", run_referee},
        {"value", "exact value of a position, from tables", run_value},
        {"moves", "every legal turn with its exact value, best first", run_moves},
        {"line", "best play to the end of the game", run_line},
        {"missing", "the tables that ranking a position's turns lacks", run_missing},
    };
}

} // namespace mill::cli

// The list of subcommands, in the order of `millprobe --help`.
#include "commands.h"

namespace mill::cli {

std::vector<Command> all_commands() {
    return {
        {"rules", "list the rulesets, or print one in full", run_rules},
        {"legal", "list every legal turn of a position", run_legal},
        {"perft", "count the turns from a position to a depth", run_perft},
        {"referee", "play the turns of a game and judge it", run_referee},
        {"value", "the exact value of a position, from tables", run_value},
        {"moves", "every turn of a position with its value, from tables", run_moves},
        {"line", "best play from a position to the end, from tables", run_line},
        {"missing", "which tables a position still needs", run_missing},
    };
}

} // namespace mill::cli

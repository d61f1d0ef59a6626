#include "probe/cli/commands.h"

namespace mill::cli {

const Program& millprobe() {
    static const Program program = {
        "millprobe",
        "answers questions about the mill games: Nine Men's Morris, Lasker Morris, Morabaraba.",
        "COMMAND [OPTION...] [POSITION]",
        {
            {"rules", "list the rulesets, or print one in full", read_rules},
            {"legal", "list every legal turn of a position", read_legal},
            {"perft", "count the turns from a position to a depth", read_perft},
            {"referee", "play the turns of a game and judge it", read_referee},
            {"value", "exact value of a position, from tables", read_value},
            {"moves", "every legal turn with its exact value, best first", read_moves},
            {"line", "best play to the end of the game", read_line},
            {"missing", "the tables that ranking a position's turns lacks", read_missing},
        },
        "  millprobe rules                          the rulesets that are built in\n"
        "  millprobe legal --rules lg9              the first turns of Nine Men's Morris\n"
        "  echo 'd6 f4 d5' | millprobe referee --rules lg9\n",
        "explains one command with examples.",
        exit_data,
    };
    return program;
}

} // namespace mill::cli

#include "builder/cli/commands.h"

namespace mill::builder::cli {

const Program& millwright() {
    static const Program program = {
        "millwright",
        "builds perfect-play tables for the mill games.",
        "COMMAND --rules RULESET [OPTION...]",
        {
            {"plan", "what a build would do, and what it needs", read_plan},
            {"build", "build tables", read_build},
            {"repack", "write finished tables anew, smaller or in other blocks", read_repack},
            {"verify", "derive stored values again with the plain rules", read_verify},
            {"stats", "counts, distances, sizes and speeds of tables", read_stats},
            {"bench", "measure the solver on this machine", read_bench},
            {"signature", "one number for what this build does", read_signature},
        },
        "  millwright build --rules lg12 --stones 8     all endings with up to eight stones\n"
        "  millwright plan --rules lg9 --start          what the whole of Nine Men's Morris takes\n"
        "  millwright verify --rules lg12 --full        check every value\n",
        "explains one command. millprobe asks the tables.",
        exit_resources,
    };
    return program;
}

} // namespace mill::builder::cli

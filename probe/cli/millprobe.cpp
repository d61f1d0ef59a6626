// millprobe: asks about rules and tables.
#include "probe/cli/commands.h"

#include <iostream>

int main(int argc, char** argv) {
    std::ios::sync_with_stdio(false);
    return mill::cli::run(mill::cli::millprobe(), {argv + 1, argv + argc});
}

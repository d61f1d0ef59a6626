// millwright: builds and checks tables.
#include "builder/cli/commands.h"

#include <cstdio>
#include <cstdlib>

namespace {

bool ended = false;

/// Only one thing ends the process from elsewhere: GNU's OpenMP runtime, which calls exit(1) when it is out of memory.
void on_exit_from_elsewhere() {
    if (ended) return;
    std::fflush(nullptr);
    std::_Exit(mill::cli::exit_resources);
}

} // namespace

int main(int argc, char** argv) {
    using namespace mill::builder::cli;
    std::atexit(on_exit_from_elsewhere);
    const int code = run(millwright(), {argv + 1, argv + argc});
    ended = true;
    return code;
}

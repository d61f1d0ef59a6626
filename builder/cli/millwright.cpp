// millwright: builds and checks tables.
#include "commands.h"

int main(int argc, char** argv) {
    using namespace mill::builder::cli;
    return run(millwright(), {argv + 1, argv + argc});
}

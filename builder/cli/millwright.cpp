// millwright: builds and checks tables.
#include "commands.h"
#include "options.h"

#include "mill/error.h"

#include <csignal>
#include <cstdio>
#include <exception>
#include <iostream>
#include <new>
#include <system_error>

using namespace mill::builder::cli;

int main(int argc, char** argv) {
    // A file-size limit is a failed write, which is reported, and not the end of the process.
    std::signal(SIGXFSZ, SIG_IGN);
    int code = exit_ok;
    try {
        code = read_command_line({argv + 1, argv + argc})();
    } catch (const UsageError& e) {
        std::fprintf(stderr, "millwright: %s\n", e.what());
        code = exit_usage;
    } catch (const mill::Error& e) {
        std::fprintf(stderr, "millwright: %s\n", e.what());
        code = exit_code(e.code());
    } catch (const std::bad_alloc&) {
        std::fprintf(stderr, "millwright: out of memory\n");
        code = exit_resources;
    } catch (const std::system_error& e) { // files and threads
        std::fprintf(stderr, "millwright: %s\n", e.what());
        code = exit_resources;
    } catch (const std::exception& e) {
        std::fprintf(stderr, "millwright: %s\n", e.what());
        code = exit_check_failed;
    }
    if (!std::cout.flush() && code == exit_ok) {
        std::fprintf(stderr, "millwright: cannot write the output\n");
        code = exit_resources;
    }
    return code;
}

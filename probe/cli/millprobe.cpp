// millprobe: asks about rules and tables.
#include "commands.h"
#include "common.h"
#include "mill/error.h"

#include <csignal>
#include <cstdio>
#include <exception>
#include <iostream>
#include <new>
#include <system_error>

using namespace mill::cli;

int main(int argc, char** argv) {
    std::ios::sync_with_stdio(false);
    std::signal(SIGXFSZ, SIG_IGN); // a file-size limit is a failed write, which is reported
    int code = exit_ok;
    try {
        code = read_command_line({argv + 1, argv + argc})();
    } catch (const UsageError& e) {
        std::cerr << "millprobe: " << e.what() << "\n";
        code = exit_usage;
    } catch (const mill::Error& e) {
        std::cerr << "millprobe: " << e.what() << "\n";
        code = exit_code(e.code());
    } catch (const std::bad_alloc&) {
        std::cerr << "millprobe: out of memory\n";
        code = exit_resources;
    } catch (const std::system_error& e) {
        std::cerr << "millprobe: " << e.what() << "\n";
        code = exit_resources;
    } catch (const std::exception& e) {
        std::cerr << "millprobe: " << e.what() << "\n";
        code = exit_check_failed;
    }
    // An answer that was lost on a full disk must not look like success.
    if (!std::cout.flush() && code == exit_ok) {
        std::cerr << "millprobe: cannot write the output\n";
        code = exit_resources;
    }
    return code;
}

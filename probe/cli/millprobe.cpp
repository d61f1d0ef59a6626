// millprobe: asks about rules and tables.
#include "commands.h"
#include "common.h"
#include "mill/error.h"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <exception>
#include <iostream>
#include <new>
#include <system_error>

namespace {

using namespace mill::cli;

void print_help(std::ostream& out) {
    out << "millprobe answers questions about the mill games: Nine Men's Morris, Lasker Morris, Morabaraba.\n\n"
           "usage: millprobe COMMAND [OPTION...] [POSITION]\n\ncommands:\n";
    for (const Command& command : all_commands()) {
        std::string name = command.name;
        name.resize(std::max<std::size_t>(name.size(), 10), ' ');
        out << "  " << name << command.summary << "\n";
    }
    out << "\nexamples:\n"
           "  millprobe rules                          the rulesets that are built in\n"
           "  millprobe legal --rules lg9              the first turns of Nine Men's Morris\n"
           "  echo 'd6 f4 d5' | millprobe referee --rules lg9\n\n"
           "'millprobe COMMAND --help' explains one command with examples.\n\n"
           "exit codes: 0 success, 1 a check failed, 2 usage, 3 missing or corrupt data, 4 resources\n";
}

int run(int argc, char** argv) {
    Arguments arguments(argv + 1, argv + argc);
    if (arguments.empty()) {
        print_help(std::cerr);
        return exit_usage;
    }
    std::string name = arguments[0];
    arguments.erase(arguments.begin());
    if (name == "--version") {
        std::cout << "millprobe " MILL_VERSION "\n";
        return exit_ok;
    }
    if (name == "help" && !arguments.empty()) {
        name = arguments[0];
        arguments = {"--help"};
    }
    if (name == "help" || name == "--help" || name == "-h") {
        print_help(std::cout);
        return exit_ok;
    }
    for (const Command& command : all_commands())
        if (command.name == name) return command.run(arguments);
    throw UsageError("there is no command '" + name + "'; 'millprobe --help' lists them");
}

} // namespace

int main(int argc, char** argv) {
    std::ios::sync_with_stdio(false);
    std::signal(SIGXFSZ, SIG_IGN); // a file-size limit is a failed write, which is reported
    int code = exit_ok;
    try {
        code = run(argc, argv);
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

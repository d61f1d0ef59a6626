// millwright: builds and checks tables.
#include "options.h"

#include "mill/error.h"

#include <csignal>
#include <cstdio>
#include <exception>
#include <iostream>
#include <new>
#include <system_error>

namespace {

using namespace mill::cli;

struct Command {
    const char* name;
    const char* summary;
    int (*run)(const Arguments&);
};

constexpr Command kCommands[] = {
    {"plan", "what a build would do, and what it needs", run_plan},
    {"build", "build tables", run_build},
    {"repack", "write finished tables anew, smaller or in other blocks", run_repack},
    {"verify", "derive stored values again with the plain rules", run_verify},
    {"stats", "counts, distances, sizes and speeds of tables", run_stats},
    {"bench", "measure the solver on this machine", run_bench},
    {"signature", "one number for what this build does", run_signature},
};

void print_help(std::ostream& out) {
    out << "millwright builds perfect-play tables for the mill games.\n\n"
           "usage: millwright COMMAND --rules RULESET [OPTION...]\n\ncommands:\n";
    for (const Command& c : kCommands) {
        std::string name = c.name;
        name.resize(10, ' ');
        out << "  " << name << c.summary << "\n";
    }
    out << "\nexamples:\n"
           "  millwright build --rules lg12 --stones 8     all endings with up to eight stones\n"
           "  millwright plan --rules lg9 --start          what the whole of Nine Men's Morris takes\n"
           "  millwright verify --rules lg12 --full        check every value\n\n"
           "'millwright COMMAND --help' explains one command. millprobe asks the tables.\n\n"
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
        std::cout << "millwright " MILL_VERSION "\n";
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
    for (const Command& c : kCommands)
        if (name == c.name) return c.run(arguments);
    throw UsageError("there is no command '" + name + "'; 'millwright --help' lists them");
}

} // namespace

int main(int argc, char** argv) {
    // A file-size limit is a failed write, which is reported, and not the end of the process.
    std::signal(SIGXFSZ, SIG_IGN);
    int code = exit_ok;
    try {
        code = run(argc, argv);
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

#include "commands.h"

#include "options.h"

#include <iostream>

namespace mill::builder::cli {

namespace {

struct Command {
    const char* name;
    const char* summary;
    Work (*read)(const Arguments&);
};

constexpr Command kCommands[] = {
    {"plan", "what a build would do, and what it needs", read_plan},
    {"build", "build tables", read_build},
    {"repack", "write finished tables anew, smaller or in other blocks", read_repack},
    {"verify", "derive stored values again with the plain rules", read_verify},
    {"stats", "counts, distances, sizes and speeds of tables", read_stats},
    {"bench", "measure the solver on this machine", read_bench},
    {"signature", "one number for what this build does", read_signature},
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

} // namespace

Work read_command_line(Arguments arguments) {
    if (arguments.empty()) {
        print_help(std::cerr);
        return done(exit_usage);
    }
    std::string name = arguments[0];
    arguments.erase(arguments.begin());
    if (name == "--version") {
        std::cout << "millwright " MILL_VERSION "\n";
        return done();
    }
    if (name == "help" && !arguments.empty()) {
        name = arguments[0];
        arguments = {"--help"};
    }
    if (name == "help" || name == "--help" || name == "-h") {
        print_help(std::cout);
        return done();
    }
    for (const Command& c : kCommands)
        if (name == c.name) return c.read(arguments);
    throw UsageError("there is no command '" + name + "'; 'millwright --help' lists them");
}

} // namespace mill::builder::cli

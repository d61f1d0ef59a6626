#include "commands.h"

#include "common.h"

#include <algorithm>
#include <iostream>

namespace mill::cli {

namespace {

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

} // namespace

std::vector<Command> all_commands() {
    return {
        {"rules", "list the rulesets, or print one in full", read_rules},
        {"legal", "list every legal turn of a position", read_legal},
        {"perft", "count the turns from a position to a depth", read_perft},
        {"referee", "play the turns of a game and judge it", read_referee},
        {"value", "exact value of a position, from tables", read_value},
        {"moves", "every legal turn with its exact value, best first", read_moves},
        {"line", "best play to the end of the game", read_line},
        {"missing", "the tables that ranking a position's turns lacks", read_missing},
    };
}

Work read_command_line(Arguments arguments) {
    if (arguments.empty()) {
        print_help(std::cerr);
        return done(exit_usage);
    }
    std::string name = arguments[0];
    arguments.erase(arguments.begin());
    if (name == "--version") {
        std::cout << "millprobe " MILL_VERSION "\n";
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
    for (const Command& command : all_commands())
        if (command.name == name) return command.read(arguments);
    throw UsageError("there is no command '" + name + "'; 'millprobe --help' lists them");
}

} // namespace mill::cli

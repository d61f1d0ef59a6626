#include "probe/cli/program.h"

#include <algorithm>
#include <csignal>
#include <iostream>
#include <new>
#include <system_error>

namespace mill::cli {

namespace {

void print_help(const Program& program, std::ostream& out) {
    out << program.name << " " << program.intro << "\n\nusage: " << program.name << " " << program.usage
        << "\n\ncommands:\n";
    for (const Command& command : program.commands) {
        std::string name = command.name;
        name.resize(std::max<std::size_t>(name.size(), 10), ' ');
        out << "  " << name << command.summary << "\n";
    }
    out << "\nexamples:\n"
        << program.examples << "\n'" << program.name << " COMMAND --help' " << program.hint
        << "\n\n"
           "exit codes: 0 success, 1 a check failed, 2 usage, 3 missing or corrupt data, 4 resources\n";
}

} // namespace

int exit_code(ErrorCode code, Exit io) {
    switch (code) {
    case ErrorCode::ok: return exit_ok;
    case ErrorCode::bad_ruleset:
    case ErrorCode::bad_position:
    case ErrorCode::illegal_position:
    case ErrorCode::bad_turn:
    case ErrorCode::illegal_turn:
    case ErrorCode::bad_argument: return exit_usage;
    case ErrorCode::missing_table:
    case ErrorCode::wrong_fingerprint:
    case ErrorCode::corrupt_table:
    case ErrorCode::unsupported_format:
    case ErrorCode::not_cached: return exit_data;
    case ErrorCode::io: return io;
    case ErrorCode::out_of_memory:
    case ErrorCode::locked: return exit_resources;
    case ErrorCode::aborted:
    case ErrorCode::internal: return exit_check_failed;
    }
    return exit_check_failed;
}

std::string option_error(const std::exception& error, const Arguments& arguments) {
    for (const std::string& argument : arguments)
        if (argument.find('%') != std::string::npos)
            return "options: one of them is unknown, lacks its value or cannot take it";
    return error.what();
}

Work read_command_line(const Program& program, Arguments arguments) {
    if (arguments.empty()) {
        print_help(program, std::cerr);
        return done(exit_usage);
    }
    std::string name = arguments[0];
    arguments.erase(arguments.begin());
    if (name == "--version") {
        std::cout << program.name << " " MILL_VERSION "\n";
        return done();
    }
    if (name == "help" && !arguments.empty()) {
        name = arguments[0];
        arguments = {"--help"};
    }
    if (name == "help" || name == "--help" || name == "-h") {
        print_help(program, std::cout);
        return done();
    }
    for (const Command& command : program.commands)
        if (command.name == name) return command.read(arguments);
    throw UsageError("there is no command '" + name + "'; '" + program.name + " --help' lists them");
}

int run(const Program& program, const Arguments& arguments) {
    std::signal(SIGXFSZ, SIG_IGN); // a file-size limit is a failed write, which is reported
    const auto failed = [&](const char* what, int code) {
        std::cerr << program.name << ": " << what << "\n";
        return code;
    };
    int code = exit_ok;
    try {
        code = read_command_line(program, arguments)();
    } catch (const UsageError& e) {
        code = failed(e.what(), exit_usage);
    } catch (const Error& e) {
        code = failed(e.what(), exit_code(e.code(), program.io));
    } catch (const std::bad_alloc&) {
        code = failed("out of memory", exit_resources);
    } catch (const std::system_error& e) { // files and threads
        code = failed(e.what(), exit_resources);
    } catch (const std::exception& e) {
        code = failed(e.what(), exit_check_failed);
    }
    // An answer that was lost on a full disk must not look like success.
    if (!std::cout.flush() && code == exit_ok) code = failed("cannot write the output", exit_resources);
    return code;
}

} // namespace mill::cli

// What millprobe and millwright share as programs: subcommands, exit codes, errors of the command line.
#pragma once

#include "rules/error.h"

#include <exception>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

namespace mill::cli {

using Arguments = std::vector<std::string>;

enum Exit { exit_ok = 0, exit_check_failed = 1, exit_usage = 2, exit_data = 3, exit_resources = 4 };

/// What a command line asks for, read and checked; the call does it and returns the exit code. Reading and doing
/// are two steps so that any command line can be tried without what it would cost.
using Work = std::function<int()>;

/// For command lines that are answered once they are read, such as --help.
inline Work done(Exit code = exit_ok) {
    return [code] { return int{code}; };
}

/// A command line that cannot be understood: exit code 2.
class UsageError : public std::runtime_error {
    using std::runtime_error::runtime_error;
};

struct Command {
    std::string name;
    std::string summary;            ///< one line for --help
    Work (*read)(const Arguments&); ///< takes what follows the subcommand
};

struct Program {
    std::string name;
    std::string intro;             ///< of --help: what it does
    std::string usage;             ///< what follows the name
    std::vector<Command> commands; ///< in the order of --help
    std::string examples;
    std::string hint; ///< what to read next
    Exit io;          ///< the exit code where a file cannot be read or written
};

/// The exit code for an error of the libraries.
int exit_code(ErrorCode code, Exit io);

/// What Boost.Program_options said of `arguments`. It fills in placeholders such as %value% when asked for its message,
/// and never ends if what it fills in holds one itself; so it is not asked where an argument could.
std::string option_error(const std::exception& error, const Arguments& arguments);

/// Reads a whole command line, without the program's name. Throws UsageError, Error.
Work read_command_line(const Program& program, Arguments arguments);

/// Reads and does; what goes wrong is said on standard error. Returns the exit code. For main().
int run(const Program& program, const Arguments& arguments);

} // namespace mill::cli

// The subcommands of millprobe.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace mill::cli {

using Arguments = std::vector<std::string>;

/// Exit codes of both programs.
enum Exit { exit_ok = 0, exit_check_failed = 1, exit_usage = 2, exit_data = 3, exit_resources = 4 };

/// What a command line asks for, read and checked; the call does it and returns the exit code. Reading and doing
/// are two steps so that any command line can be tried without what it would cost.
using Work = std::function<int()>;

/// For command lines that are answered once they are read, such as --help.
inline Work done(Exit code = exit_ok) {
    return [code] { return int{code}; };
}

struct Command {
    std::string name;
    std::string summary;            ///< one line for `millprobe --help`
    Work (*read)(const Arguments&); ///< takes what follows the subcommand
};

/// In the order of `millprobe --help`.
std::vector<Command> all_commands();

/// Reads a whole command line, without the program's name. Throws UsageError, Error.
Work read_command_line(Arguments arguments);

Work read_rules(const Arguments&);
Work read_legal(const Arguments&);
Work read_perft(const Arguments&);
Work read_referee(const Arguments&);
Work read_value(const Arguments&);
Work read_moves(const Arguments&);
Work read_line(const Arguments&);
Work read_missing(const Arguments&);

} // namespace mill::cli

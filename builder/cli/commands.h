// The subcommands of millwright.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace mill::builder::cli {

using Arguments = std::vector<std::string>;

/// Exit codes of both programs (DESIGN section 8).
enum Exit { exit_ok = 0, exit_check_failed = 1, exit_usage = 2, exit_data = 3, exit_resources = 4 };

/// What a command line asks for, read and checked; the call does it and returns the exit code. Reading and doing
/// are two steps so that any command line can be tried without building anything.
using Work = std::function<int()>;

/// For command lines that are answered once they are read, such as --help.
inline Work done(Exit code = exit_ok) {
    return [code] { return int{code}; };
}

/// Reads a whole command line, without the program's name. Throws UsageError, Error.
Work read_command_line(Arguments arguments);

Work read_plan(const Arguments&);
Work read_build(const Arguments&);
Work read_repack(const Arguments&);
Work read_verify(const Arguments&);
Work read_stats(const Arguments&);
Work read_bench(const Arguments&);
Work read_signature(const Arguments&);

} // namespace mill::builder::cli

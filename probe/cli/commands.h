// The subcommands of millprobe. Each group lives in files of its own and adds itself to the list in
// command_groups.cpp.
#pragma once

#include <string>
#include <vector>

namespace mill::cli {

using Arguments = std::vector<std::string>; ///< what follows the subcommand

struct Command {
    std::string name;
    std::string summary; ///< one line for `millprobe --help`
    int (*run)(const Arguments&);
};

/// Exit codes of both programs.
enum Exit { exit_ok = 0, exit_check_failed = 1, exit_usage = 2, exit_data = 3, exit_resources = 4 };

std::vector<Command> all_commands();

int run_rules(const Arguments&);
int run_legal(const Arguments&);
int run_perft(const Arguments&);
int run_referee(const Arguments&);
int run_value(const Arguments&);
int run_moves(const Arguments&);
int run_line(const Arguments&);
int run_missing(const Arguments&);

} // namespace mill::cli

// What all subcommands share: options, rulesets, positions from the command line or standard input.
#pragma once

#include "probe/cli/commands.h"
#include "rules/position.h"
#include "rules/ruleset.h"

#include <boost/program_options.hpp>
#include <nlohmann/json.hpp>

#include <functional>
#include <string>
#include <vector>

namespace mill::cli {

/// Keeps the keys in the order in which they are documented.
using Json = nlohmann::ordered_json;

/// The command line of one subcommand.
class CommandLine {
public:
    /// `usage` follows "millprobe "; `help` is prose and examples below the options.
    CommandLine(std::string usage, std::string help);

    /// Where a subcommand adds options of its own.
    boost::program_options::options_description& options() { return options_; }

    /// Parses. Returns false when --help was asked for and has been printed.
    bool parse(const Arguments& arguments, std::size_t max_positions = 1);

    bool json() const { return values_.count("json") != 0; }
    bool has(const char* name) const { return values_.count(name) != 0; }
    template <typename T> T get(const char* name) const { return values_[name].as<T>(); }
    /// The positions given; at most max_positions.
    const std::vector<std::string>& positions() const { return positions_; }

    /// The ruleset of --rules and --set. Throws UsageError without --rules.
    Ruleset ruleset() const;

private:
    std::string usage_, help_;
    boost::program_options::options_description options_;
    boost::program_options::variables_map values_;
    std::vector<std::string> positions_;
};

/// One line of JSON. Bytes that are no UTF-8 are replaced, never refused.
void print_json(const Json& object);

/// Calls answer for the position given, for every line of standard input if it is "-", or for the
/// initial position if there is none. A bad position is answered with its error: as an object with
/// --json, else on standard error. Returns the exit code.
int for_each_position(const CommandLine& line, const Ruleset& rules,
                      const std::function<void(const Position&)>& answer);

} // namespace mill::cli

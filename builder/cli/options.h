// What the subcommands of millwright share: options, rulesets, sizes, output.
#pragma once

#include "builder/cli/commands.h"

#include "builder/jobs/plan.h"
#include "rules/error.h"

#include <boost/program_options.hpp>
#include <nlohmann/json.hpp>

#include <atomic>
#include <string>
#include <vector>

namespace mill::builder::cli {

using Json = nlohmann::ordered_json;

/// The command line of one subcommand.
class Options {
public:
    /// `what` and `examples` are printed by --help around the options.
    Options(std::string name, std::string what, std::string examples);
    boost::program_options::options_description& own() { return options_; }
    void add_tables();
    void add_selection();
    void add_resources();

    /// Returns false when --help was asked for and has been printed.
    bool parse(const Arguments& arguments);
    bool has(const char* name) const { return values_.count(name) != 0; }
    bool json() const { return has("json"); }
    template <class T> T get(const char* name) const { return values_[name].as<T>(); }

    Ruleset ruleset() const;              ///< --rules and --set; UsageError without --rules
    std::string tables() const;           ///< --tables
    builder::Selection selection() const; ///< UsageError if nothing is selected
    bool selects() const;
    int threads() const;          ///< --threads, or all that the process may use
    std::uint64_t memory() const; ///< --memory, or most of what is free now

private:
    std::string name_, what_, examples_;
    boost::program_options::options_description options_;
    boost::program_options::variables_map values_;
};

/// "16G", "512M", "1.5G", plain bytes. Throws UsageError.
std::uint64_t parse_size(const std::string& text);

std::string readable_bytes(double bytes);  ///< "1.25 GiB"
std::string readable_count(double count);  ///< "26.8 G"
std::string readable_time(double seconds); ///< "1 h 05 min"

/// Set by SIGINT and SIGTERM once catch_signals() was called; the signal's number, or 0.
std::atomic<bool>& stop_requested();
int caught_signal();
void catch_signals();

} // namespace mill::builder::cli

// What the subcommands that read tables share.
#pragma once

#include "common.h"
#include "mill/probe/table_set.h"

#include <memory>

namespace mill::cli {

/// Adds --tables and --cache.
void add_table_options(CommandLine& line);

/// Opens the tables of --tables under --rules (or the only ruleset that the directory holds). Damaged
/// files are reported on standard error. Throws UsageError, Error.
std::unique_ptr<TableSet> open_tables(const CommandLine& line);

/// The keys of `value --json`.
Json value_json(const TableSet& tables, const Position& p, const Answer& answer);

/// "won in 5 (zeroing in 3)" for people.
std::string in_words(const Answer& answer);

} // namespace mill::cli

// Tables on the command line: which directory, which ruleset, and what the probing subcommands share.
#pragma once

#include "probe/cli/common.h"
#include "probe/tables/answers.h"

#include <memory>
#include <string>

namespace mill::cli {

/// Adds --tables, --cache and --no-map.
void add_table_options(CommandLine& line);

/// Opens the tables. Without --rules the directory must hold exactly one ruleset's folder, whose ruleset
/// is that of its manifest, or the preset with the fingerprint that its tables carry. Tables that are
/// refused are named on standard error. Throws UsageError, Error.
std::unique_ptr<TableSet> open_tables(const CommandLine& line);

/// Keys that all answers begin with: position ruleset outcome dte dtz counter ends.
Json answer_json(const TableSet& set, const Position& p, const Answer& a);

/// A number, or null below 0.
Json number_json(int n);

/// "White wins in 12 plies", "draw", ... for the side to move of `p`.
std::string verdict(const Position& p, const Answer& a);

/// The board, the subspace, and the verdict.
std::string picture(const TableSet& set, const Position& p, const Answer& a);

} // namespace mill::cli

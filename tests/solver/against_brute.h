// The solver's tables against the brute force, board by board.
#pragma once

#include "tests/brute/brute.h"
#include "tests/solver/built_tables.h"

namespace mill::testing {

/// Compares outcome, DTZ, DTE and the value at every budget of all boards of a subspace; expects the tables of
/// the outcome solver to hold the same outcomes and DTZ. Reports the first board that differs.
void expect_as_brute(const brute::Brute& brute, const builder::MemoryTable& all_metrics,
                     const builder::MemoryTable& outcomes);

/// Solves the subspaces by brute force and by both solvers, and compares them and all that they lead to.
void compare_with_brute(const Ruleset& rules, const std::vector<Subspace>& subspaces);

} // namespace mill::testing

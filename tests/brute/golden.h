// The golden figures in data/golden.
#pragma once

#include "rules/ruleset.h"

#include <cstdint>
#include <string>
#include <vector>

namespace mill::testing {

/// Statistics of one subspace over all boards. What a file does not hold is -1.
struct GoldenCounts {
    std::string rules;    ///< as in the file: preset and settings, e.g. "lg9 pieces=3"
    std::string subspace; ///< e.g. "3-3+0-0"
    std::int64_t limit = -1, positions = -1, win = -1, draw = -1, loss = -1;
    std::int64_t max_dte = -1, max_dtz = -1, sum_dtz = -1;
};

/// limit_counts.tsv.
std::vector<GoldenCounts> golden_limit_counts();
/// solved_counts.tsv.
std::vector<GoldenCounts> golden_solved_counts();

/// One line of positions.tsv.
struct GoldenPosition {
    std::string rules, position, outcome;
    int dte; ///< -1 for draws
};
std::vector<GoldenPosition> golden_positions();

/// "lg9 pieces=3" as a ruleset.
Ruleset ruleset_of(const std::string& text);

} // namespace mill::testing

// Tables of the solver for tests: solved on demand, with all that they depend on, and kept in memory.
#pragma once

#include "builder/solve/solved_set.h"

namespace mill::testing {

class BuiltTables : public builder::SolvedSet {
public:
    BuiltTables(const Ruleset& rules, bool dte, int threads = 2);
};

/// Every subspace of the game in which play goes on, whether or not the start leads to it.
std::vector<Subspace> all_subspaces(const Ruleset& rules);

/// Statistics over all boards, as in the golden counts.
struct Statistics {
    std::int64_t positions = 0, win = 0, draw = 0, loss = 0, max_dte = -1, max_dtz = -1, sum_dtz = 0;
};
Statistics statistics_of(const builder::MemoryTable& table);

} // namespace mill::testing

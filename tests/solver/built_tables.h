// Tables of the solver for tests: solved on demand, with all that they depend on, and kept in memory.
#pragma once

#include "mill/builder/solver.h"

#include <map>
#include <memory>

namespace mill::testing {

class BuiltTables {
public:
    BuiltTables(const Ruleset& rules, bool dte, int threads = 2);

    /// Solves what is missing of the subspace and its dependencies.
    const builder::MemoryTable& need(Subspace s);
    /// What is solved already; throws Error(missing_table) for the rest.
    std::shared_ptr<const builder::MemoryTable> get(Subspace s) const;

    const Ruleset& rules() const { return rules_; }
    const std::map<Subspace, std::shared_ptr<const builder::MemoryTable>>& all() const { return tables_; }

private:
    Ruleset rules_;
    builder::SolveOptions options_;
    std::map<Subspace, std::shared_ptr<const builder::MemoryTable>> tables_;
};

/// Every subspace of the game in which play goes on, whether or not the start leads to it.
std::vector<Subspace> all_subspaces(const Ruleset& rules);

/// Statistics over all boards, as in the golden counts.
struct Statistics {
    std::int64_t positions = 0, win = 0, draw = 0, loss = 0, max_dte = -1, max_dtz = -1, sum_dtz = 0;
};
Statistics statistics_of(const builder::MemoryTable& table);

} // namespace mill::testing

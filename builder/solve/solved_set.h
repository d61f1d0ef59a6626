// Subspaces solved in memory, each with what it depends on: for measuring, signatures and tests.
#pragma once

#include "builder/solve/solver.h"

#include <map>
#include <memory>

namespace mill::builder {

/// One thread.
class SolvedSet {
public:
    explicit SolvedSet(const Ruleset& rules, SolveOptions options = {});

    /// Solves what is missing of the subspace and its dependencies. Throws as solve().
    const MemoryTable& need(Subspace s);
    /// Solves the group of s anew; its dependencies must be there.
    void solve_group_of(Subspace s);
    /// What is solved already; throws Error(missing_table) for the rest.
    std::shared_ptr<const MemoryTable> get(Subspace s) const;

    const Ruleset& rules() const { return rules_; }
    const std::map<Subspace, std::shared_ptr<const MemoryTable>>& all() const { return tables_; }

private:
    Ruleset rules_;
    SolveOptions options_;
    std::map<Subspace, std::shared_ptr<const MemoryTable>> tables_;
};

} // namespace mill::builder

// Solves one group of subspaces (a subspace and, where movements cycle, its mirror) in memory.
#pragma once

#include "builder/tables/memory_table.h"
#include "probe/index/turn_classes.h"

#include <atomic>
#include <functional>

namespace mill::builder {

struct SolveOptions {
    int threads = 1;
    bool dte = true;                         ///< all metrics; else outcomes and DTZ on the faster path
    const std::atomic<bool>* stop = nullptr; ///< polled; when true the solver throws Error(aborted)
    /// Called between layers from one thread: layers done, positions decided so far.
    std::function<void(int, std::uint64_t)> progress;
};

/// Tables of the whole group, in the order of solve_group(). Children come from `source`.
/// Throws Error(aborted), Error(missing_table), Error(out_of_memory).
std::vector<MemoryTable> solve(const Ruleset& rules, Subspace s, const TableSource& source,
                               const SolveOptions& options);

/// Whether solving asks for children's values below their full budget, and so for their DTZ.
bool needs_dtz(const Ruleset& rules);

/// Most bytes that solve() uses at one time for its own data (without the children it loads): what it is sure to need,
/// and an estimate of how many positions are decided at once and of profiles, to about 15 percent of the whole.
std::uint64_t solve_memory(const Ruleset& rules, Subspace s, bool dte, int threads);

} // namespace mill::builder

// Mill return: exact values of transfers, whose capture leads to a position in which the mover is
// restricted. Those positions are not stored; they are evaluated over the plies that they live.
#pragma once

#include "mill/builder/tables.h"
#include "mill/probe/evaluate.h"

#include <memory>
#include <mutex>
#include <vector>

namespace mill::builder {

/// Stored values of tables in memory, each taken from the source when first asked for. Thread-safe.
class TableValues {
public:
    TableValues(std::vector<Subspace> subspaces, TableSource source);
    /// Throws Error(internal) for a subspace that was not announced, and what the source throws.
    const MemoryTable& table(Subspace s) const;

    Value value(Subspace s, Stones own, Stones opp, int budget) const;
    Depth depth(Subspace s, Stones own, Stones opp) const;

private:
    struct Slot {
        Subspace subspace;
        std::once_flag once;
        std::shared_ptr<const MemoryTable> table;
    };
    std::vector<std::unique_ptr<Slot>> slots_; ///< ascending
    TableSource source_;
};

/// Value, for the mover, of the turn from -> to (a transfer) out of the position with `own` and `opp`
/// on the board, with the best capture; at budget r (only matters when nothing is captured). Reads
/// tables of smaller subspaces. Outcomes only, unless the tables have DTE.
class TransferEvaluator {
public:
    /// For the group of s.
    TransferEvaluator(const Ruleset& rules, Subspace s, TableSource source);
    Value best(Subspace s, Stones own, Stones opp, int from, int to, int budget) const;

private:
    Ruleset rules_;
    TableValues values_;
};

} // namespace mill::builder

// Mill return: exact values of transfers, whose capture leads to a position in which the mover is
// restricted. Those positions are not stored; they are evaluated over the plies that they live.
#pragma once

#include "mill/builder/tables.h"

namespace mill::builder {

/// Value, for the mover, of the turn from -> to (a transfer) out of the position with `own` and `opp`
/// on the board, with the best capture; at budget r (only matters when nothing is captured). Reads
/// tables of smaller subspaces. Outcomes only, unless the tables have DTE.
class TransferEvaluator {
public:
    TransferEvaluator(const Ruleset& rules, TableSource source);
    Value best(Subspace s, Stones own, Stones opp, int from, int to, int budget) const;

private:
    Ruleset rules_;
    TableSource source_;
};

} // namespace mill::builder

// Mill return: exact values of transfers, whose capture leads to a position in which the mover is
// restricted. Those positions are not stored; they are searched over the plies that they live.
#pragma once

#include "builder/tables/table_values.h"
#include "probe/index/turn_classes.h"

#include <memory>
#include <vector>

namespace mill::builder {

/// Values of transfers out of one subspace, for the mover. Reads tables of smaller subspaces. Outcomes
/// only, unless the tables have DTE. Thread-safe.
class TransferEvaluator {
public:
    /// For the group of s.
    TransferEvaluator(const Ruleset& rules, Subspace s, TableSource source, bool distances);

    /// Of the turn from -> to (a transfer) out of the position with `own` and `opp` on the board, with the
    /// best capture; at budget r (only matters when nothing is captured).
    Value best(Subspace s, Stones own, Stones opp, int from, int to, int budget) const;

    /// The same by the plain rules alone, turn by turn.
    Value best_by_rules(Subspace s, Stones own, Stones opp, int from, int to, int budget) const;

private:
    struct Restricted;
    int reply(const Restricted& p, int least, int enough) const;
    int answer(const Restricted& p, int goal, bool to_the_end, Turn& first) const;
    int stored(Subspace s, Stones own, Stones opp, int budget) const;
    const TurnClasses& turns(Subspace s) const;

    Ruleset rules_;
    TableValues values_;
    int ply_;          ///< what a turn adds to a distance: 1, or 0 where only outcomes are known
    bool short_limit_; ///< a draw limit of one or two plies
    std::vector<std::unique_ptr<TurnClasses>> classes_;
};

} // namespace mill::builder

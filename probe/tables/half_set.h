// Half sets: directories without the tables whose values follow in one ply from the tables that are there. Which
// those are is decided by the ruleset alone, so a reader knows a table that was left out from one that is missing.
#pragma once

#include "probe/index/turn_classes.h"

#include <vector>

namespace mill {

/// The choice for one ruleset. A subspace is left out if all that its turns lead to is kept; of two that quiet
/// movements connect only one can be, by preference the one in which the mover has fewer stones: its tables are the
/// larger ones. Immutable: any number of threads may ask.
class HalfSet {
public:
    explicit HalfSet(const Ruleset& rules);
    /// False also for subspaces that cannot exist.
    bool leaves_out(Subspace s) const;

private:
    enum class State : std::uint8_t { unknown, kept, left_out };
    bool decide(const Ruleset& rules, Subspace s);
    std::vector<State> states_;
};

} // namespace mill

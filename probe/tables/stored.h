// Stored values out of a TableSet: what evaluate.h asks for.
#pragma once

#include "probe/tables/table_set.h"

namespace mill {

/// What a probe is asked for beside the outcome: each costs the reading of a table.
struct Wanted {
    bool dtz = false, dte = false;
};
inline constexpr Wanted kAllMetrics{true, true};

/// One stored position at one budget. Distances are -1 where unknown, not wanted, or a draw.
struct StoredAnswer {
    Outcome outcome = Outcome::draw;
    int dtz = -1, dte = -1;
};

/// A StoredValues: also of what follows in one ply from tables that are there, where its own are not (half_set.h).
/// Lives on the stack of one probe; many threads each have their own.
class Stored {
public:
    enum class Read : std::uint8_t {
        any,        ///< reads and decompresses what is not in the cache
        cached_only ///< throws Error(not_cached) instead
    };
    /// With `distances`, value() gives DTE where there is a table of it.
    Stored(const TableSet& set, bool distances, Read read = Read::any)
        : set_(&set), distances_(distances), read_(read) {}

    /// Throws Error(missing_table) naming the table without which the outcome cannot be known.
    Value value(Subspace s, Stones own, Stones opp, int budget) const;
    /// Without a table of DTZ it is 0, and known_dtz() false.
    Depth depth(Subspace s, Stones own, Stones opp) const;

    /// Both at once, with a single index computation.
    StoredAnswer answer(Subspace s, Stones own, Stones opp, int budget, Wanted wanted) const;

    /// Whether no table of that metric was missed so far.
    bool known_dtz() const { return known_dtz_; }
    bool known_dte() const { return known_dte_; }

    /// The DTE of each budget from DTZ to the limit at which it changes, as (budget, DTE). Empty for
    /// draws, without a limit, and if a table of distances is missing. The subspace must have its own tables.
    std::vector<std::pair<int, int>> profile(Subspace s, Stones own, Stones opp) const;

private:
    /// Null if a half set leaves them out and they are not there: then values follow from the turns.
    const SubspaceTables* tables(Subspace s) const;
    /// Calls expand(position, values of what its turns lead to). Throws as if the tables of s were missing where
    /// one that they follow from is.
    template <class Expand>
    auto derive(Subspace s, Stones own, Stones opp, bool distances, Expand&& expand) const;
    template <class Look> void look(const OpenTable& t, std::uint64_t index, Look&& look_at) const;
    Outcome outcome(const SubspaceTables& s, std::uint64_t index) const;
    int number(const OpenTable& t, std::uint64_t index) const;
    int dte(const OpenTable& t, std::uint64_t index, int budget) const;
    /// The table of a metric that one can do without, or null.
    const OpenTable* optional(const SubspaceTables& s, Metric m) const;

    const TableSet* set_;
    bool distances_;
    Read read_;
    mutable bool known_dtz_ = true, known_dte_ = true;
};

static_assert(StoredValues<Stored>);

} // namespace mill

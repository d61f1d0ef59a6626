// What the small codec looks at to predict the value of a position: facts that a few instructions on sets tell, and
// the entries of the same block that a position is compared with. docs/FORMAT.md section 6 defines each.
//
// Features only predict: whatever they say, decoding repeats what encoding saw. They are exact for the rules of the
// table because that predicts best.
#pragma once

#include "probe/codec/move_links.h"
#include "probe/codec/wide.h"
#include "probe/index/index.h"
#include "rules/ruleset.h"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace mill {

/// What the rules let a side do, as far as features go.
struct FeatureRules {
    struct Side {
        bool moves = false, flies = false, places = false;
        friend bool operator==(const Side&, const Side&) = default;
    };
    bool diagonal = false;
    Side own, opp;
    std::uint32_t bits() const; ///< as in the header of a table
    static FeatureRules from_bits(std::uint32_t bits);
    friend bool operator==(const FeatureRules&, const FeatureRules&) = default;
};
FeatureRules feature_rules(const Ruleset& rules, Subspace s);

/// Features of a position.
enum class Feature : std::uint8_t {
    own_close,       ///< points where the mover can complete a line by its turn, up to 3
    opp_close,       ///< the same for the other side, were it to move
    own_mobility,    ///< steps along edges to free points, in five levels
    opp_mobility,    ///< the same for the other side
    own_mills,       ///< complete lines, up to 3
    opp_mills,       ///< the same for the other side
    own_pairs,       ///< free points that would complete a line, up to 3
    opp_pairs,       ///< the same for the other side
    opp_unstoppable, ///< points of opp_close with no stone of the mover beside them, up to 2
    own_unstoppable, ///< points of own_close with no stone of the other side beside them, up to 2
    opp_stuck,       ///< stones without a free point beside them, up to 3
    own_stuck,       ///< the same for the mover
};
inline constexpr int kFeatures = 12;
int levels_of(Feature f);

/// Entries before one in its block and row that its value is compared with.
enum class Link : std::uint8_t {
    before,  ///< the entry before
    before2, ///< the one before that
    move1, ///< a step of the waiting side along an edge to a lower place, the nearest entry first; of the steps into the
    move2, ///< lowest seven places, among those that the mover leaves free, only two count
    move3,
    move4,
};
inline constexpr std::size_t kLinks = 2 + kMoveLinks;

/// Features and links of a run of entries: one block at most.
class FeatureScan {
public:
    /// `wide`: as for run(); for tests of both.
    FeatureScan(Subspace s, const FeatureRules& rules, bool wide = has_wide_registers());

    /// Takes entries [begin, begin + n); n up to 32000.
    void scan(std::uint64_t begin, std::uint32_t n);
    /// Adds stride * level of each entry to contexts[entry].
    void add(Feature f, std::uint32_t stride, std::span<std::uint32_t> contexts) const;
    /// Of each entry the numbers of the entries that `before` and `before2` lead to, within the run, or n where there is
    /// none: 16 bits each, the first in the lowest.
    void before(std::vector<std::uint64_t>& to) const;
    /// The same for the first `wanted` moves, 1 to 4.
    void moves(std::size_t wanted, std::vector<std::uint64_t>& to) const;

    /// The level of one entry, by plain loops over the board: what add() must agree with.
    static int level_by_hand(Feature f, const FeatureRules& rules, Stones own, Stones opp);

private:
    /// A part of the run in one row: everything that the mover's set decides.
    struct Segment {
        std::uint32_t first, end; ///< within the run
        std::uint32_t rank;       ///< of the first entry in the row
        std::uint32_t own, room;  ///< sets in ring order: the mover's, and what it leaves
        std::uint32_t own_close, own_pairs, own_reach;
        std::array<std::uint32_t, 3> ways; ///< bit planes: of each point, how many own stones are beside it
        std::uint32_t own_mills;
    };
    template <class Level>
    void each(std::uint32_t stride, std::span<std::uint32_t> contexts, Level&& level) const;

    void find_sets(std::uint64_t begin, std::uint32_t n);

    SubspaceIndex index_;
    int opp_size_;
    FeatureRules rules_;
    bool wide_;
    std::uint32_t radial_; ///< points, in ring order, with lines across the rings
    std::uint32_t n_ = 0;
    std::vector<Segment> segments_;
    std::vector<std::uint32_t> packed_, opp_; ///< of each entry the waiting set: packed, and in ring order
};

} // namespace mill

// The index: number of a position within its subspace, up to the 16 symmetries of the board.
//
// Layout of every stored table ("mover rows"): one row per canonical set of the side to move, in
// ascending order of that set; in a row, every set of the other side within the complement, in
// ascending numeric order of its extracted (packed) bits. A set is canonical if it is the smallest
// of its 16 images. Rows of sets with a non-trivial stabiliser hold equivalent entries more than once, with equal
// values; all rows of a subspace have the same length. The solver's other layout ("waiter rows") is
// the same thing with the two sides exchanged.
//
// All tables here are immutable once built (on first use, thread-safe).
#pragma once

#include "probe/index/bits.h"
#include "probe/index/subspace.h"
#include "rules/board.h"

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

namespace mill {

/// C(n, k) for 0 <= n, k <= 24; 0 for k > n.
extern const std::array<std::array<std::uint32_t, 25>, 25> kBinomial;

/// Ranks sets of equal size in ascending numeric order (colexicographic), for masks of up to 24 bits.
/// rank = high_offset[mask >> 12] + low_rank[mask & 4095].
struct RankTable {
    explicit RankTable(int size);
    int size;
    std::array<std::uint32_t, 4096> high_offset;
    std::uint32_t rank(std::uint32_t mask) const { return high_offset[mask >> 12] + low_rank()[mask & 4095]; }
    static const std::array<std::uint16_t, 4096>& low_rank();
};
const RankTable& rank_table(int size); ///< size 0 to 24

/// The set of that rank.
std::uint32_t unrank(int size, std::uint32_t rank);

/// Image of a set under a symmetry, by byte tables (same as transform() of board.h, faster).
Stones fast_transform(Stones set, int symmetry);

/// Orbits of the sets with `size` stones (0 to 12).
class OrbitTable {
public:
    explicit OrbitTable(int size);
    /// Orbit number (bits 0 to 23) and a symmetry that maps the set to the representative (bits 24 up).
    std::uint32_t lookup(Stones set) const { return entry_[ranks_->rank(set)]; }
    static std::uint32_t orbit(std::uint32_t entry) { return entry & 0xFFFFFF; }
    static int symmetry(std::uint32_t entry) { return static_cast<int>(entry >> 24); }

    std::uint32_t count() const { return static_cast<std::uint32_t>(representatives_.size()); }
    Stones representative(std::uint32_t orbit) const { return representatives_[orbit]; }
    /// Bit s set: symmetry s maps the representative to itself. Bit 0 is always set.
    std::uint16_t stabiliser(std::uint32_t orbit) const { return stabilisers_[orbit]; }
    /// Number of different images: 16 / size of the stabiliser.
    const std::vector<std::uint16_t>& stabilisers() const { return stabilisers_; }
    int orbit_size(std::uint32_t orbit) const { return 16 / std::popcount(stabilisers_[orbit]); }
    const std::vector<std::uint32_t>& entries() const { return entry_; }
    const std::vector<Stones>& representatives() const { return representatives_; }

private:
    const RankTable* ranks_;
    std::vector<std::uint32_t> entry_;
    std::vector<Stones> representatives_;
    std::vector<std::uint16_t> stabilisers_;
};
const OrbitTable& orbit_table(int size);

/// How many orbits the sets of `size` stones form (0 to 24), without building their table.
std::uint32_t orbit_count(int size);
/// SubspaceIndex(own, opp).size() without building anything: what a table of that subspace must hold.
std::uint64_t entry_count(int own, int opp);

/// Numbers of the positions of one subspace (the reserves play no part).
class SubspaceIndex {
public:
    SubspaceIndex(int own, int opp);
    explicit SubspaceIndex(Subspace s) : SubspaceIndex(s.own, s.opp) {}

    std::uint32_t rows() const { return orbits_->count(); }
    std::uint32_t row_size() const { return row_size_; }
    std::uint64_t size() const { return std::uint64_t{rows()} * row_size_; }
    /// Boards without symmetry reduction: C(24, own) C(24 - own, opp).
    std::uint64_t boards() const { return std::uint64_t{kBinomial[24][own_]} * row_size_; }
    /// How many of boards() each entry of a row stands for.
    int row_weight(std::uint32_t row) const { return orbits_->orbit_size(row); }

    /// Where the positions of one set of the mover's are.
    struct Row {
        std::uint64_t first; ///< entry number of the row's first entry
        Stones free;         ///< points that the row's canonical set leaves free
        int symmetry;        ///< takes the set to the canonical one
    };
    Row row(Stones own) const;

    /// Number of a position, 0 to size() - 1. The sets must be disjoint and of the right sizes.
    std::uint64_t index(Stones own, Stones opp) const { return index(row(own), opp); }
    std::uint64_t index(const Row& row, Stones opp) const;
    /// A position of that number: the mover's set is canonical.
    std::pair<Stones, Stones> position(std::uint64_t index) const;

    const OrbitTable& orbits() const { return *orbits_; }

private:
    int own_, opp_;
    std::uint32_t row_size_;
    const OrbitTable* orbits_;
    const RankTable* ranks_;
    bool bmi2_;
};

} // namespace mill

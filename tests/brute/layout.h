// Numbers for all boards of a subspace, without symmetry: one row per set of the mover, in numeric order; in it
// every set of the opponent within the remaining points, in numeric order.
#pragma once

#include "mill/board.h"

#include <array>
#include <cstdint>
#include <vector>

namespace mill::brute {

/// C(n, k).
std::uint32_t choose(int n, int k);

class Layout {
public:
    Layout(int own, int opp);

    int own() const { return own_; }
    int opp() const { return opp_; }
    std::uint32_t row_size() const { return static_cast<std::uint32_t>(packed_.size()); }
    std::uint32_t rows() const { return static_cast<std::uint32_t>(sets_.size()); }
    std::uint32_t boards() const { return rows() * row_size(); }

    /// The mover's set of a row.
    Stones own_set(std::uint32_t row) const { return sets_[row]; }
    /// The opponent's set of an entry of a row.
    Stones opp_set(std::uint32_t row, std::uint32_t entry) const;
    /// Number of a board: row * row_size() + entry.
    std::uint32_t index(Stones own, Stones opp) const;

private:
    int own_, opp_;
    std::vector<Stones> sets_;   ///< all sets of `own` among 24 points, ascending
    std::vector<Stones> packed_; ///< all sets of `opp` among 24 - own points, ascending
};

} // namespace mill::brute

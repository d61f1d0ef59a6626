// Numbers for all boards of a subspace, without symmetry: one row per set of the opponent, in numeric order; in it
// every set of the mover within the remaining points, in numeric order.
#pragma once

#include "rules/board.h"

#include <array>
#include <cstdint>
#include <vector>

namespace mill::brute {

namespace detail {

using Triangle = std::array<std::array<std::uint32_t, kPoints + 1>, kPoints + 1>;
constexpr Triangle make_triangle() {
    Triangle t{};
    for (std::size_t n = 0; n <= kPoints; ++n) {
        t[n][0] = 1;
        for (std::size_t k = 1; k <= n; ++k) t[n][k] = t[n - 1][k - 1] + (k < n ? t[n - 1][k] : 0);
    }
    return t;
}
inline constexpr Triangle kTriangle = make_triangle();

} // namespace detail

/// C(n, k); 0 for k > n.
constexpr std::uint32_t choose(int n, int k) {
    return detail::kTriangle[static_cast<std::size_t>(n)][static_cast<std::size_t>(k)];
}

/// Number of a set among all sets of its size in numeric order.
constexpr std::uint32_t rank_of(Stones set) {
    std::uint32_t rank = 0;
    for (int n = 1; set; set &= set - 1, ++n) rank += choose(std::countr_zero(set), n);
    return rank;
}

/// The number that each point has among those that are not in a set, ascending.
struct FreePoints {
    explicit FreePoints(Stones taken) {
        for (int p = 0; p < kPoints; ++p)
            if (!(taken & bit(p))) {
                number[static_cast<std::size_t>(p)] = size;
                point[static_cast<std::size_t>(size++)] = p;
            }
    }
    /// Number of a set of free points among all sets of its size.
    std::uint32_t rank(Stones set) const {
        std::uint32_t r = 0;
        for (int n = 1; set; set &= set - 1, ++n)
            r += choose(number[static_cast<std::size_t>(std::countr_zero(set))], n);
        return r;
    }
    /// The set on the board, from its bits among the free points.
    Stones unpack(Stones packed) const {
        Stones set = 0;
        for (; packed; packed &= packed - 1)
            set |= bit(point[static_cast<std::size_t>(std::countr_zero(packed))]);
        return set;
    }
    std::array<int, kPoints> number{}, point{};
    int size = 0;
};

class Layout {
public:
    Layout(int own, int opp);

    std::uint32_t rows() const { return static_cast<std::uint32_t>(opp_sets_.size()); }
    std::uint32_t row_size() const { return static_cast<std::uint32_t>(packed_.size()); }
    std::uint32_t boards() const { return rows() * row_size(); }

    /// The opponent's set of a row.
    Stones opp_set(std::uint32_t row) const { return opp_sets_[row]; }
    /// The mover's set of an entry of a row, as bits among the points free of the opponent.
    Stones packed(std::uint32_t entry) const { return packed_[entry]; }
    /// Number of a board: row * row_size() + entry.
    std::uint32_t index(Stones own, Stones opp) const {
        return rank_of(opp) * row_size() + FreePoints(opp).rank(own);
    }

private:
    std::vector<Stones> opp_sets_; ///< all sets of `opp` among 24 points, ascending
    std::vector<Stones> packed_;   ///< all sets of `own` among 24 - opp points, ascending
};

} // namespace mill::brute

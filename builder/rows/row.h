// Rows: the data that a kernel needs to work on one row. Plain data only, since kernels are compiled
// once per processor family and must not share inline library code with the rest.
//
// A row fixes the stones B of the side that does not move; its entries are the sets A of the mover
// within the k free points, as k-bit subsets ("local" points, free points in ascending order).
// Expanded rows are bitsets over all 2^k subsets: moving a stone from i to j swaps two index bits.
// They are worked on in blocks of 512 subsets (9 low index bits); blocks that can hold no set of the
// right size are never touched, and left out where rows are kept ("stored": by slot). Dense rows number only the sets of the right size (colex rank).
#pragma once

#include "rules/board.h"

#include <cstdint>
#include <vector>

namespace mill::builder {

inline constexpr int kBlockBits = 9;
inline constexpr int kBlockWords = 8;

/// The board as seen from one row.
struct RowFrame {
    std::uint32_t free_set;       ///< free points as a 24-bit set
    int k;                        ///< their number
    std::uint32_t images[16];     ///< images of B under the 16 symmetries
    std::uint32_t neighbours[24]; ///< local
    std::uint8_t neighbour_list[24][4];
    int neighbour_count[24];
    std::uint32_t partners[24][3]; ///< local: the two other points of each free line through a point
    int partner_count[24];
    std::uint32_t lines[20]; ///< local: all free lines
    int line_count;
};

/// Fills a frame for the waiting set B on a board.
void make_frame(const Geometry& geo, Stones waiting, RowFrame& frame);

/// The shape of all rows with k free points and n stones.
struct RowShape {
    int k = 0, n = 0;
    std::uint32_t size = 0;                ///< C(k, n)
    std::uint32_t block_count = 0;         ///< blocks in use
    const std::uint32_t* blocks = nullptr; ///< their numbers, ascending
    const std::uint16_t* slots = nullptr;  ///< of every block number: its place among the blocks in use, or 0
    const std::uint32_t* high_offset = nullptr; ///< of the RankTable
    const std::uint16_t* low_rank = nullptr;
    std::uint32_t words() const { return (std::uint32_t{1} << k) / 64; }     ///< of an expanded row
    std::uint32_t stored_words() const { return block_count * kBlockWords; } ///< of its blocks in use alone
};

/// Owns what a RowShape points to.
class RowShapeTable {
public:
    RowShapeTable(int k, int n);
    const RowShape& shape() const { return shape_; }

private:
    std::vector<std::uint32_t> blocks_;
    std::vector<std::uint16_t> slots_;
    RowShape shape_;
};
const RowShape& row_shape(int k, int n); ///< built on first use, thread-safe

/// Where the positions of a row go in the other layout: rows of the mover's canonical sets.
struct CrossTarget {
    const std::uint32_t* entries;         ///< OrbitTable::entries() of the mover's size
    const std::uint32_t* representatives; ///< set, with bit 31 if its stabiliser is not trivial
    const std::uint16_t* stabilisers;
    const std::uint32_t* mover_high_offset; ///< RankTable of the mover's size, over 24 points
    const std::uint16_t* low_rank;
    int k; ///< free points of a target row; key = row << k | subset
};

} // namespace mill::builder

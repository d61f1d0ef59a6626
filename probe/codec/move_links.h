// Links along moves: the entries that a value is best compared with (docs/FORMAT.md section 6, "Links").
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace mill {

inline constexpr std::size_t kMoveLinks = 4; ///< for each entry

/// Consecutive entries of one row.
struct RowPart {
    const std::uint32_t* packed = nullptr; ///< of entry 0 and following: its packed set
    std::uint32_t first = 0, end = 0;      ///< which of them
    std::uint32_t rank = 0;                ///< of the first in its row
    std::array<std::uint32_t, 24> down{};  ///< of each place those below it that an edge leads to, as a set
};

/// Writes to[i], for each entry i of the part, the entries that its moves lead to, 16 bits for each, the nearest in the
/// lowest; `none` where there is none from `first` on. Only the first `wanted` are sought, 1 to 4; what the others say has
/// no meaning. `opp` stones are in a set; entries have numbers below 32000. `wide`: as for run() in wide.h.
void find_move_links(bool wide, int opp, const RowPart& part, std::size_t wanted, std::uint16_t none,
                     std::uint64_t* to);

} // namespace mill

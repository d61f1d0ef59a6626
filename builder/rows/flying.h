// Rows whose mover flies: at most three stones, any of which may go to any free point. Entries are
// dense (numbered by rank). Two sets are one turn apart if they share all stones but one, so all
// turns go through the sets of stones kept: counts over those replace lists of moves.
#pragma once

#include "builder/rows/row.h"

#include <cstdint>
#include <vector>

namespace mill::builder {

struct FlyingShape {
    FlyingShape(int k, int n);
    int k, n;                        ///< n is 1 to 3
    std::vector<std::uint32_t> sets; ///< by rank
    std::vector<std::uint16_t> kept; ///< n per set: ranks of the sets without one stone
    std::uint32_t kept_count;        ///< C(k, n - 1)
    std::uint32_t words() const {
        return (static_cast<std::uint32_t>(sets.size()) + 511) / 512 * 8;
    } ///< of a row
};
const FlyingShape& flying_shape(int k, int n); ///< built on first use, thread-safe

inline bool get_bit(const std::uint64_t* words, std::uint32_t i) { return words[i >> 6] >> (i & 63) & 1; }
inline void set_bit(std::uint64_t* words, std::uint32_t i) { words[i >> 6] |= std::uint64_t{1} << (i & 63); }

/// out := sets from which one turn reaches a set of `arrivals` (another set than itself).
void flying_sources(const FlyingShape& shape, const std::uint64_t* arrivals, std::uint64_t* out,
                    std::vector<std::uint16_t>& counts);

/// Marks the sets that are complete lines (only with n = 3).
void flying_lines(const FlyingShape& shape, const RowFrame& frame, std::uint64_t* out);

} // namespace mill::builder

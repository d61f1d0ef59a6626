// Constant tables shared by the kernels of all families: data only, no code.
#pragma once

#include "rules/board.h"

#include <cstddef>
#include <cstdint>

namespace mill::builder {

/// of[s][g]: the symmetry "first g, then s".
struct Composition {
    std::uint8_t of[16][16];
};

consteval Composition make_composition() {
    Composition c{};
    for (std::size_t s = 0; s < 16; ++s)
        for (std::size_t g = 0; g < 16; ++g)
            for (std::size_t r = 0; r < 16; ++r) {
                bool same = true; // a corner and its neighbour tell them apart
                for (std::size_t p = 0; p < 2; ++p)
                    same &= kSymmetryMaps[s][kSymmetryMaps[g][p]] == kSymmetryMaps[r][p];
                if (same) c.of[s][g] = static_cast<std::uint8_t>(r);
            }
    return c;
}
inline constexpr Composition kComposition = make_composition();

/// Rank of a 12-bit mask among those with as many bits (the low part of RankTable).
struct LowRank {
    std::uint16_t of[4096];
};

consteval LowRank make_low_rank() {
    LowRank t{};
    std::uint16_t seen[13] = {};
    for (std::uint32_t v = 0; v < 4096; ++v) {
        int n = 0;
        for (std::uint32_t r = v; r; r &= r - 1) ++n;
        t.of[v] = seen[n]++;
    }
    return t;
}
inline constexpr LowRank kLowRank = make_low_rank();

} // namespace mill::builder

#include "probe/codec/move_links.h"

#include "probe/codec/wide.h"
#include "probe/index/index.h"
#include "rules/board.h"

#include <algorithm>
#include <bit>

namespace mill {

namespace {

// Entries that agree in all but the lowest places are neighbours, a "run". Steps within these places are tabulated for
// a row, by the pattern of stones there; steps of other stones are looked at once for a run. How far the links of an
// entry lead back are four numbers of 16 bits, handled as one of 64; a link that there is not leads back very far.
constexpr std::uint32_t kLow = 7, kPatterns = 1U << kLow;
constexpr std::uint32_t kRoom = 40; ///< most patterns with as many stones are C(7, 3) = 35; whole registers
constexpr std::uint64_t kEach = 0x0001000100010001, kFar = 0x7FFF;
static_assert(kMoveLinks == 4);

template <class T>
using ByPattern = std::array<std::array<T, kRoom>, kLow + 1>; ///< by stones, rank among such

/// A shift by up to 64.
constexpr std::uint64_t up(std::uint64_t x, std::uint64_t bits) { return x << bits / 2 << bits / 2; }

/// What a step from above into a place among the lowest depends on; the last place stands for no step.
struct Into {
    /// Rank of a pattern less that of the one with a stone more there; 0 where the place is taken.
    std::array<ByPattern<std::uint64_t>, kLow + 1> less{};
    std::array<ByPattern<std::uint64_t>, kLow + 1> taken{}; ///< all ones where the place is taken, else 0
};
const Into& into_places() {
    static const Into table = [] {
        Into t;
        const std::uint16_t* rank = RankTable::low_rank().data();
        for (std::uint32_t place = 0; place < kLow; ++place)
            for (std::uint32_t q = 0; q < kPatterns; ++q) {
                const auto stones = static_cast<std::size_t>(count(q));
                if (q >> place & 1) t.taken[place][stones][rank[q]] = ~std::uint64_t{0};
                else t.less[place][stones][rank[q]] = std::uint64_t{rank[q]} - rank[q | 1U << place];
            }
        return t;
    }();
    return table;
}

struct Backs {
    std::uint64_t back = 0;
    std::uint64_t bits = 0; ///< 16 for each link
    void add(std::uint64_t distance) {
        if (bits == 64) return;
        back |= std::min(distance, kFar - kPatterns) << bits;
        bits += 16;
    }
};

/// Steps of the stones above. Those into the lowest places depend on the entry: whether the place is free, and how far
/// back that leads. Two of that kind count.
struct FromAbove {
    std::array<std::uint32_t, 2> into = {kLow, kLow};
    std::array<Backs, 4> backs;                       ///< by which of these two places are taken
    std::array<std::array<std::uint64_t, 2>, 4> at{}; ///< where in them the two steps are
    std::uint32_t known = 1, crossing = 0;

    bool have(std::size_t wanted) const { return backs[known - 1].bits >= 16 * wanted; }
    /// A step within the upper places.
    void step(std::uint64_t distance) {
        for (std::uint32_t m = 0; m < known; ++m) backs[m].add(distance);
    }
    /// A step into a place among the lowest; the distance is that between the beginnings of the runs.
    void cross(std::uint32_t place, std::uint64_t distance) {
        if (crossing == 2) return;
        for (std::uint32_t m = 0; m < known; ++m) {
            backs[known + m] = backs[m];
            at[known + m] = at[m];
            at[m][crossing] = backs[m].bits;
            backs[m].add(distance);
        }
        into[crossing++] = place;
        known *= 2;
    }
    /// Of those masks that there are none of, the one that stands for them.
    const Backs& of(bool first_taken, bool second_taken) const {
        return backs[(first_taken && crossing > 0 ? 1 : 0) + (second_taken && crossing > 1 ? 2 : 0)];
    }
};

inline void find(int opp, const RowPart& part, std::size_t wanted, std::uint64_t none,
                 std::uint64_t* __restrict to) {
    const std::uint16_t* low_rank = RankTable::low_rank().data();
    const std::uint32_t* high_offset = rank_table(opp).high_offset.data();
    const auto rank_of = [&](std::uint32_t set) { return high_offset[set >> 12] + low_rank[set & 4095]; };
    const Into& into = into_places();

    // Within the lowest places: the steps without the highest stone there, then its own.
    ByPattern<std::uint64_t> within, half_bits;
    within[0][0] = half_bits[0][0] = 0;
    for (std::uint32_t q = 1; q < kPatterns; ++q) {
        const std::uint32_t top = std::bit_floor(q), others = q ^ top;
        const auto stones = static_cast<std::size_t>(count(q));
        const std::size_t before = low_rank[others];
        Backs w{within[stones - 1][before], 2 * half_bits[stones - 1][before]};
        for (std::uint32_t rest = part.down[static_cast<std::size_t>(std::countr_zero(top))] & ~q; rest;) {
            const std::uint32_t low = std::bit_floor(rest);
            rest ^= low;
            w.add(std::uint64_t{low_rank[q]} - low_rank[others | low]);
        }
        within[stones][low_rank[q]] = w.back;
        half_bits[stones][low_rank[q]] = w.bits / 2;
    }

    for (std::uint32_t i = part.first; i < part.end;) {
        const std::uint32_t low_part = part.packed[i] & (kPatterns - 1),
                            high_part = part.packed[i] ^ low_part;
        const auto below = static_cast<std::uint32_t>(count(low_part));
        const std::uint32_t first_rank = part.rank + (i - part.first) - low_rank[low_part];
        FromAbove above;
        for (std::uint32_t rest = high_part; rest && !above.have(wanted); rest &= rest - 1) {
            const auto high = static_cast<std::uint32_t>(std::countr_zero(rest));
            const std::uint32_t without = high_part ^ (std::uint32_t{1} << high);
            for (std::uint32_t free_places = part.down[high] & ~high_part; free_places;) {
                const std::uint32_t low = std::bit_floor(free_places);
                free_places ^= low;
                if (low >= kPatterns) above.step(first_rank - rank_of(without | low | ((1U << below) - 1)));
                else if (below < kLow)
                    above.cross(static_cast<std::uint32_t>(std::countr_zero(low)),
                                first_rank - rank_of(without | ((2U << below) - 1)));
            }
        }
        const auto filled = [&](bool first_taken, bool second_taken) {
            const Backs& b = above.of(first_taken, second_taken);
            return b.back | up(kFar * kEach, b.bits);
        };
        const std::uint64_t free_free = filled(false, false), if_first = free_free ^ filled(true, false),
                            if_second = free_free ^ filled(false, true),
                            if_both = if_first ^ if_second ^ free_free ^ filled(true, true);
        const std::uint64_t at_first = above.at[0][0] / 2, at_second = above.at[0][1] / 2,
                            at_second_alone = above.at[1][1] / 2;
        const std::uint32_t from = low_rank[low_part],
                            n = std::min(part.end - i, kBinomial[kLow][below] - from);
        const std::uint64_t* __restrict taken_1 = into.taken[above.into[0]][below].data() + from;
        const std::uint64_t* __restrict taken_2 = into.taken[above.into[1]][below].data() + from;
        const std::uint64_t* __restrict less_1 = into.less[above.into[0]][below].data() + from;
        const std::uint64_t* __restrict less_2 = into.less[above.into[1]][below].data() + from;
        const std::uint64_t* __restrict in_run = within[below].data() + from;
        const std::uint64_t* __restrict shift = half_bits[below].data() + from;
        const std::uint64_t entry = i * kEach, reachable = ((i - part.first) * kEach) | 0x8000 * kEach;
        std::uint64_t* __restrict out = to + i;
        for (std::uint32_t j = 0; j < n; ++j) {
            const std::uint64_t t1 = taken_1[j], t2 = taken_2[j], on = j * kEach;
            const std::uint64_t distances =
                (free_free ^ (t1 & if_first) ^ (t2 & if_second) ^ (t1 & t2 & if_both)) +
                (less_1[j] << at_first << at_first) + ((less_2[j] << at_second << at_second) & ~t1) +
                ((less_2[j] << at_second_alone << at_second_alone) & t1);
            const std::uint64_t back = in_run[j] | distances << shift[j] << shift[j];
            // The top bit of each number tells whether the link stays within these entries.
            const std::uint64_t top = (reachable + on - back) >> 15 & kEach, holds = (top << 16) - top;
            out[j] = ((entry + on - (back & holds)) & holds) | (none & ~holds);
        }
        i += n;
    }
}

} // namespace

void find_move_links(bool wide, int opp, const RowPart& part, std::size_t wanted, std::uint16_t none,
                     std::uint64_t* to) {
    run(wide, [&] { find(opp, part, wanted, none * kEach, to); });
}

} // namespace mill

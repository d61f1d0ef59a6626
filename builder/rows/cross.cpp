#include "builder/rows/cross.h"

#include "builder/rows/messages.h"

#include <bit>

namespace mill::builder {

CrossRows::CrossRows(int mover, int waiter) : target{} {
    const OrbitTable& orbits = orbit_table(mover);
    rows = orbits.count();
    representatives = orbits.representatives();
    for (std::uint32_t r = 0; r < rows; ++r)
        if (orbits.stabiliser(r) != 1) representatives[r] |= std::uint32_t{1} << 31;
    target.entries = orbits.entries().data();
    target.representatives = representatives.data();
    target.stabilisers = orbits.stabilisers().data();
    target.mover_high_offset = rank_table(mover).high_offset.data();
    target.low_rank = RankTable::low_rank().data();
    target.k = kPoints - mover;
    // At least 64 Ki entries each; with 512 partitions their values stay mostly in the outer caches while written.
    const std::uint64_t row_bytes =
        kBinomial[static_cast<std::size_t>(24 - mover)][static_cast<std::size_t>(waiter)];
    int row_shift = 2;
    while ((rows >> row_shift) + 1 > kMaxPartitions || (row_bytes << row_shift) < (1U << 16)) ++row_shift;
    if (row_shift + target.k > 31) row_shift = 31 - target.k;
    shift = row_shift + target.k;
    partitions = static_cast<int>(((std::uint64_t{rows} << target.k) - 1) >> shift) + 1;
}

} // namespace mill::builder

// The way from a row to the rows of the table that captures lead to.
#pragma once

#include "builder/rows/kernels.h"
#include "builder/tables/memory_table.h"

#include <vector>

namespace mill::builder {

/// One CaptureRow per stone of `waiting` that a mill may take (DESIGN section 2: those outside mills,
/// or any if all stand in mills). `child` is the table of the positions after the capture.
void make_capture_rows(const Geometry& geo, Stones waiting, const MemoryTable& child,
                       std::vector<CaptureRow>& out);

/// Rank in the child's row (index into its table) of a local subset.
inline std::uint64_t capture_index(const CaptureRow& row, std::uint32_t subset) {
    const std::uint32_t image = row.low[subset & 63] | row.middle[subset >> 6 & 511] | row.top[subset >> 15];
    return row.base + row.high_offset[image >> 12] + RankTable::low_rank()[image & 4095];
}

} // namespace mill::builder

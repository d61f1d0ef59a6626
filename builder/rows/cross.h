// Target side of a crossing: partitions of rows, and what the emitting kernels need.
#pragma once

#include "builder/rows/row.h"
#include "probe/index/index.h"

#include <vector>

namespace mill::builder {

/// Rows of the canonical sets with `mover` stones, entries over 24 - mover points.
struct CrossRows {
    CrossRows(int mover, int waiter);
    CrossTarget target;                         ///< points into this object and the index tables
    std::vector<std::uint32_t> representatives; ///< with the stabiliser flag
    std::uint32_t rows;
    int shift; ///< partition of a key is key >> shift; a whole multiple of four rows
    int partitions;
};

} // namespace mill::builder

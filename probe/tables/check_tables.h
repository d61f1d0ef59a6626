// Checking every block of the open tables.
#pragma once

#include "probe/tables/table_set.h"

#include <functional>

namespace mill {

struct CheckProgress {
    const OpenTable* table = nullptr; ///< being checked
    std::uint64_t tables = 0, tables_done = 0;
    std::uint64_t blocks = 0, blocks_done = 0;
};

/// Reads all blocks: checksums, and that codes and profile steps are possible. `progress` is called before every
/// block and returns false to stop (Error(aborted)). Throws the first fault; a refused file is one.
void check_tables(const TableSet& set, const std::function<bool(const CheckProgress&)>& progress);

} // namespace mill

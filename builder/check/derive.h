// Tables that a half set leaves out, made again in memory from those that it keeps, by the plain rules.
#pragma once

#include "builder/tables/store.h"
#include "builder/tables/table_values.h"

#include <atomic>

namespace mill::builder {

/// The table of s with `metrics`, out of the tables that its turns lead to. Slow beside solving: for checking what
/// is there. Without dtz among the metrics only where values do not depend on it (TurnClasses::reads_depths). Throws what the source of `values` throws, Error(aborted).
MemoryTable derive_table(const Ruleset& rules, Subspace s, const Metrics& metrics, const TableValues& values,
                         int threads, const std::atomic<bool>* stop);

} // namespace mill::builder

// Tables in memory, as the solver reads and makes them.
#pragma once

#include "builder/machine/memory.h"
#include "probe/format/table_format.h"
#include "probe/index/index.h"
#include "probe/index/subspace.h"
#include "probe/values/value.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace mill::builder {

/// One subspace, uncompressed, in index order (mover rows). Which metrics are present shows in the
/// sizes of the arrays.
struct MemoryTable {
    explicit MemoryTable(Subspace s) : subspace(s), index(s) {}

    Subspace subspace;
    SubspaceIndex index;
    HugeArray<std::uint8_t> wdl;      ///< 2-bit codes, four a byte, low bits first, eight bytes of slack
    HugeArray<std::uint16_t> dtz;     ///< 0 where drawn
    HugeArray<std::uint16_t> dte;     ///< at the full budget; 0 where drawn
    std::vector<ProfileStep> steps;   ///< sorted by entry, then budget
    HugeArray<std::uint64_t> stepped; ///< a bit per entry that has steps; empty: not marked yet

    std::uint32_t code(std::uint64_t i) const { return (wdl[i >> 2] >> (2 * (i & 3))) & 3; }
    Outcome outcome(std::uint64_t i) const { return static_cast<Outcome>(code(i)); }

    /// Exact value at budget r (0 = no limit: the full budget). Without DTE loaded, dte is 0.
    Value at(std::uint64_t i, int r) const;
    /// Makes at() fast where most entries have no steps.
    void mark_steps();
};

/// Hands out tables that are already solved; throws Error(missing_table). Thread-safe.
using TableSource = std::function<std::shared_ptr<const MemoryTable>(Subspace)>;

} // namespace mill::builder

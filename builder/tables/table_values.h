// Stored values out of tables in memory: what evaluate.h asks for, on the builder's side. The solver's transfers and
// the independent check read through it; it knows nothing of either.
#pragma once

#include "builder/tables/memory_table.h"
#include "probe/values/evaluate.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

namespace mill::builder {

/// Stored values of tables in memory, each taken from the source when first asked for. Thread-safe.
class TableValues {
public:
    TableValues(const std::vector<Subspace>& subspaces, TableSource source);
    /// Throws Error(internal) for a subspace that was not announced, and what the source throws.
    const MemoryTable& table(Subspace s) const;

    Value value(Subspace s, Stones own, Stones opp, int budget) const;
    Depth depth(Subspace s, Stones own, Stones opp) const;

private:
    static constexpr std::uint16_t kNone = 0xFFFF;
    struct Slot {
        std::once_flag once;
        std::shared_ptr<const MemoryTable> table;
        std::atomic<const MemoryTable*> ready{nullptr};
    };
    std::vector<std::uint16_t> slot_of_; ///< by subspace, or kNone
    std::vector<std::unique_ptr<Slot>> slots_;
    TableSource source_;
};

} // namespace mill::builder

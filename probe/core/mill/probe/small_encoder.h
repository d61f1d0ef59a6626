// Encoding tables in the small codec: count what occurs in which context, make models, code.
#pragma once

#include "mill/probe/small_codec.h"

#include <memory>
#include <unordered_map>

namespace mill {

/// Values of consecutive entries: whole blocks.
struct BlockValues {
    std::uint64_t begin;
    std::span<const std::uint8_t> wdl; ///< codes, one a byte
    std::span<const std::uint16_t> dtz, dte;
    std::span<const ProfileStep> steps; ///< entries counted from the first of the subspace
};

/// How often each symbol occurs in each context. One thread; counts of several are merged.
class SmallCounts {
public:
    explicit SmallCounts(const TableMeta& meta);
    ~SmallCounts();
    SmallCounts(SmallCounts&&) noexcept;
    void add(const BlockValues& values);
    void merge(const SmallCounts& other);

private:
    friend class SmallEncoder;
    TableMeta meta_;
    std::unique_ptr<ContextPlan> plan_;
    std::unique_ptr<BlockWalk> walk_;
    std::array<std::unordered_map<std::uint64_t, std::uint64_t>, kMaxStreams>
        counts_; ///< by context << 16 | symbol
};

/// Codes groups of blocks. Any number of threads.
class SmallEncoder {
public:
    SmallEncoder(const TableMeta& meta, const SmallCounts& counts);
    const std::vector<std::uint8_t>& models() const { return models_; } ///< as the file has them
    /// Throws Error(internal) if a block takes more room than the format has for it.
    EncodedBlock encode_group(const BlockValues& values) const;

private:
    TableMeta meta_;
    ContextPlan plan_;
    std::vector<SymbolModel> streams_;
    std::vector<std::uint8_t> models_;
};

} // namespace mill

// Encoding tables in the small codec: count what occurs in which context, make models, code.
#pragma once

#include "probe/codec/small_codec.h"

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

/// The contexts for a table, chosen on some of its blocks.
ContextPlan choose_contexts(const TableMeta& meta, const std::vector<BlockValues>& sample);

/// How often each symbol occurs in each context. One thread; counts of several are merged.
class SmallCounts {
public:
    SmallCounts(const TableMeta& meta, const ContextPlan& plan);
    ~SmallCounts();
    SmallCounts(SmallCounts&&) noexcept;
    void add(const BlockValues& values);
    void merge(const SmallCounts& other);

private:
    friend class SmallEncoder;
    TableMeta meta_;
    std::unique_ptr<ContextPlan> plan_;
    std::unique_ptr<BlockWalk> walk_;

    /// Of one kind of symbols: an array where that is small enough, else by context << 16 | symbol.
    struct Tally {
        std::uint32_t alphabet = 0;
        std::vector<std::uint32_t> dense;
        std::unordered_map<std::uint64_t, std::uint64_t> sparse;
        void add(std::uint32_t context, std::uint16_t symbol) {
            if (symbol < alphabet) ++dense[std::size_t{context} * alphabet + symbol];
            else ++sparse[std::uint64_t{context} << 16 | symbol];
        }
    };
    std::array<Tally, kMaxStreams> counts_;
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

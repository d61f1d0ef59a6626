// Raw blocks of the plain codec (docs/FORMAT.md section 3): the one place that fills in what nobody reads.
#pragma once

#include "builder/tables/entry_range.h"

namespace mill::builder {

/// Entries per block, where the command line leaves it open.
constexpr std::uint32_t plain_block_entries(const TableMeta& meta) {
    return meta.metric == Metric::wdl ? 65536 : meta.code_bits == 8 ? 32768 : 16384;
}

/// Appends the codes of n distances. A draw repeats the code before it, which costs least.
template <class Drawn>
void append_distances(const std::uint16_t* values, std::size_t n, unsigned code_bits, Drawn&& drawn,
                      std::vector<std::uint8_t>& raw) {
    const bool wide = code_bits == 16;
    std::size_t at = raw.size();
    raw.resize(at + n * (wide ? 2 : 1));
    std::uint16_t last = 0;
    for (std::size_t i = 0; i < n; ++i) {
        last = drawn(i) ? last : values[i];
        raw[at++] = static_cast<std::uint8_t>(last);
        if (wide) raw[at++] = static_cast<std::uint8_t>(last >> 8);
    }
}

/// The block that a build makes of a run of entries.
void make_plain_block(const EntryRange& range, const TableMeta& meta, std::vector<std::uint8_t>& raw);

} // namespace mill::builder

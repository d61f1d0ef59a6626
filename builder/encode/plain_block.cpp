#include "builder/encode/plain_block.h"

namespace mill::builder {

void make_plain_block(const EntryRange& range, const TableMeta& meta, std::vector<std::uint8_t>& raw) {
    raw.clear();
    const std::size_t n = range.wdl.size();
    if (meta.metric == Metric::wdl) {
        raw.assign((n + 3) / 4, 0);
        for (std::size_t i = 0; i < n; ++i)
            raw[i / 4] = static_cast<std::uint8_t>(raw[i / 4] | range.wdl[i] << (2 * (i % 4)));
        return;
    }
    const auto& values = meta.metric == Metric::dtz ? range.dtz : range.dte;
    append_distances(
        values.data(), n, meta.code_bits, [&](std::size_t i) { return range.wdl[i] == 0; }, raw);
    if (meta.metric == Metric::dte) append_steps(raw, range.steps, static_cast<std::uint32_t>(range.begin));
}

} // namespace mill::builder

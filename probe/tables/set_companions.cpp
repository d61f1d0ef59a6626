#include "probe/tables/set_companions.h"

#include <algorithm>

namespace mill {

template <class T> void SetCompanions::copy(Metric m, std::uint64_t begin, std::span<T> values) const {
    const OpenTable* t = tables_->table(m);
    if (!t) set_->throw_missing(tables_->subspace, m);
    const TableMeta& meta = t->meta();
    for (std::size_t done = 0; done < values.size();) {
        const std::uint32_t block = t->block_of(begin + done);
        const std::size_t first = begin + done - std::uint64_t{block} * meta.block_entries;
        const std::size_t n = std::min<std::size_t>(values.size() - done, meta.entries_in(block) - first);
        set_->cache().get(
            t->key(block), [&](BlockCache::Block& raw) { t->read_block(block, raw, this); },
            [&](BlockCache::Bytes raw) {
                for (std::size_t i = 0; i < n; ++i)
                    values[done + i] = static_cast<T>(code_at(meta, raw, first + i));
            });
        done += n;
    }
}

void SetCompanions::outcomes(std::uint64_t begin, std::span<std::uint8_t> codes) const {
    copy(Metric::wdl, begin, codes);
}

void SetCompanions::depths(std::uint64_t begin, std::span<std::uint16_t> values) const {
    copy(Metric::dtz, begin, values);
}

} // namespace mill

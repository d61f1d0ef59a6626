#include "builder/tables/entry_range.h"
#include "rules/error.h"

#include <algorithm>

namespace mill::builder {

EntryReader::EntryReader(const TableStore& store, Subspace s, const Metrics& metrics) {
    for (const Metric m : {Metric::wdl, Metric::dtz, Metric::dte})
        if (m == Metric::wdl || metrics.has(m))
            files_[static_cast<std::size_t>(m) - 1].emplace(
                File{store.open(s, m), store.path(s, m), ~std::uint32_t{0}, {}});
}

EntryReader::File& EntryReader::file(Metric m) const {
    auto& f = files_[static_cast<std::size_t>(m) - 1];
    if (!f) throw Error(ErrorCode::missing_table, "table ." + std::string(to_text(m)) + " is not open");
    return *f;
}

template <class Fn>
void EntryReader::each_block(Metric m, std::uint64_t begin, std::size_t n, Fn&& fn) const {
    File& f = file(m);
    const TableMeta& meta = f.reader.meta();
    for (std::size_t done = 0; done < n;) {
        const std::uint64_t at = begin + done;
        const auto block = static_cast<std::uint32_t>(at / meta.block_entries);
        const auto first = static_cast<std::uint32_t>(at - std::uint64_t{block} * meta.block_entries);
        const auto some =
            static_cast<std::uint32_t>(std::min<std::uint64_t>(n - done, meta.entries_in(block) - first));
        if (f.block != block) {
            f.block = ~std::uint32_t{0};
            try {
                f.reader.read_block(block, f.raw, this);
            } catch (const Error& e) {
                throw Error(e.code(), f.path + ": " + e.what());
            }
            f.block = block;
        }
        fn(f, first, done, some);
        done += some;
    }
}

void EntryReader::outcomes(std::uint64_t begin, std::span<std::uint8_t> codes) const {
    each_block(Metric::wdl, begin, codes.size(),
               [&](const File& f, std::uint32_t first, std::size_t at, std::uint32_t n) {
                   for (std::uint32_t i = 0; i < n; ++i)
                       codes[at + i] = static_cast<std::uint8_t>(code_at(f.reader.meta(), f.raw, first + i));
               });
}

void EntryReader::depths(std::uint64_t begin, std::span<std::uint16_t> values) const {
    each_block(Metric::dtz, begin, values.size(),
               [&](const File& f, std::uint32_t first, std::size_t at, std::uint32_t n) {
                   for (std::uint32_t i = 0; i < n; ++i)
                       values[at + i] =
                           static_cast<std::uint16_t>(code_at(f.reader.meta(), f.raw, first + i));
               });
}

void EntryReader::read(std::uint64_t begin, std::uint32_t n, EntryRange& range) const {
    const auto there = [&](Metric m) { return files_[static_cast<std::size_t>(m) - 1].has_value(); };
    range.begin = begin;
    range.wdl.resize(n);
    outcomes(begin, range.wdl);
    range.dtz.resize(there(Metric::dtz) ? n : 0);
    if (there(Metric::dtz)) depths(begin, range.dtz);
    range.dte.resize(there(Metric::dte) ? n : 0);
    range.steps.clear();
    if (!there(Metric::dte)) return;
    each_block(Metric::dte, begin, n,
               [&](const File& f, std::uint32_t first, std::size_t at, std::uint32_t some) {
                   const TableMeta& meta = f.reader.meta();
                   for (std::uint32_t i = 0; i < some; ++i)
                       range.dte[at + i] = static_cast<std::uint16_t>(code_at(meta, f.raw, first + i));
                   const std::size_t steps = step_count(meta, f.block, f.raw.size());
                   for (std::size_t i = 0; i < steps; ++i) {
                       ProfileStep step = step_at(meta, f.block, f.raw.data(), i);
                       if (step.entry < first || step.entry >= first + some) continue;
                       step.entry += static_cast<std::uint32_t>(std::uint64_t{f.block} * meta.block_entries);
                       range.steps.push_back(step);
                   }
               });
}

} // namespace mill::builder

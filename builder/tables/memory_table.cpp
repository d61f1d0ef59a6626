#include "builder/tables/memory_table.h"

#include <algorithm>

namespace mill::builder {

Value MemoryTable::at(std::uint64_t i, int r) const {
    const Outcome o = outcome(i);
    if (o == Outcome::draw || (r > 0 && !dtz.empty() && dtz[i] > r)) return {};
    if (dte.empty()) return {o, 0};
    std::uint16_t d = dte[i];
    if (r > 0 && !steps.empty() && (stepped.empty() || stepped[i >> 6] >> (i & 63) & 1)) {
        // The first change above r says what the distance was before it.
        const auto it = std::upper_bound(steps.begin(), steps.end(), std::pair{i, r},
                                         [](const auto& key, const ProfileStep& s) {
                                             return std::pair<std::uint64_t, int>{s.entry, s.budget} > key;
                                         });
        if (it != steps.end() && it->entry == i) d = it->dte;
    }
    return {o, d};
}

void MemoryTable::mark_steps() {
    if (steps.empty() || !stepped.empty()) return;
    stepped = HugeArray<std::uint64_t>(index.size() / 64 + 1);
    for (const ProfileStep& s : steps) stepped[s.entry >> 6] |= std::uint64_t{1} << (s.entry & 63);
}

} // namespace mill::builder

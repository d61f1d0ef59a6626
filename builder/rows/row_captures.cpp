#include "builder/rows/row_captures.h"

#include <bit>

namespace mill::builder {

void make_capture_rows(const Geometry& geo, Stones waiting, const MemoryTable& child,
                       std::vector<CaptureRow>& out) {
    out.clear();
    const OrbitTable& orbits = child.index.orbits();
    const Stones free_set = kAllPoints & ~waiting;
    const int k = count(free_set);
    for (Stones rest = capturable(geo, waiting); rest; rest &= rest - 1) {
        const Stones left = waiting & ~(rest & (~rest + 1));
        const std::uint32_t entry = orbits.lookup(left);
        const std::uint32_t row = OrbitTable::orbit(entry);
        const Stones child_free = kAllPoints & ~orbits.representative(row);
        const auto& map = kSymmetryMaps[static_cast<std::size_t>(OrbitTable::symmetry(entry))];
        std::uint32_t image[24] = {};
        Stones points = free_set;
        for (int t = 0; t < k; ++t, points &= points - 1) {
            const int to = map[static_cast<std::size_t>(std::countr_zero(points))];
            image[t] = std::uint32_t{1} << std::popcount(child_free & (bit(to) - 1));
        }
        CaptureRow& r = out.emplace_back();
        r.codes = child.wdl.data();
        r.base = std::uint64_t{row} * child.index.row_size();
        r.high_offset = rank_table(child.subspace.opp).high_offset.data();
        auto fill = [](std::uint32_t* table, std::uint32_t size, const std::uint32_t* images) {
            table[0] = 0;
            for (std::uint32_t v = 1; v < size; ++v)
                table[v] = table[v & (v - 1)] | images[std::countr_zero(v)];
        };
        fill(r.low, 64, image);
        fill(r.middle, 512, image + 6);
        fill(r.top, 512, image + 15);
    }
}

} // namespace mill::builder

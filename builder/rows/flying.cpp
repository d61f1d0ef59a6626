#include "builder/rows/flying.h"

#include "probe/index/index.h"

#include <algorithm>
#include <bit>
#include <map>
#include <memory>
#include <mutex>

namespace mill::builder {

FlyingShape::FlyingShape(int free_points, int stones)
    : k(free_points), n(stones),
      kept_count(kBinomial[static_cast<std::size_t>(k)][static_cast<std::size_t>(n - 1)]) {
    const std::uint32_t size = kBinomial[static_cast<std::size_t>(k)][static_cast<std::size_t>(n)];
    const RankTable& ranks = rank_table(n - 1);
    for (std::uint32_t r = 0; r < size; ++r) {
        const std::uint32_t set = unrank(n, r);
        sets.push_back(set);
        for (std::uint32_t rest = set; rest; rest &= rest - 1)
            kept.push_back(static_cast<std::uint16_t>(ranks.rank(set & ~(rest & (~rest + 1)))));
    }
}

const FlyingShape& flying_shape(int k, int n) {
    static std::mutex mutex;
    static std::map<std::pair<int, int>, std::unique_ptr<FlyingShape>> built;
    const std::lock_guard lock(mutex);
    auto& slot = built[{k, n}];
    if (!slot) slot = std::make_unique<FlyingShape>(k, n);
    return *slot;
}

void flying_sources(const FlyingShape& shape, const std::uint64_t* arrivals, std::uint64_t* out,
                    std::vector<std::uint16_t>& counts) {
    counts.assign(shape.kept_count, 0);
    const auto n = static_cast<std::uint32_t>(shape.n);
    const std::uint32_t words = shape.words();
    for (std::uint32_t w = 0; w < words; ++w)
        for (std::uint64_t rest = arrivals[w]; rest; rest &= rest - 1) {
            const std::uint32_t set = w * 64 + static_cast<std::uint32_t>(std::countr_zero(rest));
            for (std::uint32_t i = 0; i < n; ++i) ++counts[shape.kept[set * n + i]];
        }
    const auto size = static_cast<std::uint32_t>(shape.sets.size());
    for (std::uint32_t w = 0; w < words; ++w) {
        std::uint64_t found = 0;
        const std::uint32_t end = std::min(size, w * 64 + 64);
        for (std::uint32_t set = w * 64; set < end; ++set) {
            const std::uint64_t self = arrivals[w] >> (set & 63) & 1;
            bool reaches = false;
            for (std::uint32_t i = 0; i < n; ++i) reaches |= counts[shape.kept[set * n + i]] > self;
            found |= std::uint64_t{reaches} << (set & 63);
        }
        out[w] = found;
    }
}

void flying_lines(const FlyingShape& shape, const RowFrame& frame, std::uint64_t* out) {
    std::fill_n(out, shape.words(), std::uint64_t{0});
    if (shape.n != 3) return;
    const RankTable& ranks = rank_table(3);
    for (int j = 0; j < frame.k; ++j)
        for (int i = 0; i < frame.partner_count[j]; ++i)
            set_bit(out, ranks.rank(frame.partners[j][i] | std::uint32_t{1} << j));
}

} // namespace mill::builder

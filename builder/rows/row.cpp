#include "builder/rows/row.h"

#include "probe/index/index.h"

#include <array>
#include <bit>
#include <map>
#include <memory>
#include <mutex>

namespace mill::builder {

void make_frame(const Geometry& geo, Stones waiting, RowFrame& frame) {
    frame.free_set = kAllPoints & ~waiting;
    frame.k = count(frame.free_set);
    for (int s = 0; s < kSymmetries; ++s) frame.images[s] = fast_transform(waiting, s);
    int local_of[kPoints];
    for (int p = 0, next = 0; p < kPoints; ++p) local_of[p] = frame.free_set & bit(p) ? next++ : -1;
    auto localise = [&](Stones set) {
        std::uint32_t out = 0;
        for (; set; set &= set - 1) out |= std::uint32_t{1} << local_of[std::countr_zero(set)];
        return out;
    };
    frame.line_count = 0;
    for (int l = 0; l < geo.line_count; ++l) {
        const Stones line = geo.lines[static_cast<std::size_t>(l)];
        if ((line & frame.free_set) == line) frame.lines[frame.line_count++] = localise(line);
    }
    for (int p = 0; p < kPoints; ++p) {
        const int j = local_of[p];
        if (j < 0) continue;
        const auto point = static_cast<std::size_t>(p);
        frame.neighbours[j] = localise(geo.neighbours[point] & frame.free_set);
        frame.neighbour_count[j] = 0;
        for (std::uint32_t rest = frame.neighbours[j]; rest; rest &= rest - 1)
            frame.neighbour_list[j][frame.neighbour_count[j]++] =
                static_cast<std::uint8_t>(std::countr_zero(rest));
        frame.partner_count[j] = 0;
        for (int l = 0; l < geo.lines_at[point]; ++l) {
            const Stones pair = geo.partners[point][static_cast<std::size_t>(l)];
            if ((pair & frame.free_set) == pair) frame.partners[j][frame.partner_count[j]++] = localise(pair);
        }
    }
}

RowShapeTable::RowShapeTable(int k, int n) {
    const std::uint32_t all = std::uint32_t{1} << (k - kBlockBits);
    for (std::uint32_t b = 0; b < all; ++b) {
        const int rest = n - std::popcount(b);
        const bool used = rest >= 0 && rest <= kBlockBits;
        slots_.push_back(used ? static_cast<std::uint16_t>(blocks_.size()) : std::uint16_t{0});
        if (used) blocks_.push_back(b);
    }
    shape_ = {k,
              n,
              kBinomial[static_cast<std::size_t>(k)][static_cast<std::size_t>(n)],
              static_cast<std::uint32_t>(blocks_.size()),
              blocks_.data(),
              slots_.data(),
              rank_table(n).high_offset.data(),
              RankTable::low_rank().data()};
}

const RowShape& row_shape(int k, int n) {
    static std::mutex mutex;
    static std::map<std::pair<int, int>, std::unique_ptr<RowShapeTable>> built;
    const std::lock_guard lock(mutex);
    auto& slot = built[{k, n}];
    if (!slot) slot = std::make_unique<RowShapeTable>(k, n);
    return slot->shape();
}

} // namespace mill::builder

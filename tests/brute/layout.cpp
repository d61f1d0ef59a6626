#include "layout.h"

namespace mill::brute {
namespace {

using Triangle = std::array<std::array<std::uint32_t, kPoints + 1>, kPoints + 1>;

constexpr Triangle make_triangle() {
    Triangle t{};
    for (std::size_t n = 0; n <= kPoints; ++n) {
        t[n][0] = 1;
        for (std::size_t k = 1; k <= n; ++k) t[n][k] = t[n - 1][k - 1] + (k < n ? t[n - 1][k] : 0);
    }
    return t;
}
constexpr Triangle kTriangle = make_triangle();

std::vector<Stones> sets_of(int points, int size) {
    std::vector<Stones> out;
    out.reserve(choose(points, size));
    if (size == 0) return {0};
    const Stones end = Stones{1} << points;
    for (Stones s = (Stones{1} << size) - 1; s < end;) {
        out.push_back(s);
        const Stones lowest = s & (~s + 1), ripple = s + lowest; // the next number with as many bits
        s = ripple | (((s ^ ripple) >> 2) / lowest);
    }
    return out;
}

} // namespace

std::uint32_t choose(int n, int k) {
    return k < 0 || k > n ? 0 : kTriangle[static_cast<std::size_t>(n)][static_cast<std::size_t>(k)];
}

Layout::Layout(int own, int opp)
    : own_(own), opp_(opp), sets_(sets_of(kPoints, own)), packed_(sets_of(kPoints - own, opp)) {}

Stones Layout::opp_set(std::uint32_t row, std::uint32_t entry) const {
    const Stones own = sets_[row], packed = packed_[entry];
    Stones out = 0;
    int free_point = 0;
    for (Stones rest = kAllPoints & ~own; rest; rest &= rest - 1, ++free_point)
        if (packed & bit(free_point)) out |= rest & (~rest + 1);
    return out;
}

std::uint32_t Layout::index(Stones own, Stones opp) const {
    std::uint32_t row = 0, entry = 0;
    int n = 0;
    for (Stones rest = own; rest; rest &= rest - 1) row += choose(std::countr_zero(rest), ++n);
    n = 0;
    for (Stones rest = opp; rest; rest &= rest - 1) {
        const int point = std::countr_zero(rest);
        entry += choose(point - count(own & (bit(point) - 1)), ++n);
    }
    return row * row_size() + entry;
}

} // namespace mill::brute

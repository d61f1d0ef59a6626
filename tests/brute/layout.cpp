#include "tests/brute/layout.h"

namespace mill::brute {
namespace {

std::vector<Stones> sets_of(int points, int size) {
    if (size == 0) return {0};
    std::vector<Stones> out;
    out.reserve(choose(points, size));
    const Stones end = Stones{1} << points;
    for (Stones s = (Stones{1} << size) - 1; s < end;) {
        out.push_back(s);
        const Stones lowest = s & (~s + 1), ripple = s + lowest; // the next number with as many bits
        s = ripple | (((s ^ ripple) >> 2) / lowest);
    }
    return out;
}

} // namespace

Layout::Layout(int own, int opp) : opp_sets_(sets_of(kPoints, opp)), packed_(sets_of(kPoints - opp, own)) {}

} // namespace mill::brute

// Board geometry: points, lines, edges and the 16 symmetries. The only place that knows them.
//
// A point is its number in reading order (a7 = 0 ... g1 = 23, rows 7 to 1, left to right); a set of
// stones is a 24-bit mask with bit p for point p. Everything here is constexpr and thread-safe.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <string_view>

namespace mill {

using Stones = std::uint32_t; ///< set of points, bits 0 to 23

inline constexpr int kPoints = 24;
inline constexpr Stones kAllPoints = (Stones{1} << kPoints) - 1;
inline constexpr int kSymmetries = 16;

/// `diagonal` adds the four corner lines a7-b6-c5, g7-f6-e5, a1-b2-c3, g1-f2-e3 and their edges.
enum class Board : std::uint8_t { plain, diagonal };

inline constexpr std::array<std::string_view, kPoints> kPointNames = {
    "a7", "d7", "g7", "b6", "d6", "f6", "c5", "d5", "e5", "a4", "b4", "c4",
    "e4", "f4", "g4", "c3", "d3", "e3", "b2", "d2", "f2", "a1", "d1", "g1"};

constexpr Stones bit(int point) { return Stones{1} << point; }
/// Number of stones. Compiled for any processor std::popcount is a call into a library: a fifth of what turn
/// generation takes.
constexpr int count(Stones s) {
    s -= (s >> 1) & 0x555555;
    s = (s & 0x333333) + ((s >> 2) & 0x333333);
    s = (s + (s >> 4)) & 0x0F0F0F;
    return static_cast<int>((s + (s >> 8) + (s >> 16)) & 0xFF);
}

/// Point number of a name such as "a7", or -1.
constexpr int point_of(std::string_view name) {
    for (int p = 0; p < kPoints; ++p)
        if (kPointNames[p] == name) return p;
    return -1;
}

/// Everything about one board that the rules and the solver ask for.
struct Geometry {
    int line_count = 0;
    std::array<Stones, 20> lines{};                        ///< three points each
    std::array<Stones, kPoints> neighbours{};              ///< points one edge away
    std::array<int, kPoints> lines_at{};                   ///< how many lines pass through a point
    std::array<std::array<Stones, 3>, kPoints> partners{}; ///< for each such line its other two points
};

namespace detail {

constexpr int column(int p) { return kPointNames[p][0] - 'a' - 3; } // -3 .. 3
constexpr int row(int p) { return kPointNames[p][1] - '1' - 3; }
constexpr int magnitude(int v) { return v < 0 ? -v : v; }
constexpr int ring(int p) {
    return magnitude(column(p)) > magnitude(row(p)) ? magnitude(column(p)) : magnitude(row(p));
}
constexpr int point_at(int x, int y) {
    for (int p = 0; p < kPoints; ++p)
        if (column(p) == x && row(p) == y) return p;
    return -1;
}

/// Lines are runs of three neighbouring points along a row, a column or a corner diagonal; the
/// central hole splits the middle row and column.
constexpr Geometry make_geometry(Board board) {
    Geometry g;
    auto add = [&g](Stones line, int a, int b, int c) {
        g.lines[g.line_count++] = line;
        g.neighbours[a] |= bit(b);
        g.neighbours[b] |= bit(a) | bit(c);
        g.neighbours[c] |= bit(b);
    };
    auto collect = [&](bool horizontal, int fixed) {
        int run[6] = {}, n = 0;
        for (int v = -3; v <= 3; ++v) {
            const int p = horizontal ? point_at(v, -fixed) : point_at(fixed, -v);
            if (p >= 0) run[n++] = p;
        }
        for (int i = 0; i + 2 < n; i += 3)
            add(bit(run[i]) | bit(run[i + 1]) | bit(run[i + 2]), run[i], run[i + 1], run[i + 2]);
    };
    for (int v = -3; v <= 3; ++v) collect(true, v);
    for (int v = -3; v <= 3; ++v) collect(false, v);
    if (board == Board::diagonal)
        for (int sx = -1; sx <= 1; sx += 2)
            for (int sy = -1; sy <= 1; sy += 2) {
                const int a = point_at(3 * sx, 3 * sy), b = point_at(2 * sx, 2 * sy), c = point_at(sx, sy);
                add(bit(a) | bit(b) | bit(c), a, b, c);
            }
    for (int p = 0; p < kPoints; ++p)
        for (int l = 0; l < g.line_count; ++l)
            if (g.lines[l] & bit(p)) g.partners[p][g.lines_at[p]++] = g.lines[l] & ~bit(p);
    return g;
}

/// Symmetry s: mirror if s & 1, then turn by (s >> 1) & 3 quarters, then swap the inner and outer
/// ring if s & 8. Symmetry 0 is the identity.
constexpr std::array<std::array<std::uint8_t, kPoints>, kSymmetries> make_symmetries() {
    std::array<std::array<std::uint8_t, kPoints>, kSymmetries> all{};
    for (int s = 0; s < kSymmetries; ++s)
        for (int p = 0; p < kPoints; ++p) {
            int x = column(p), y = row(p);
            if (s & 1) x = -x;
            for (int turn = (s >> 1) & 3; turn > 0; --turn) {
                const int old = x;
                x = -y;
                y = old;
            }
            if (s & 8) {
                const int r = ring(p);
                x = x / r * (4 - r);
                y = y / r * (4 - r);
            }
            all[s][p] = static_cast<std::uint8_t>(point_at(x, y));
        }
    return all;
}

} // namespace detail

inline constexpr Geometry kPlain = detail::make_geometry(Board::plain);
inline constexpr Geometry kDiagonal = detail::make_geometry(Board::diagonal);

constexpr const Geometry& geometry(Board board) { return board == Board::plain ? kPlain : kDiagonal; }

/// kSymmetryMaps[s][p]: where symmetry s takes point p. Both boards have the same 16.
inline constexpr auto kSymmetryMaps = detail::make_symmetries();

constexpr Stones transform(Stones set, int symmetry) {
    Stones image = 0;
    for (Stones rest = set; rest; rest &= rest - 1)
        image |= bit(kSymmetryMaps[symmetry][std::countr_zero(rest)]);
    return image;
}

/// Whether `stones` (with a stone on `point`) has a complete line through `point`.
constexpr bool in_mill(const Geometry& g, Stones stones, int point) {
    for (int i = 0; i < g.lines_at[point]; ++i)
        if ((stones & g.partners[point][i]) == g.partners[point][i]) return true;
    return false;
}

/// All stones of the set that stand in a complete line.
constexpr Stones milled(const Geometry& g, Stones stones) {
    Stones in = 0;
    for (int l = 0; l < g.line_count; ++l)
        if ((stones & g.lines[l]) == g.lines[l]) in |= g.lines[l];
    return in;
}

/// What a mill may take from `stones`: those outside mills, or any if all stand in mills.
constexpr Stones capturable(const Geometry& g, Stones stones) {
    const Stones open = stones & ~milled(g, stones);
    return open ? open : stones;
}

} // namespace mill

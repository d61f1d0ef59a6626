#include "probe/codec/position_features.h"

#include "probe/index/turn_classes.h"
#include "rules/error.h"

#include <algorithm>

namespace mill {

namespace {

// Ring order: eight bits for each ring, outermost first, clockwise from the corner at the top left. Lines and edges
// become rotations within the bytes and shifts by whole bytes.
constexpr std::array<std::uint8_t, kPoints> kRingBit = {0,  1,  2, 8,  9,  10, 16, 17, 18, 7, 15, 23,
                                                        19, 11, 3, 22, 21, 20, 14, 13, 12, 6, 5,  4};
constexpr std::uint32_t kAll = 0xFFFFFF, kCorners = 0x555555, kMiddles = 0xAAAAAA;

constexpr std::uint32_t to_rings(Stones set) {
    std::uint32_t out = 0;
    for (; set; set &= set - 1)
        out |= std::uint32_t{1} << kRingBit[static_cast<std::size_t>(std::countr_zero(set))];
    return out;
}

/// The stones seen from each point: of the point `k` places on in its ring.
template <int k> constexpr std::uint32_t on(std::uint32_t x) {
    constexpr auto low = static_cast<std::uint32_t>((0xFF >> k) * 0x010101);
    return ((x >> k) & low) | ((x << (8 - k)) & ~low & kAll);
}
/// In the rings beside the point's own, on `radial` points.
constexpr std::uint32_t across(std::uint32_t x, std::uint32_t radial) { return (x >> 8 | x << 8) & radial; }
/// In both other rings.
constexpr std::uint32_t both_rings(std::uint32_t x, std::uint32_t radial) {
    return (x >> 8 | x << 16) & (x >> 16 | x << 8) & radial;
}

/// Points whose line has all its other stones.
constexpr std::uint32_t pairs(std::uint32_t x, std::uint32_t radial) {
    const std::uint32_t n1 = on<1>(x), b1 = on<7>(x);
    return (kCorners & ((n1 & on<2>(x)) | (b1 & on<6>(x)))) | (kMiddles & n1 & b1) | both_rings(x, radial);
}
/// Those of them that a stone from outside the line reaches along an edge.
constexpr std::uint32_t closable(std::uint32_t x, std::uint32_t radial) {
    const std::uint32_t n1 = on<1>(x), b1 = on<7>(x), beside = across(x, radial);
    return (kCorners & ((n1 & on<2>(x) & (b1 | beside)) | (b1 & on<6>(x) & (n1 | beside)))) |
           (kMiddles & n1 & b1 & beside) | (both_rings(x, radial) & (n1 | b1));
}
constexpr std::uint32_t reach(std::uint32_t x, std::uint32_t radial) {
    return on<1>(x) | on<7>(x) | across(x, radial);
}
constexpr std::uint32_t population(std::uint32_t x) { return static_cast<std::uint32_t>(count(x)); }
constexpr std::uint32_t mills(std::uint32_t x, std::uint32_t radial) {
    return population(kCorners & x & on<1>(x) & on<2>(x)) +
           population(x & (x >> 8) & (x >> 16) & radial & 0xFF);
}
/// Edges between a set and another.
constexpr std::uint32_t edges(std::uint32_t x, std::uint32_t y, std::uint32_t radial) {
    return population(x & on<1>(y)) + population(x & on<7>(y)) + population(x & (y >> 8) & radial) +
           population(x & (y << 8) & radial);
}
constexpr std::uint32_t up_to(std::uint32_t v, std::uint32_t most) { return v < most ? v : most; }
constexpr std::uint32_t mobility_level(std::uint32_t v) { return (v > 1) + (v > 3) + (v > 6) + (v > 10); }

/// What a side completes by its turn, given pairs and closable points.
std::uint32_t closing(const FeatureRules::Side& side, int stones, std::uint32_t pair_points,
                      std::uint32_t closable_points) {
    if (side.places || (side.moves && side.flies && stones >= 3)) return pair_points;
    return side.moves ? closable_points : 0;
}

} // namespace

std::uint32_t FeatureRules::bits() const {
    const auto side = [](const Side& s) {
        return std::uint32_t{s.moves} | std::uint32_t{s.flies} << 1 | std::uint32_t{s.places} << 2;
    };
    return std::uint32_t{diagonal} | side(own) << 1 | side(opp) << 4;
}

FeatureRules FeatureRules::from_bits(std::uint32_t bits) {
    if (bits > 127)
        throw Error(ErrorCode::unsupported_format,
                    "table header: unknown feature bits " + std::to_string(bits));
    const auto side = [](std::uint32_t b) { return Side{(b & 1) != 0, (b & 2) != 0, (b & 4) != 0}; };
    return {(bits & 1) != 0, side(bits >> 1), side(bits >> 4)};
}

FeatureRules feature_rules(const Ruleset& rules, Subspace s) {
    const auto side = [&](Subspace t) {
        const TurnClasses c(rules, t);
        return FeatureRules::Side{c.moves, c.flies, c.places};
    };
    return {rules.board == Board::diagonal, side(s), side(s.mirrored())};
}

int levels_of(Feature f) {
    switch (f) {
    case Feature::own_mobility:
    case Feature::opp_mobility: return 5;
    case Feature::opp_unstoppable:
    case Feature::own_unstoppable: return 3;
    default: return 4;
    }
}

FeatureScan::FeatureScan(Subspace s, const FeatureRules& rules, bool wide)
    : index_(s), opp_size_(s.opp), rules_(rules), wide_(wide), radial_(rules.diagonal ? kAll : kMiddles) {}

void FeatureScan::scan(std::uint64_t begin, std::uint32_t n) {
    run(wide_, [&] { find_sets(begin, n); });
}

inline void FeatureScan::find_sets(std::uint64_t begin, std::uint32_t n) {
    n_ = n;
    segments_.clear();
    packed_.resize(n);
    opp_.resize(n);
    const std::uint32_t row_size = index_.row_size();
    for (std::uint32_t at = 0; at < n;) {
        const std::uint64_t entry = begin + at;
        const auto row = static_cast<std::uint32_t>(entry / row_size);
        Segment g{};
        g.first = at;
        g.rank = static_cast<std::uint32_t>(entry % row_size);
        g.end = at + std::min(n - at, row_size - g.rank);
        const Stones own = index_.orbits().representative(row);
        const int own_size = count(own);
        g.own = to_rings(own);
        g.room = kAll & ~g.own;
        g.own_pairs = pairs(g.own, radial_);
        g.own_close = closing(rules_.own, own_size, g.own_pairs, closable(g.own, radial_));
        g.own_reach = reach(g.own, radial_);
        g.own_mills = up_to(mills(g.own, radial_), 3);
        for (const std::uint32_t beside :
             {on<1>(g.own), on<7>(g.own), (g.own >> 8) & radial_, (g.own << 8) & radial_ & kAll}) {
            const std::uint32_t carry = g.ways[0] & beside;
            g.ways[0] ^= beside;
            g.ways[2] |= g.ways[1] & carry;
            g.ways[1] ^= carry;
        }
        // Packed sets go up like numbers with that many bits; three tables spread their bits over the rings.
        std::array<std::array<std::uint32_t, 256>, 3> spread;
        Stones free_points = kAllPoints & ~own;
        for (auto& table : spread) {
            table[0] = 0;
            for (std::uint32_t bit_value = 1; bit_value < 256;
                 bit_value *= 2, free_points &= free_points - 1) {
                const std::uint32_t to =
                    free_points ? std::uint32_t{1}
                                      << kRingBit[static_cast<std::size_t>(std::countr_zero(free_points))]
                                : 0;
                for (std::uint32_t v = 0; v < bit_value; ++v) table[bit_value + v] = table[v] | to;
            }
        }
        std::uint32_t packed = unrank(opp_size_, g.rank);
        for (; at < g.end; ++at) {
            packed_[at] = packed;
            opp_[at] = spread[0][packed & 255] | spread[1][packed >> 8 & 255] | spread[2][packed >> 16 & 255];
            if (packed) {
                const std::uint32_t low = packed & (~packed + 1), ripple = packed + low;
                packed = ripple | ((packed ^ ripple) >> (2 + std::countr_zero(low)));
            }
        }
        segments_.push_back(g);
    }
}

template <class Level>
void FeatureScan::each(std::uint32_t stride, std::span<std::uint32_t> contexts, Level&& level) const {
    run(wide_, [&] {
        // A copy of the segment and no overlap: else the compiler must read both anew for every entry.
        const std::uint32_t* __restrict opp = opp_.data();
        std::uint32_t* __restrict to = contexts.data();
        const std::uint32_t each_level = stride;
        const std::decay_t<Level> of = level;
        for (const Segment& segment : segments_) {
            const Segment g = segment;
            for (std::uint32_t i = g.first; i < g.end; ++i) to[i] += each_level * of(g, opp[i]);
        }
    });
}

void FeatureScan::add(Feature f, std::uint32_t stride, std::span<std::uint32_t> contexts) const {
    const std::uint32_t radial = radial_;
    // Masks, so that the loops are without branches.
    const std::uint32_t opp_anywhere =
        rules_.opp.places || (rules_.opp.moves && rules_.opp.flies && opp_size_ >= 3) ? kAll : 0;
    const std::uint32_t opp_moves = rules_.opp.moves ? kAll : 0;
    const auto opp_closing = [=](const Segment& g, std::uint32_t opp) {
        return g.room & ~opp & ((pairs(opp, radial) & opp_anywhere) | (closable(opp, radial) & opp_moves));
    };
    switch (f) {
    case Feature::own_close:
        return each(stride, contexts, [](const Segment& g, std::uint32_t opp) {
            return up_to(population(g.own_close & g.room & ~opp), 3);
        });
    case Feature::opp_close:
        return each(stride, contexts, [=](const Segment& g, std::uint32_t opp) {
            return up_to(population(opp_closing(g, opp)), 3);
        });
    case Feature::own_mobility:
        return each(stride, contexts, [](const Segment& g, std::uint32_t opp) {
            const std::uint32_t free_set = g.room & ~opp;
            return mobility_level(population(g.ways[0] & free_set) + 2 * population(g.ways[1] & free_set) +
                                  4 * population(g.ways[2] & free_set));
        });
    case Feature::opp_mobility:
        return each(stride, contexts, [radial](const Segment& g, std::uint32_t opp) {
            return mobility_level(edges(opp, g.room & ~opp, radial));
        });
    case Feature::own_mills:
        return each(stride, contexts, [](const Segment& g, std::uint32_t) { return g.own_mills; });
    case Feature::opp_mills:
        return each(stride, contexts,
                    [radial](const Segment&, std::uint32_t opp) { return up_to(mills(opp, radial), 3); });
    case Feature::own_pairs:
        return each(stride, contexts, [](const Segment& g, std::uint32_t opp) {
            return up_to(population(g.own_pairs & g.room & ~opp), 3);
        });
    case Feature::opp_pairs:
        return each(stride, contexts, [radial](const Segment& g, std::uint32_t opp) {
            return up_to(population(pairs(opp, radial) & g.room & ~opp), 3);
        });
    case Feature::opp_unstoppable:
        return each(stride, contexts, [=](const Segment& g, std::uint32_t opp) {
            return up_to(population(opp_closing(g, opp) & ~g.own_reach), 2);
        });
    case Feature::own_unstoppable:
        return each(stride, contexts, [radial](const Segment& g, std::uint32_t opp) {
            return up_to(population(g.own_close & g.room & ~opp & ~reach(opp, radial)), 2);
        });
    case Feature::opp_stuck:
        return each(stride, contexts, [radial](const Segment& g, std::uint32_t opp) {
            return up_to(population(opp & ~reach(g.room & ~opp, radial)), 3);
        });
    case Feature::own_stuck:
        return each(stride, contexts, [radial](const Segment& g, std::uint32_t opp) {
            return up_to(population(g.own & ~reach(g.room & ~opp, radial)), 3);
        });
    }
}

void FeatureScan::before(std::vector<std::uint64_t>& to) const {
    to.resize(n_);
    for (const Segment& g : segments_)
        for (std::uint32_t i = g.first; i < g.end; ++i) {
            const std::uint64_t one = i > g.first ? i - 1 : n_, two = i > g.first + 1 ? i - 2 : n_;
            to[i] = one | two << 16;
        }
}

void FeatureScan::moves(std::size_t wanted, std::vector<std::uint64_t>& to) const {
    to.resize(n_);
    for (const Segment& g : segments_) {
        RowPart part{packed_.data(), g.first, g.end, g.rank, {}};
        std::array<std::uint32_t, 24> place{}; // of a point in ring order, counted from 1
        std::uint32_t places = 0;
        for (std::uint32_t p = 0; p < 24; ++p) {
            const std::uint32_t at = kRingBit[p];
            if (!(g.room >> at & 1)) continue;
            for (std::uint32_t rest = reach(std::uint32_t{1} << at, radial_) & g.room; rest;
                 rest &= rest - 1) {
                const auto beside = static_cast<std::uint32_t>(std::countr_zero(rest));
                if (place[beside]) part.down[places] |= std::uint32_t{1} << (place[beside] - 1);
            }
            place[at] = ++places;
        }
        find_move_links(wide_, opp_size_, part, wanted, static_cast<std::uint16_t>(n_), to.data());
    }
}

int FeatureScan::level_by_hand(Feature f, const FeatureRules& rules, Stones own, Stones opp) {
    const Geometry& g = geometry(rules.diagonal ? Board::diagonal : Board::plain);
    const Stones free_set = kAllPoints & ~(own | opp);
    struct Facts {
        int mobility = 0, stuck = 0, mills = 0;
        Stones pairs = 0, close = 0, reach = 0;
    };
    const auto facts = [&](Stones set, const FeatureRules::Side& side) {
        Facts out;
        for (int l = 0; l < g.line_count; ++l) {
            const Stones line = g.lines[static_cast<std::size_t>(l)], gap = free_set & line;
            out.mills += (set & line) == line;
            if (count(set & line) != 2 || !gap) continue;
            out.pairs |= gap;
            const Stones beside =
                side.flies ? kAllPoints : g.neighbours[static_cast<std::size_t>(std::countr_zero(gap))];
            if (side.places || (side.moves && (set & ~line & beside))) out.close |= gap;
        }
        for (Stones s = set; s; s &= s - 1) {
            const Stones beside = g.neighbours[static_cast<std::size_t>(std::countr_zero(s))];
            out.reach |= beside;
            out.mobility += count(beside & free_set);
            out.stuck += (beside & free_set) == 0;
        }
        return out;
    };
    const Facts a = facts(own, rules.own), b = facts(opp, rules.opp);
    switch (f) {
    case Feature::own_close: return std::min(count(a.close), 3);
    case Feature::opp_close: return std::min(count(b.close), 3);
    case Feature::own_mobility:
        return static_cast<int>(mobility_level(static_cast<std::uint32_t>(a.mobility)));
    case Feature::opp_mobility:
        return static_cast<int>(mobility_level(static_cast<std::uint32_t>(b.mobility)));
    case Feature::own_mills: return std::min(a.mills, 3);
    case Feature::opp_mills: return std::min(b.mills, 3);
    case Feature::own_pairs: return std::min(count(a.pairs), 3);
    case Feature::opp_pairs: return std::min(count(b.pairs), 3);
    case Feature::opp_unstoppable: return std::min(count(b.close & ~a.reach), 2);
    case Feature::own_unstoppable: return std::min(count(a.close & ~b.reach), 2);
    case Feature::opp_stuck: return std::min(b.stuck, 3);
    case Feature::own_stuck: return std::min(a.stuck, 3);
    }
    return 0;
}

} // namespace mill

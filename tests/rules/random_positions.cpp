#include "tests/rules/random_positions.h"

#include "rules/error.h"

#include <algorithm>

namespace mill::testing {
namespace {

int between(Random& random, int low, int high) {
    return low + static_cast<int>(random() % static_cast<std::uint64_t>(high - low + 1));
}

int random_point(Random& random, Stones among) {
    int skip = between(random, 0, count(among) - 1);
    for (; skip > 0; --skip) among &= among - 1;
    return std::countr_zero(among);
}

Stones random_stones(Random& random, int n, Stones among) {
    Stones set = 0;
    for (; n > 0; --n) set |= bit(random_point(random, among & ~set));
    return set;
}

/// Whole lines, so that mills and transfers are common.
Stones with_lines(const Geometry& g, Random& random, int n, Stones among) {
    Stones set = 0;
    for (int tries = 0; tries < 4 && count(set) + 3 <= n; ++tries) {
        const Stones line = g.lines[static_cast<std::size_t>(between(random, 0, g.line_count - 1))];
        if ((line & ~among) == 0 && count(set | line) <= n) set |= line;
    }
    return set | random_stones(random, n - count(set), among & ~set);
}

Position draw(const Ruleset& rules, Random& random) {
    const Geometry& g = rules.geo();
    Position p;
    p.side = random() & 1 ? Color::white : Color::black;
    const std::size_t us = static_cast<std::size_t>(p.us()), them = 1 - us;

    const bool reserves = random() % 2 == 0;
    if (reserves && rules.movement == Movement::anytime) {
        p.reserve = {static_cast<std::uint8_t>(between(random, 0, rules.pieces)),
                     static_cast<std::uint8_t>(between(random, 0, rules.pieces))};
    } else if (reserves) {
        p.reserve[us] = static_cast<std::uint8_t>(between(random, 0, rules.pieces));
        p.reserve[them] = p.reserve[us];
        if (p.reserve[us] > 0 && random() % 2 == 0) --p.reserve[them];
    }
    Stones free = kAllPoints;
    for (const std::size_t side : {us, them}) {
        const int most = std::min(rules.pieces - p.reserve[side], count(free));
        const int n = random() % 4 == 0 ? std::min(most, 3) : between(random, 0, most);
        p.stones[side] = random() % 2 == 0 ? with_lines(g, random, n, free) : random_stones(random, n, free);
        free &= ~p.stones[side];
    }
    if (rules.mill_return != MillReturn::free)
        for (std::size_t side = 0; side < 2; ++side)
            if (free && p.stones[side] && random() % 2 == 0)
                p.restriction[side] = {static_cast<std::int8_t>(random_point(random, free)),
                                       static_cast<std::int8_t>(random_point(random, p.stones[side]))};
    if (const int limit = draw_limit(rules, p); limit > 0 && random() % 2 == 0)
        p.counter = static_cast<std::uint8_t>(between(random, 0, limit - 1));
    return p;
}

} // namespace

Position random_position(const Ruleset& rules, Random& random) {
    while (true) {
        Position p = draw(rules, random);
        try {
            validate(rules, p);
        } catch (const Error&) { // a counter where there can be none, or two losers: draw again
            continue;
        }
        return drop_dead_restrictions(rules, p);
    }
}

Turn random_turn(const TurnList& turns, Random& random) {
    return turns[between(random, 0, turns.size() - 1)];
}

} // namespace mill::testing

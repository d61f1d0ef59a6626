// Turn generation. One walk over all arrivals serves listing, counting and the test for being blocked.
#include "rules/moves.h"
#include "rules/position.h"

namespace mill {
namespace {

/// Calls visit(from, to, closes) for every legal placement (from = -1) and movement, restrictions
/// obeyed; visit returns false to stop. Too few stones are the caller's business.
template <typename Visit> void for_each_arrival(const Ruleset& rules, const Position& p, Visit visit) {
    const Geometry& g = rules.geo();
    const int us = p.us(), them = p.them();
    const Stones own = p.stones[us];
    const Stones empty = kAllPoints & ~p.occupied();
    const bool restricted = p.restriction[us].active();
    const auto allowed = [&](int from, int to) {
        return !restricted ||
               !forbidden(rules, p, Turn{static_cast<std::int8_t>(from), static_cast<std::int8_t>(to), -1});
    };

    if (p.reserve[us] > 0)
        for (Stones rest = empty; rest; rest &= rest - 1) {
            const int to = std::countr_zero(rest);
            if (allowed(-1, to) && !visit(-1, to, in_mill(g, own, to))) return;
        }
    if (!rules.may_move(p.reserve[us], p.reserve[them])) return;
    const bool flies = rules.flies(count(own), p.reserve[us]);
    for (Stones movers = own; movers; movers &= movers - 1) {
        const int from = std::countr_zero(movers);
        // The stone is lifted first, so a slide along a line does not complete that line.
        const Stones others = own & ~bit(from);
        for (Stones rest = flies ? empty : empty & g.neighbours[from]; rest; rest &= rest - 1) {
            const int to = std::countr_zero(rest);
            if (allowed(from, to) && !visit(from, to, in_mill(g, others, to))) return;
        }
    }
}

bool somebody_has_too_few(const Ruleset& rules, const Position& p) {
    return side_has_too_few(rules, p, 0) || side_has_too_few(rules, p, 1);
}

} // namespace

bool side_has_too_few(const Ruleset& rules, const Position& p, int side) {
    return rules.has_too_few(count(p.stones[side]), p.reserve[side], p.reserve[1 - side]);
}

bool has_arrival(const Ruleset& rules, const Position& p) {
    bool found = false;
    for_each_arrival(rules, p, [&](int, int, bool) {
        found = true;
        return false;
    });
    return found;
}

void generate_turns(const Ruleset& rules, const Position& p, TurnList& out) {
    out.clear();
    if (somebody_has_too_few(rules, p)) return;
    // What may be captured does not depend on our turn: it only depends on the opponent's stones.
    const Stones targets = capturable(rules.geo(), p.stones[p.them()]);
    for_each_arrival(rules, p, [&](int from, int to, bool closes) {
        const auto f = static_cast<std::int8_t>(from), t = static_cast<std::int8_t>(to);
        if (closes && targets)
            for (Stones rest = targets; rest; rest &= rest - 1)
                out.push({f, t, static_cast<std::int8_t>(std::countr_zero(rest))});
        else out.push({f, t, -1}); // no mill, or one that goes unpaid
        return true;
    });
}

int count_turns(const Ruleset& rules, const Position& p) {
    if (somebody_has_too_few(rules, p)) return 0;
    const int targets = count(capturable(rules.geo(), p.stones[p.them()]));
    const int per_mill = targets > 0 ? targets : 1;
    int total = 0;
    for_each_arrival(rules, p, [&](int, int, bool closes) {
        total += closes ? per_mill : 1;
        return true;
    });
    return total;
}

} // namespace mill

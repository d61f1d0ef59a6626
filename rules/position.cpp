// Playing a turn, its effect on counter and restrictions, and how a position ends.
#include "rules/position.h"
#include "rules/moves.h"

namespace mill {
namespace {

bool in_endgame(const Ruleset& rules, const Position& p) {
    return rules.endgame_limit > 0 && // else nobody needs to count
           rules.in_endgame(count(p.stones[0]), count(p.stones[1]), p.reserve[0], p.reserve[1]);
}

/// The turn on the board alone: stones, reserves and side.
Position with_stones_moved(const Position& p, Turn t) {
    Position next = p;
    const int us = p.us(), them = p.them();
    if (t.placement()) --next.reserve[us];
    else next.stones[us] &= ~bit(t.from);
    next.stones[us] |= bit(t.to);
    if (t.capture >= 0) next.stones[them] &= ~bit(t.capture);
    next.side = other(p.side);
    return next;
}

CounterEffect effect_between(const Ruleset& rules, const Position& p, Turn t, const Position& next) {
    if (t.capture >= 0) return CounterEffect::reset;
    if (t.placement() && rules.quiet_reset == QuietReset::placement_and_capture) return CounterEffect::reset;
    if (!in_endgame(rules, p) && in_endgame(rules, next)) return CounterEffect::reset;
    if (t.placement() && !rules.placement_counts) return CounterEffect::keep;
    return CounterEffect::advance;
}

/// A movement out of one complete mill into another. Both are judged with the stone itself in place.
bool is_transfer(const Geometry& g, Stones own, Turn t) {
    if (t.placement()) return false;
    const Stones others = own & ~bit(t.from);
    return in_mill(g, others, t.from) && in_mill(g, others, t.to);
}

/// Under no_reform: whether arriving at r.from, the stones `others` being the rest, restores a line that
/// was complete before the transfer. A line through `to` was not: `to` was empty then.
bool restores_line(const Geometry& g, Stones others, Restriction r) {
    for (int i = 0; i < g.lines_at[r.from]; ++i) {
        const Stones partners = g.partners[r.from][i];
        if ((others & partners) == partners && !(partners & bit(r.to))) return true;
    }
    return false;
}

/// Whether the restriction of `side`, were it that side's turn now, forbids any turn.
bool forbids_something(const Ruleset& rules, const Position& p, int side) {
    const Geometry& g = rules.geo();
    const Restriction r = p.restriction[side];
    const Stones own = p.stones[side];
    if (p.occupied() & bit(r.from)) return false;
    if (!rules.may_move(p.reserve[side], p.reserve[1 - side])) return false;
    const auto reaches = [&](int from) {
        return rules.flies(count(own), p.reserve[side]) || (g.neighbours[from] & bit(r.from));
    };
    if (rules.mill_return == MillReturn::no_reverse)
        return (own & bit(r.to)) && reaches(r.to) && in_mill(g, own & ~bit(r.to), r.from);
    if (p.reserve[side] > 0 && restores_line(g, own, r)) return true;
    for (Stones rest = own; rest; rest &= rest - 1) {
        const int from = std::countr_zero(rest);
        if (reaches(from) && restores_line(g, own & ~bit(from), r)) return true;
    }
    return false;
}

/// Whether the restriction of the side that has just moved can still come to bind after the reply. The
/// reply can take stones away and so let its owner fly, but it cannot complete the owner's lines.
bool may_bind_later(const Ruleset& rules, const Position& p, int side) {
    const Geometry& g = rules.geo();
    const Restriction r = p.restriction[side];
    const Stones own = p.stones[side];
    // Right after a transfer the stone stands on `to`, and `from` is empty.
    if (!(own & bit(r.to)) || (p.occupied() & bit(r.from))) return false;
    if (!rules.may_move(p.reserve[side], p.reserve[1 - side])) return false;
    if (rules.mill_return == MillReturn::no_reform) return restores_line(g, own, r);
    const int stones = count(own), reserve = p.reserve[side];
    const bool reachable = (g.neighbours[r.to] & bit(r.from)) || rules.flies(stones, reserve) ||
                           rules.flies(stones - 1, reserve);
    return reachable && in_mill(g, own & ~bit(r.to), r.from);
}

} // namespace

Position initial_position(const Ruleset& rules) {
    Position p;
    p.reserve = {static_cast<std::uint8_t>(rules.pieces), static_cast<std::uint8_t>(rules.pieces)};
    p.side = rules.first;
    return p;
}

bool forbidden(const Ruleset& rules, const Position& p, Turn t) {
    const Restriction r = p.restriction[p.us()];
    if (!r.active() || t.to != r.from) return false;
    const Stones own = p.stones[p.us()];
    if (rules.mill_return == MillReturn::no_reverse)
        return t.from == r.to && in_mill(rules.geo(), own & ~bit(t.from), t.to);
    if (rules.mill_return == MillReturn::no_reform)
        return restores_line(rules.geo(), t.placement() ? own : own & ~bit(t.from), r);
    return false;
}

Position drop_dead_restrictions(const Ruleset& rules, const Position& p) {
    Position q = p;
    for (int side = 0; side < 2; ++side) {
        if (!q.restriction[side].active()) continue;
        const bool live =
            rules.mill_return != MillReturn::free &&
            (side == p.us() ? forbids_something(rules, p, side) : may_bind_later(rules, p, side));
        if (!live) q.restriction[side] = {};
    }
    return q;
}

int draw_limit(const Ruleset& rules, const Position& p) {
    return in_endgame(rules, p) ? rules.endgame_limit : rules.quiet_limit;
}

CounterEffect counter_effect(const Ruleset& rules, const Position& p, Turn t) {
    return effect_between(rules, p, t, with_stones_moved(p, t));
}

Position apply_turn(const Ruleset& rules, const Position& p, Turn t) {
    Position next = with_stones_moved(p, t);

    switch (effect_between(rules, p, t, next)) {
    case CounterEffect::reset: next.counter = 0; break;
    case CounterEffect::keep: break;
    case CounterEffect::advance: ++next.counter; break;
    }
    // Also keeps the addition above from overflowing: limits end at 250.
    const int limit = draw_limit(rules, next);
    if (next.counter > limit) next.counter = static_cast<std::uint8_t>(limit);

    if (rules.mill_return == MillReturn::free) {
        next.restriction = {};
        return next;
    }
    // Our own restriction lapses with this turn; the turn may bring the next one.
    next.restriction[p.us()] = {};
    if (is_transfer(rules.geo(), p.stones[p.us()], t)) next.restriction[p.us()] = {t.from, t.to};
    return next.restriction[0].active() || next.restriction[1].active() ? drop_dead_restrictions(rules, next)
                                                                        : next;
}

Ending judge(const Ruleset& rules, const Position& p) {
    const int us = p.us(), them = p.them();
    if (side_has_too_few(rules, p, us)) return {Reason::too_few_stones, Outcome::loss};
    if (p.occupied() == kAllPoints)
        return {Reason::full_board, rules.full_board == FullBoard::draw ? Outcome::draw : Outcome::loss};
    if (!has_arrival(rules, p)) return {Reason::blocked, Outcome::loss};
    if (side_has_too_few(rules, p, them)) return {Reason::too_few_stones, Outcome::win};
    return {};
}

} // namespace mill

// Values of positions that are not stored: under a mill-return restriction, or over. Such a position
// is expanded turn by turn with the plain rules until it comes to stored ones; a restriction lives for
// its owner's next turn only, and a new one costs a capture, so that the recursion ends. Positions whose tables a
// half set leaves out (half_set.h) are expanded in the same way, by one ply.
#pragma once

#include "probe/index/subspace.h"
#include "probe/values/value.h"

#include <algorithm>
#include <concepts>

namespace mill {

/// Outcome at the full budget, and the smallest budget at which it holds (DESIGN section 3).
struct Depth {
    Outcome outcome = Outcome::draw;
    int dtz = 0; ///< 0 for draws
    friend constexpr bool operator==(const Depth&, const Depth&) = default;
};

/// Stored values: positions without restrictions that are not over, from the side to move.
template <class T>
concept StoredValues = requires(const T& t, Subspace s, Stones own, Stones opp, int budget) {
    { t.value(s, own, opp, budget) } -> std::convertible_to<Value>; ///< budget 0: no limit
    { t.depth(s, own, opp) } -> std::convertible_to<Depth>;
};

namespace detail {

inline bool restricted(const Position& p) { return p.restriction[0].active() || p.restriction[1].active(); }

/// Budget of the child of a turn played at budget r (0 = no limit), or -1: the turn spends the last ply.
inline int child_budget(const Ruleset& rules, const Position& p, Turn t, const Position& child, int r) {
    switch (counter_effect(rules, p, t)) {
    case CounterEffect::reset: return draw_limit(rules, child);
    case CounterEffect::keep: return r;
    case CounterEffect::advance: break;
    }
    return r == 0 ? 0 : r == 1 ? -1 : r - 1;
}

} // namespace detail

template <StoredValues Stored>
Value evaluate(const Ruleset& rules, const Position& p, int budget, const Stored& stored);

/// Value of a legal turn for the side that plays it, at budget r of the position before it.
template <StoredValues Stored>
Value evaluate_turn(const Ruleset& rules, const Position& p, Turn t, int budget, const Stored& stored) {
    const Position child = apply_turn(rules, p, t);
    const Ending end = judge(rules, child);
    if (end.reason != Reason::none) return after_turn({end.outcome, 0});
    const int r = detail::child_budget(rules, p, t, child, budget);
    return r < 0 ? Value{} : after_turn(evaluate(rules, child, r, stored));
}

/// Value of a legal position out of its turns, whether it is stored or not.
template <StoredValues Stored>
Value evaluate_by_turns(const Ruleset& rules, const Position& p, int budget, const Stored& stored) {
    const Ending end = judge(rules, p);
    if (end.reason != Reason::none) return {end.outcome, 0};
    TurnList turns;
    generate_turns(rules, p, turns);
    Value best{Outcome::loss, 0};
    bool first = true;
    for (const Turn t : turns) {
        const Value v = evaluate_turn(rules, p, t, budget, stored);
        if (first || better(v, best)) best = v;
        first = false;
        if (best == Value{Outcome::win, 1}) break;
    }
    return best;
}

/// Value of any legal position with budget r = limit - counter left; 0 = no limit. Restrictions count.
template <StoredValues Stored>
Value evaluate(const Ruleset& rules, const Position& p, int budget, const Stored& stored) {
    if (detail::restricted(p)) return evaluate_by_turns(rules, p, budget, stored);
    const Ending end = judge(rules, p);
    if (end.reason != Reason::none) return {end.outcome, 0};
    const auto us = static_cast<std::size_t>(p.us()), them = static_cast<std::size_t>(p.them());
    return stored.value(subspace_of(p), p.stones[us], p.stones[them], budget);
}

template <StoredValues Stored>
Depth evaluate_depth(const Ruleset& rules, const Position& p, const Stored& stored);

/// The same for outcome and DTZ: of a turn, for the side that plays it.
template <StoredValues Stored>
Depth evaluate_turn_depth(const Ruleset& rules, const Position& p, Turn t, const Stored& stored) {
    auto turned = [](Outcome o) {
        return o == Outcome::win ? Outcome::loss : o == Outcome::loss ? Outcome::win : Outcome::draw;
    };
    const Position child = apply_turn(rules, p, t);
    const Ending end = judge(rules, child);
    if (end.reason != Reason::none) return {turned(end.outcome), end.outcome == Outcome::draw ? 0 : 1};
    const Depth d = evaluate_depth(rules, child, stored);
    if (d.outcome == Outcome::draw) return {};
    int dtz = 1;
    switch (counter_effect(rules, p, t)) {
    case CounterEffect::reset: break;
    case CounterEffect::keep: dtz = std::max(1, d.dtz); break;
    case CounterEffect::advance: dtz = d.dtz + 1; break;
    }
    const int limit = draw_limit(rules, p);
    if (limit && dtz > limit) return {}; // the draw comes first
    return {turned(d.outcome), dtz};
}

/// Outcome and DTZ of a legal position out of its turns, whether they are stored or not.
template <StoredValues Stored>
Depth evaluate_depth_by_turns(const Ruleset& rules, const Position& p, const Stored& stored) {
    const Ending end = judge(rules, p);
    if (end.reason != Reason::none) return {end.outcome, 0};
    TurnList turns;
    generate_turns(rules, p, turns);
    Depth win{Outcome::win, 1 << 20}, loss{Outcome::loss, 0};
    bool draws = false;
    for (const Turn t : turns) {
        const Depth d = evaluate_turn_depth(rules, p, t, stored);
        if (d.outcome == Outcome::win) win.dtz = std::min(win.dtz, d.dtz);
        else if (d.outcome == Outcome::draw) draws = true;
        else loss.dtz = std::max(loss.dtz, d.dtz);
    }
    if (win.dtz < 1 << 20) return win;
    return draws ? Depth{} : loss;
}

template <StoredValues Stored>
Depth evaluate_depth(const Ruleset& rules, const Position& p, const Stored& stored) {
    if (detail::restricted(p)) return evaluate_depth_by_turns(rules, p, stored);
    const Ending end = judge(rules, p);
    if (end.reason != Reason::none) return {end.outcome, 0};
    const auto us = static_cast<std::size_t>(p.us()), them = static_cast<std::size_t>(p.them());
    return stored.depth(subspace_of(p), p.stones[us], p.stones[them]);
}

} // namespace mill

#include "tests/brute/restricted_search.h"

#include <algorithm>

namespace mill::brute {
namespace {

bool is_restricted(const Position& p) { return p.restriction[0].active() || p.restriction[1].active(); }

Score turn_score(const Ruleset& rules, const Position& p, Turn t, int budget, const StoredScore& stored) {
    const Position child = apply_turn(rules, p, t);
    const Ending ending = judge(rules, child);
    if (ending.reason != Reason::none) return after_turn(score_of(ending.outcome, 0));
    int left = 0; // a reset gives the child its full budget
    switch (counter_effect(rules, p, t)) {
    case CounterEffect::reset: break;
    case CounterEffect::keep: left = budget; break;
    case CounterEffect::advance:
        if (budget == 1) return kDraw;
        left = budget == 0 ? 0 : budget - 1;
        break;
    }
    return after_turn(restricted_score(rules, child, left, stored));
}

} // namespace

Score restricted_score(const Ruleset& rules, const Position& p, int budget, const StoredScore& stored) {
    if (budget == 0) budget = draw_limit(rules, p);
    const Ending ending = judge(rules, p);
    if (ending.reason != Reason::none) return score_of(ending.outcome, 0);
    if (!is_restricted(p)) return stored(p, budget);
    TurnList turns;
    generate_turns(rules, p, turns);
    Score best = lost_in(0);
    for (const Turn t : turns) best = std::max(best, turn_score(rules, p, t, budget, stored));
    return best;
}

} // namespace mill::brute

// Values of the brute force: one number per position and budget, seen from the side to move. Written anew here, so
// that a slip in the solver's own arithmetic cannot hide in both.
#pragma once

#include "rules/position.h"

namespace mill::brute {

/// Larger is better: lost in 0, lost in 1, ... draw ... won in 2, won in 1.
using Score = int;

inline constexpr Score kDraw = 0;
inline constexpr Score kDecided = 30000; ///< beyond any distance

constexpr Score won_in(int plies) { return kDecided - plies; }
constexpr Score lost_in(int plies) { return plies - kDecided; }

constexpr Score score_of(Outcome outcome, int plies) {
    if (outcome == Outcome::draw) return kDraw;
    return outcome == Outcome::win ? won_in(plies) : lost_in(plies);
}

constexpr Outcome outcome_of(Score s) {
    return s == kDraw ? Outcome::draw : s > 0 ? Outcome::win : Outcome::loss;
}

/// Plies to the end; 0 for draws.
constexpr int plies_of(Score s) { return s == kDraw ? 0 : s > 0 ? kDecided - s : s + kDecided; }

/// Score of a turn that leads to a position with this score: the other side's, one ply further away.
constexpr Score after_turn(Score child) {
    if (child == kDraw) return kDraw;
    return child > 0 ? lost_in(plies_of(child) + 1) : won_in(plies_of(child) + 1);
}

} // namespace mill::brute

// Values of positions under mill-return restrictions, by a plain search through the rules: such positions are not
// stored, and a restriction lives for two plies only.
#pragma once

#include "tests/brute/score.h"

#include <functional>

namespace mill::brute {

/// Score of a position without restrictions whose game goes on, at a budget (0 = its full budget).
using StoredScore = std::function<Score(const Position&, int budget)>;

/// Score, for the side to move, of a position at a budget of quiet plies (0 = its full budget). The turns are
/// searched for as long as a restriction is live; every other position is asked of `stored`.
Score restricted_score(const Ruleset& rules, const Position& p, int budget, const StoredScore& stored);

} // namespace mill::brute

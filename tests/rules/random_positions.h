// Random legal positions, reachable and set up, with and without restrictions.
#pragma once

#include "rules/position.h"

#include <random>

namespace mill::testing {

using Random = std::mt19937_64;

/// A position that validate() accepts; dead restrictions dropped. Every number of stones and reserves
/// that the ruleset knows comes up, also finished games.
Position random_position(const Ruleset& rules, Random& random);

/// One of the turns, for random games.
Turn random_turn(const TurnList& turns, Random& random);

} // namespace mill::testing

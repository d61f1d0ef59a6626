// A second, deliberately naive reading of the rules: points are coordinates, stones are characters on
// a grid, and every rule is spelled out. It shares only the plain structs with rules/.
#pragma once

#include "rules/position.h"

#include <vector>

namespace naive {

/// All legal turns, in no particular order.
std::vector<mill::Turn> turns(const mill::Ruleset& rules, const mill::Position& p);

/// The position after a legal turn, dead restrictions dropped.
mill::Position play(const mill::Ruleset& rules, const mill::Position& p, mill::Turn t);

} // namespace naive

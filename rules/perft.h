// Counting turns to a depth: the classic test of a turn generator.
#pragma once

#include "rules/position.h"

#include <cstdint>

namespace mill {

/// Number of turn sequences of exactly `depth` plies. A turn with its capture counts once; a position
/// that is lost, blocked or full has no turns; draw limits and repetition are not applied. Depth 0 is 1.
std::uint64_t perft(const Ruleset& rules, const Position& p, int depth);

} // namespace mill

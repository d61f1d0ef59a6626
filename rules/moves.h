// Shared between the files of this room.
#pragma once

#include "rules/position.h"

namespace mill {

/// Whether this side (0 White, 1 Black) has lost for want of stones.
bool side_has_too_few(const Ruleset& rules, const Position& p, int side);

/// Whether the side to move has a placement or movement, whatever the stones of either side.
bool has_arrival(const Ruleset& rules, const Position& p);

} // namespace mill

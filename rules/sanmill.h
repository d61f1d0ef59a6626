// Reading the FEN of Sanmill.
#pragma once

#include "rules/position.h"

#include <string_view>
#include <vector>

namespace mill {

/// Whether the first field of a position is a board in Sanmill's notation rather than ours.
bool is_sanmill_board(std::string_view field);

/// The position of a Sanmill FEN, not yet validated. Throws Error(bad_position), also for a position in
/// the middle of a turn (a removal pending).
Position parse_sanmill(const Ruleset& rules, const std::vector<std::string_view>& fields);

} // namespace mill

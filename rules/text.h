// Text of positions and turns, both ways (DESIGN section 2).
#pragma once

#include "rules/position.h"

#include <string>
#include <string_view>

namespace mill {

/// Reads a position: our own text, or Sanmill's 17-field FEN (recognised by its board field). The last
/// two fields of ours may be omitted. Validated and dead restrictions dropped; a counter without a
/// limit is read as 0. Throws Error(bad_position) or Error(illegal_position) naming the field.
Position parse_position(const Ruleset& rules, std::string_view text);

/// Our own text, all five fields.
std::string to_text(const Position& p);

/// Reads "d6", "a4-b4", "d6xg7", "a4-b4xg7". Throws Error(bad_turn). Legality is not judged.
Turn parse_turn(std::string_view text);

std::string to_text(Turn t);

/// "too few stones", "blocked", "full board", "quiet limit", "endgame limit", "repetition"; "" for none.
std::string_view to_text(Reason reason);
/// "win", "draw", "loss".
std::string_view to_text(Outcome outcome);

/// Sixteen hex digits: fingerprints and checksums.
std::string hex(std::uint64_t v);

/// The board drawn with lines and point names, for people; several lines.
std::string draw_board(const Ruleset& rules, const Position& p);

} // namespace mill

// Words and drawings for people, and the pieces of JSON that several subcommands print.
#pragma once

#include "probe/cli/common.h"
#include "rules/game.h"

#include <string>

namespace mill::cli {

/// The board with a line below it: text of the position, side to move, what has been placed.
std::string picture(const Ruleset& rules, const Position& p);

/// "White wins: too few stones", "draw: repetition", "open".
std::string verdict(Result result, Reason reason);

/// The winner of a position that has ended.
Result result_of(const Position& p, const Ending& ending);

/// The reason as a JSON string, or null if there is none.
Json reason_json(Reason reason);

/// The legal turns as text, sorted.
std::vector<std::string> sorted_turns(const Ruleset& rules, const Position& p);

} // namespace mill::cli

// Pieces of position reading that both formats use.
#pragma once

#include "rules/position.h"

#include <string>
#include <string_view>
#include <vector>

namespace mill {

/// The text cut at white space.
std::vector<std::string_view> split_fields(std::string_view text);

/// Throws Error(bad_position) naming the field, what was found and what was expected.
[[noreturn]] void refuse_field(std::string_view field, std::string_view found, const std::string& expected);

/// Reads the counter, stones and reserves being known already: without a limit it becomes 0.
void set_counter(const Ruleset& rules, Position& p, std::string_view text);

} // namespace mill

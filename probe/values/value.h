// Values: what the tables store and how they combine (DESIGN section 3).
#pragma once

#include "rules/position.h"

#include <cstdint>

namespace mill {

/// Value of a position at one budget, for the side to move.
struct Value {
    Outcome outcome = Outcome::draw;
    std::uint16_t dte = 0; ///< plies to the end of the game; 0 for draws
    friend constexpr bool operator==(const Value&, const Value&) = default;
};

/// Value of a turn, given the value of the position that it leads to.
constexpr Value after_turn(Value child) {
    if (child.outcome == Outcome::draw) return {};
    return {child.outcome == Outcome::win ? Outcome::loss : Outcome::win,
            static_cast<std::uint16_t>(child.dte + 1)};
}

/// Whether `a` is better than `b` for the side they are values of: wins (short first), draws, losses
/// (long first).
constexpr bool better(Value a, Value b) {
    auto score = [](Value v) {
        if (v.outcome == Outcome::win) return 0x20000 - v.dte;
        if (v.outcome == Outcome::loss) return -0x20000 + v.dte;
        return 0;
    };
    return score(a) > score(b);
}

} // namespace mill

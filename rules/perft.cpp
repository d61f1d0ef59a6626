#include "rules/perft.h"

namespace mill {

std::uint64_t perft(const Ruleset& rules, const Position& p, int depth) {
    if (depth <= 0) return 1;
    if (depth == 1) return static_cast<std::uint64_t>(count_turns(rules, p));
    TurnList turns;
    generate_turns(rules, p, turns);
    std::uint64_t total = 0;
    for (const Turn t : turns) total += perft(rules, apply_turn(rules, p, t), depth - 1);
    return total;
}

} // namespace mill

// Which positions can exist under a ruleset. Finished games can; see rules/README.md.
#include "rules/error.h"
#include "rules/moves.h"
#include "rules/position.h"

#include <string>

namespace mill {
namespace {

constexpr const char* kColorNames[2] = {"White", "Black"};

[[noreturn]] void refuse(const std::string& what) { throw Error(ErrorCode::illegal_position, what); }

void check_stones(const Ruleset& rules, const Position& p) {
    if ((p.stones[0] | p.stones[1]) & ~kAllPoints) refuse("board: stones outside the 24 points");
    if (const Stones both = p.stones[0] & p.stones[1]; both != 0)
        refuse("board: both sides have a stone on " + std::string(kPointNames[std::countr_zero(both)]));
    for (int side = 0; side < 2; ++side) {
        const int board = count(p.stones[side]), reserve = p.reserve[side];
        const std::string who = kColorNames[side], limit = std::to_string(rules.pieces);
        if (board > rules.pieces)
            refuse("board: " + who + " has " + std::to_string(board) + " stones; expected at most " + limit);
        if (board + reserve > rules.pieces)
            refuse("reserves: " + who + " has " + std::to_string(board) + " stones on the board and " +
                   std::to_string(reserve) + " in reserve; expected at most " + limit + " in total");
    }
}

void check_reserves(const Ruleset& rules, const Position& p) {
    if (rules.movement == Movement::anytime) return;
    // Both sides place in turn and do nothing else: the mover has as many left as the other, or one more.
    const int mine = p.reserve[p.us()], theirs = p.reserve[p.them()];
    if (mine != theirs && mine != theirs + 1)
        refuse("reserves: " + std::to_string(p.reserve[0]) + "," + std::to_string(p.reserve[1]) + " with " +
               kColorNames[p.us()] + " to move cannot occur; expected " + kColorNames[p.us()] +
               " to have as many as " + kColorNames[p.them()] + ", or one more");
}

void check_restrictions(const Ruleset& rules, const Position& p) {
    for (int side = 0; side < 2; ++side) {
        const Restriction r = p.restriction[side];
        if (r == Restriction{}) continue;
        if (rules.mill_return == MillReturn::free)
            refuse(std::string("restrictions: ") + kColorNames[side] +
                   " has one; expected none under mill_return = free");
        if (r.from < 0 || r.from >= kPoints || r.to < 0 || r.to >= kPoints)
            refuse("restrictions: expected two points of the board");
        if (r.from == r.to)
            refuse("restrictions: from " + std::string(kPointNames[static_cast<std::size_t>(r.from)]) +
                   " to itself; expected two different points");
    }
}

void check_counter(const Ruleset& rules, const Position& p) {
    const int limit = draw_limit(rules, p);
    if (limit == 0 || p.counter == 0) return;
    if (p.counter >= limit)
        refuse("counter: " + std::to_string(p.counter) +
               " is no open game; expected less than the limit of " + std::to_string(limit));
    const int us = p.us(), them = p.them();
    const bool only_placements =
        p.reserve[us] > 0 && (p.stones[us] == 0 || !rules.may_move(p.reserve[us], p.reserve[them]));
    if (only_placements && rules.quiet_reset == QuietReset::placement_and_capture)
        refuse("counter: " + std::to_string(p.counter) +
               " cannot be, as every turn here resets it; expected 0");
}

} // namespace

void validate(const Ruleset& rules, const Position& p) {
    check_stones(rules, p);
    check_reserves(rules, p);
    check_restrictions(rules, p);
    if (side_has_too_few(rules, p, 0) && side_has_too_few(rules, p, 1))
        refuse("board: both sides have too few stones; expected at most one to have lost");
    check_counter(rules, p);
}

} // namespace mill

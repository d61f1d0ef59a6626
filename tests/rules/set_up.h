// Short ways to write positions and turns in tests.
#pragma once

#include "rules/error.h"
#include "rules/game.h"
#include "rules/text.h"

#include <algorithm>
#include <initializer_list>
#include <set>
#include <string>
#include <string_view>

namespace mill::testing {

inline Stones stones(std::string_view names) { // "a7 d7 g7"
    Stones set = 0;
    for (std::size_t i = 0; i < names.size(); i += 3) set |= bit(point_of(names.substr(i, 2)));
    return set;
}

inline Restriction transfer(std::string_view from, std::string_view to) {
    return {static_cast<std::int8_t>(point_of(from)), static_cast<std::int8_t>(point_of(to))};
}

/// A position without restrictions, counter 0. Not validated, so that tests can set up bad ones.
inline Position set_up(Color side, std::string_view white, std::string_view black, int white_reserve = 0,
                       int black_reserve = 0) {
    Position p;
    p.side = side;
    p.stones = {stones(white), stones(black)};
    p.reserve = {static_cast<std::uint8_t>(white_reserve), static_cast<std::uint8_t>(black_reserve)};
    return p;
}

/// Texts of all legal turns, or of those that begin with `prefix`.
inline std::set<std::string> legal(const Ruleset& rules, const Position& p, std::string_view prefix = "") {
    validate(rules, p);
    TurnList turns;
    generate_turns(rules, p, turns);
    std::set<std::string> texts;
    for (const Turn t : turns)
        if (std::string text = to_text(t); text.starts_with(prefix)) texts.insert(std::move(text));
    return texts;
}

inline bool is_legal(const Ruleset& rules, const Position& p, const std::string& turn) {
    return legal(rules, p).contains(turn);
}

/// The position after a turn, which must be legal.
inline Position after(const Ruleset& rules, const Position& p, const std::string& turn) {
    Game game(rules, p);
    game.play(parse_turn(turn));
    return game.position();
}

inline void play(Game& game, std::initializer_list<const char*> turns) {
    for (const char* turn : turns) game.play(parse_turn(turn));
}

} // namespace mill::testing

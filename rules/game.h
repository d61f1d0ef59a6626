// The referee: a whole game with history.
#pragma once

#include "rules/position.h"

#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace mill {

enum class Result : std::uint8_t { open, white, black, draw };

/// "open", "white", "black", "draw".
std::string_view to_text(Result result);

/// Plays turns under a ruleset and judges after each whole turn: wins first, then limits, then
/// repetition (occupied points, side to move, reserves, live restrictions; the start counts).
class Game {
public:
    /// Starts from the initial position.
    explicit Game(const Ruleset& rules);
    /// Starts from a set-up; it is validated (Error(illegal_position)) and may already be over.
    Game(const Ruleset& rules, const Position& start);

    /// Plays one turn. Throws Error(illegal_turn) saying why (forbidden by mill return, must capture,
    /// protected stone, game over ...); the game is unchanged then.
    void play(Turn t);

    const Position& position() const { return position_; }
    Result result() const { return result_; }
    Reason reason() const { return reason_; }
    int plies() const { return plies_; }

private:
    using Key = std::tuple<Stones, Stones, int, int, int, int, int, int, int>;
    void judge_now();
    Key key() const;

    Ruleset rules_;
    Position position_;
    std::map<Key, int> seen_;
    Result result_ = Result::open;
    Reason reason_ = Reason::none;
    int plies_ = 0;
};

} // namespace mill

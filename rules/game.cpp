// The referee.
#include "rules/game.h"

#include "rules/error.h"
#include "rules/text.h"

#include <algorithm>

namespace mill {
namespace {

[[noreturn]] void refuse(Turn t, const std::string& why) {
    throw Error(ErrorCode::illegal_turn, to_text(t) + ": " + why);
}

std::string name(int point) { return std::string(kPointNames[static_cast<std::size_t>(point)]); }

/// Finds the first rule that an illegal turn breaks.
[[noreturn]] void explain(const Ruleset& rules, const Position& p, Turn t) {
    const auto inside = [](int point) { return point >= 0 && point < kPoints; };
    if (!inside(t.to) || t.from >= kPoints || t.capture >= kPoints)
        throw Error(ErrorCode::illegal_turn, "the turn leaves the board");
    const Geometry& g = rules.geo();
    const Stones own = p.stones[p.us()], opposing = p.stones[p.them()];
    const char* mover = p.side == Color::white ? "White" : "Black";

    if (p.occupied() & bit(t.to)) refuse(t, name(t.to) + " is occupied");
    if (t.placement()) {
        if (p.reserve[p.us()] == 0) refuse(t, std::string(mover) + " has no stone left to place");
    } else {
        if (!rules.may_move(p.reserve[p.us()], p.reserve[p.them()]))
            refuse(t, "stones do not move before all are placed");
        if (!(own & bit(t.from))) refuse(t, std::string(mover) + " has no stone on " + name(t.from));
        if (!rules.flies(count(own), p.reserve[p.us()]) && !(g.neighbours[t.from] & bit(t.to)))
            refuse(t, name(t.to) + " is not next to " + name(t.from) + ", and " + mover + " does not fly");
    }
    if (forbidden(rules, p, t)) {
        const Restriction r = p.restriction[p.us()];
        refuse(t, "forbidden by mill return after the transfer " + name(r.from) + "-" + name(r.to));
    }
    const bool closes = in_mill(g, t.placement() ? own : own & ~bit(t.from), t.to);
    if (t.capture < 0) refuse(t, "it completes a mill and must capture a stone");
    if (!closes) refuse(t, "it completes no mill and captures nothing");
    if (!(opposing & bit(t.capture))) refuse(t, "no opposing stone stands on " + name(t.capture));
    refuse(t,
           "the stone on " + name(t.capture) + " is protected by its mill while others stand outside mills");
}

} // namespace

std::string_view to_text(Result result) {
    switch (result) {
    case Result::open: return "open";
    case Result::white: return "white";
    case Result::black: return "black";
    case Result::draw: return "draw";
    }
    return "";
}

Game::Game(const Ruleset& rules) : Game(rules, initial_position(rules)) {}

Game::Game(const Ruleset& rules, const Position& start) : rules_(rules) {
    validate(rules, start);
    position_ = drop_dead_restrictions(rules, start);
    if (draw_limit(rules, position_) == 0) position_.counter = 0;
    judge_now();
}

void Game::play(Turn t) {
    if (result_ != Result::open) refuse(t, "the game is over (" + std::string(to_text(reason_)) + ")");
    TurnList turns;
    generate_turns(rules_, position_, turns);
    if (std::find(turns.begin(), turns.end(), t) == turns.end()) explain(rules_, position_, t);
    position_ = apply_turn(rules_, position_, t);
    ++plies_;
    judge_now();
}

void Game::judge_now() {
    const int occurrences = ++seen_[key()];

    // A win takes precedence over every draw.
    const Ending ending = judge(rules_, position_);
    if (ending.reason != Reason::none) {
        reason_ = ending.reason;
        const bool white_moves = position_.side == Color::white;
        if (ending.outcome == Outcome::draw) result_ = Result::draw;
        else result_ = (ending.outcome == Outcome::win) == white_moves ? Result::white : Result::black;
        return;
    }
    const int limit = draw_limit(rules_, position_);
    if (limit > 0 && position_.counter >= limit) {
        const bool endgame = rules_.in_endgame(count(position_.stones[0]), count(position_.stones[1]),
                                               position_.reserve[0], position_.reserve[1]);
        result_ = Result::draw;
        reason_ = endgame ? Reason::endgame_limit : Reason::quiet_limit;
    } else if (rules_.repetition > 0 && occurrences >= rules_.repetition) {
        result_ = Result::draw;
        reason_ = Reason::repetition;
    }
}

Game::Key Game::key() const {
    const Position& p = position_;
    return {p.stones[0],         p.stones[1],           p.us(),
            p.reserve[0],        p.reserve[1],          p.restriction[0].from,
            p.restriction[0].to, p.restriction[1].from, p.restriction[1].to};
}

} // namespace mill

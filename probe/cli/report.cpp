#include "probe/cli/report.h"

#include "rules/text.h"

#include <algorithm>

namespace mill::cli {

std::string picture(const Ruleset& rules, const Position& p) {
    std::string text = draw_board(rules, p) + "\n" + to_text(p) + "\n";
    text += p.side == Color::white ? "White to move" : "Black to move";
    if (p.reserve[0] > 0 || p.reserve[1] > 0)
        text +=
            "; in reserve: White " + std::to_string(p.reserve[0]) + ", Black " + std::to_string(p.reserve[1]);
    if (const int limit = draw_limit(rules, p); limit > 0)
        text += "; quiet plies: " + std::to_string(p.counter) + " of " + std::to_string(limit);
    return text + "\n";
}

std::string verdict(Result result, Reason reason) {
    const std::string why(to_text(reason));
    switch (result) {
    case Result::open: return "open";
    case Result::white: return "White wins: " + why;
    case Result::black: return "Black wins: " + why;
    case Result::draw: return "draw: " + why;
    }
    return "";
}

Result result_of(const Position& p, const Ending& ending) {
    if (ending.reason == Reason::none) return Result::open;
    if (ending.outcome == Outcome::draw) return Result::draw;
    return (ending.outcome == Outcome::win) == (p.side == Color::white) ? Result::white : Result::black;
}

Json reason_json(Reason reason) {
    return reason == Reason::none ? Json(nullptr) : Json(std::string(to_text(reason)));
}

std::vector<std::string> sorted_turns(const Ruleset& rules, const Position& p) {
    TurnList turns;
    generate_turns(rules, p, turns);
    std::vector<std::string> texts;
    texts.reserve(static_cast<std::size_t>(turns.size()));
    for (const Turn t : turns) texts.push_back(to_text(t));
    std::sort(texts.begin(), texts.end());
    return texts;
}

} // namespace mill::cli

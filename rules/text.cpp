// Turns and words as text, and the drawn board.
#include "rules/text.h"

#include "rules/error.h"
#include "rules/quote.h"

namespace mill {
namespace {

[[noreturn]] void refuse_turn(std::string_view text, const std::string& why) {
    throw Error(ErrorCode::bad_turn,
                "turn " + quote(text) + ": " + why + "; expected such as d6, a4-b4, d6xg7 or a4-b4xg7");
}

std::string_view name(int point) { return kPointNames[static_cast<std::size_t>(point)]; }

} // namespace

Turn parse_turn(std::string_view text) {
    std::string_view rest = text;
    const auto take_point = [&](const char* what) {
        const int point = point_of(rest.substr(0, 2));
        if (point < 0) refuse_turn(text, quote(rest.substr(0, 2)) + " is no point (" + what + ")");
        rest.remove_prefix(2);
        return static_cast<std::int8_t>(point);
    };
    Turn t;
    t.to = take_point("first of the turn");
    if (rest.starts_with('-')) {
        rest.remove_prefix(1);
        t.from = t.to;
        t.to = take_point("where the stone goes");
        if (t.from == t.to) refuse_turn(text, "the stone goes to where it stands");
    }
    if (rest.starts_with('x')) {
        rest.remove_prefix(1);
        t.capture = take_point("the captured stone");
    }
    if (!rest.empty()) refuse_turn(text, quote(rest) + " is left over");
    return t;
}

std::string to_text(Turn t) {
    std::string text;
    if (!t.placement()) text.append(name(t.from)) += '-';
    text += name(t.to);
    if (t.capture >= 0) (text += 'x') += name(t.capture);
    return text;
}

std::string_view to_text(Reason reason) {
    switch (reason) {
    case Reason::none: return "";
    case Reason::too_few_stones: return "too few stones";
    case Reason::blocked: return "blocked";
    case Reason::full_board: return "full board";
    case Reason::quiet_limit: return "quiet limit";
    case Reason::endgame_limit: return "endgame limit";
    case Reason::repetition: return "repetition";
    }
    return "";
}

std::string_view to_text(Outcome outcome) {
    switch (outcome) {
    case Outcome::draw: return "draw";
    case Outcome::win: return "win";
    case Outcome::loss: return "loss";
    }
    return "";
}

std::string hex(std::uint64_t v) {
    static constexpr char digits[] = "0123456789abcdef";
    std::string text;
    for (int shift = 60; shift >= 0; shift -= 4) text += digits[(v >> shift) & 15];
    return text;
}

std::string draw_board(const Ruleset& rules, const Position& p) {
    // One point every four columns and two lines; edges are drawn from the geometry.
    constexpr int width = 25, height = 13;
    std::string canvas[height];
    for (std::string& line : canvas) line.assign(width, ' ');
    const auto x_of = [](int point) { return (name(point)[0] - 'a') * 4; };
    const auto y_of = [](int point) { return ('7' - name(point)[1]) * 2; };
    const auto at = [&](int x, int y) -> char& {
        return canvas[static_cast<std::size_t>(y)][static_cast<std::size_t>(x)];
    };
    const Geometry& g = rules.geo();
    for (int a = 0; a < kPoints; ++a)
        for (Stones rest = g.neighbours[a]; rest; rest &= rest - 1) {
            const int b = std::countr_zero(rest);
            const int dx = x_of(b) - x_of(a), dy = y_of(b) - y_of(a);
            if (b < a) continue; // each edge once: b is below a, or to the right
            if (dy == 0)
                for (int x = x_of(a) + 1; x < x_of(b); ++x) at(x, y_of(a)) = '-';
            else if (dx == 0)
                for (int y = y_of(a) + 1; y < y_of(b); ++y) at(x_of(a), y) = '|';
            else at((x_of(a) + x_of(b)) / 2, (y_of(a) + y_of(b)) / 2) = dx > 0 ? '\\' : '/';
        }
    for (int point = 0; point < kPoints; ++point)
        at(x_of(point), y_of(point)) = p.stones[0] & bit(point) ? 'W' : p.stones[1] & bit(point) ? 'B' : '.';

    std::string text;
    for (int y = 0; y < height; ++y) {
        text += y % 2 == 0 ? std::string(1, static_cast<char>('7' - y / 2)) : " ";
        text += "  " + canvas[y] + "\n";
    }
    return text + "   a   b   c   d   e   f   g\n";
}

} // namespace mill

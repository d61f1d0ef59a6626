// Sanmill's FEN has 17 fields:
//   1 board, 2 side, 3 phase, 4 action, 5-8 White's stones on board and in hand, then Black's,
//   9-10 removals pending (White, Black), 11-14 last mill from and to (White, Black), 15 bits of mills
//   formed, 16 plies for the draw rule, 17 number of the full move.
// The board lists the inner, middle and outer ring, each from its top midpoint clockwise; points are
// numbered 8 to 31 in this order.
#include "rules/sanmill.h"

#include "rules/error.h"
#include "rules/position_fields.h"
#include "rules/quote.h"

#include <array>

namespace mill {
namespace {

constexpr std::size_t kFields = 17;
constexpr int kFirstNumber = 8;
constexpr std::array<std::string_view, kPoints> kOrder = {"d5", "e5", "e4", "e3", "d3", "c3", "c4", "c5",
                                                          "d6", "f6", "f4", "f2", "d2", "b2", "b4", "b6",
                                                          "d7", "g7", "g4", "g1", "d1", "a1", "a4", "a7"};

int number_in(std::string_view field, std::string_view text, int high) {
    const auto value = parse_number(text);
    if (!value || *value > high) refuse_field(field, text, "a number from 0 to " + std::to_string(high));
    return *value;
}

void read_board(Position& p, std::string_view text) {
    const std::string expected =
        "three rings of eight points separated by '/', O for White, @ for Black, * for empty";
    if (text.size() != 26) refuse_field("board (Sanmill)", text, expected);
    std::size_t next = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        const bool separator = i % 9 == 8;
        if (separator != (c == '/')) refuse_field("board (Sanmill)", text, expected);
        if (separator) continue;
        const int point = point_of(kOrder[next++]);
        if (c == 'O') p.stones[0] |= bit(point);
        else if (c == '@') p.stones[1] |= bit(point);
        else if (c != '*') refuse_field("board (Sanmill)", text, expected);
    }
}

/// A point of the last-mill fields, or -1 for none, which is written 0 or -1.
int read_point(std::string_view text) {
    if (text == "-1" || text == "0") return -1;
    const int number = number_in("last mill (Sanmill)", text, kFirstNumber + kPoints - 1);
    if (number < kFirstNumber)
        refuse_field("last mill (Sanmill)", text, "0 or a point's number from 8 to 31");
    return point_of(kOrder[static_cast<std::size_t>(number - kFirstNumber)]);
}

} // namespace

bool is_sanmill_board(std::string_view field) {
    return field.find_first_of("O@*X") != std::string_view::npos &&
           field.find_first_not_of("O@*X/") == std::string_view::npos;
}

Position parse_sanmill(const Ruleset& rules, const std::vector<std::string_view>& fields) {
    Position p;
    read_board(p, fields[0]);
    if (fields.size() != kFields)
        throw Error(ErrorCode::bad_position,
                    "position (Sanmill): " + std::to_string(fields.size()) + " fields; expected 17");

    if (fields[1] != "w" && fields[1] != "b") refuse_field("side (Sanmill)", fields[1], "w or b");
    p.side = fields[1] == "w" ? Color::white : Color::black;
    if (fields[2].size() != 1 || std::string_view("rpmo").find(fields[2]) == std::string_view::npos)
        refuse_field("phase (Sanmill)", fields[2], "r, p, m or o");
    if (fields[3] == "r" || fields[8] != "0" || fields[9] != "0")
        throw Error(
            ErrorCode::bad_position,
            "action (Sanmill): a removal is pending, so the position is in the middle of a turn; expected one between turns");
    if (fields[3] != "p" && fields[3] != "s" && fields[3] != "?")
        refuse_field("action (Sanmill)", fields[3], "p or s");

    for (std::size_t side = 0; side < 2; ++side) {
        const std::string who = side == 0 ? "White" : "Black";
        const std::string_view on_board = fields[4 + 2 * side];
        if (number_in(who + "'s stones on board (Sanmill)", on_board, 24) != count(p.stones[side]))
            refuse_field(who + "'s stones on board (Sanmill)", on_board,
                         std::to_string(count(p.stones[side])) + ", as on the board");
        p.reserve[side] = static_cast<std::uint8_t>(
            number_in(who + "'s stones in hand (Sanmill)", fields[5 + 2 * side], 12));

        // The last mill stays there until its owner's next turn; what binds nothing is dropped later.
        const int from = read_point(fields[10 + 2 * side]), to = read_point(fields[11 + 2 * side]);
        if (rules.mill_return != MillReturn::free && from >= 0 && to >= 0 && from != to)
            p.restriction[side] = {static_cast<std::int8_t>(from), static_cast<std::int8_t>(to)};
    }
    if (fields[14].empty() || fields[14].find_first_not_of("0123456789") != std::string_view::npos)
        refuse_field("mills (Sanmill)", fields[14], "a number");
    set_counter(rules, p, fields[15]);
    number_in("full move (Sanmill)", fields[16], 999'999'999);
    return p;
}

} // namespace mill

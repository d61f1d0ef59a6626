// Positions as text: board, side, reserves, restrictions, counter.
#include "rules/text.h"

#include "rules/error.h"
#include "rules/position_fields.h"
#include "rules/quote.h"
#include "rules/sanmill.h"

#include <array>

namespace mill {

std::vector<std::string_view> split_fields(std::string_view text) {
    std::vector<std::string_view> fields;
    while (true) {
        const auto first = text.find_first_not_of(" \t\r\n");
        if (first == std::string_view::npos) return fields;
        text.remove_prefix(first);
        const auto end = text.find_first_of(" \t\r\n");
        fields.push_back(text.substr(0, end));
        text.remove_prefix(end == std::string_view::npos ? text.size() : end);
    }
}

void refuse_field(std::string_view field, std::string_view found, const std::string& expected) {
    throw Error(ErrorCode::bad_position,
                std::string(field) + ": found " + quote(found) + "; expected " + expected);
}

namespace {

constexpr std::array<int, 7> kRowLengths = {3, 3, 3, 6, 3, 3, 3};

void read_board(Position& p, std::string_view text) {
    int point = 0;
    std::string_view rest = text;
    for (std::size_t row = 0; row < kRowLengths.size(); ++row) {
        const std::string where = "board, row " + std::to_string(7 - row);
        const std::string expected =
            "W, B and digits for empty points, " + std::to_string(kRowLengths[row]) + " points in all";
        const auto end = rest.find('/');
        const bool last = row + 1 == kRowLengths.size();
        if (last != (end == std::string_view::npos))
            refuse_field("board", text, "seven rows (7 to 1) separated by '/'");
        const std::string_view cells = rest.substr(0, end);
        const int row_end = point + kRowLengths[row];
        for (const char c : cells) {
            if (c >= '1' && c <= '6') {
                point += c - '0';
            } else if ((c == 'W' || c == 'B') && point < row_end) {
                p.stones[c == 'W' ? 0 : 1] |= bit(point++);
            } else {
                refuse_field(where, cells, expected);
            }
            if (point > row_end) refuse_field(where, cells, expected);
        }
        if (point != row_end) refuse_field(where, cells, expected);
        rest.remove_prefix(last ? rest.size() : end + 1);
    }
}

void read_reserves(Position& p, std::string_view text) {
    const auto comma = text.find(',');
    for (int side = 0; side < 2; ++side) {
        std::optional<int> value;
        if (comma != std::string_view::npos)
            value = parse_number(side == 0 ? text.substr(0, comma) : text.substr(comma + 1));
        if (!value || *value > 12)
            refuse_field("reserves", text, "White's and Black's, each 0 to 12, such as 9,9");
        p.reserve[static_cast<std::size_t>(side)] = static_cast<std::uint8_t>(*value);
    }
}

void read_restrictions(Position& p, std::string_view text) {
    const std::string expected =
        "'-' or the transfer of each restricted side, such as Wa4-a7 or Wa4-a7,Bd6-d7";
    if (text == "-") return;
    std::string_view rest = text;
    while (true) {
        const int from = rest.size() >= 6 ? point_of(rest.substr(1, 2)) : -1;
        const int to = rest.size() >= 6 ? point_of(rest.substr(4, 2)) : -1;
        if (from < 0 || to < 0 || rest[3] != '-' || (rest[0] != 'W' && rest[0] != 'B'))
            refuse_field("restrictions", text, expected);
        Restriction& r = p.restriction[rest[0] == 'W' ? 0 : 1];
        if (r.active()) refuse_field("restrictions", text, "at most one for each side");
        r = {static_cast<std::int8_t>(from), static_cast<std::int8_t>(to)};
        rest.remove_prefix(6);
        if (rest.empty()) return;
        if (rest[0] != ',') refuse_field("restrictions", text, expected);
        rest.remove_prefix(1);
    }
}

} // namespace

void set_counter(const Ruleset& rules, Position& p, std::string_view text) {
    const auto value = parse_number(text);
    if (!value) refuse_field("counter", text, "the number of quiet plies since the last reset");
    const int limit = draw_limit(rules, p);
    if (limit == 0) { // nothing is counted, so whatever is given means 0
        p.counter = 0;
        return;
    }
    if (*value >= limit)
        throw Error(ErrorCode::illegal_position, "counter: " + std::string(text) +
                                                     " is no open game; expected less than the limit of " +
                                                     std::to_string(limit));
    p.counter = static_cast<std::uint8_t>(*value);
}

Position parse_position(const Ruleset& rules, std::string_view text) {
    const std::vector<std::string_view> fields = split_fields(text);
    if (fields.empty())
        throw Error(ErrorCode::bad_position,
                    "position: empty; expected board side reserves restrictions counter, such as "
                    "3/3/3/6/3/3/3 w 9,9 - 0");
    Position p;
    if (is_sanmill_board(fields[0])) {
        p = parse_sanmill(rules, fields);
    } else {
        read_board(p, fields[0]);
        if (fields.size() < 3 || fields.size() > 5)
            throw Error(ErrorCode::bad_position,
                        "position: " + std::to_string(fields.size()) +
                            " fields; expected board side reserves, and perhaps restrictions and counter");
        if (fields[1] != "w" && fields[1] != "b") refuse_field("side", fields[1], "w or b");
        p.side = fields[1] == "w" ? Color::white : Color::black;
        read_reserves(p, fields[2]);
        if (fields.size() > 3) read_restrictions(p, fields[3]);
        if (fields.size() > 4) set_counter(rules, p, fields[4]);
    }
    validate(rules, p);
    return drop_dead_restrictions(rules, p);
}

std::string to_text(const Position& p) {
    std::string text;
    int point = 0, empty = 0;
    const auto flush = [&] {
        if (empty > 0) text += static_cast<char>('0' + empty);
        empty = 0;
    };
    for (std::size_t row = 0; row < kRowLengths.size(); ++row) {
        if (row > 0) text += '/';
        for (int i = 0; i < kRowLengths[row]; ++i, ++point) {
            const bool white = p.stones[0] & bit(point), black = p.stones[1] & bit(point);
            if (!white && !black) {
                ++empty;
                continue;
            }
            flush();
            text += white ? 'W' : 'B';
        }
        flush();
    }
    text += p.side == Color::white ? " w " : " b ";
    text += std::to_string(p.reserve[0]) + "," + std::to_string(p.reserve[1]) + " ";
    std::string restrictions;
    for (std::size_t side = 0; side < 2; ++side) {
        const Restriction r = p.restriction[side];
        if (!r.active()) continue;
        restrictions += restrictions.empty() ? "" : ",";
        restrictions += side == 0 ? 'W' : 'B';
        restrictions += to_text(Turn{r.from, r.to, -1});
    }
    return text + (restrictions.empty() ? "-" : restrictions) + " " + std::to_string(p.counter);
}

} // namespace mill

#include "tests/rules/naive_generator.h"

#include <array>
#include <cstdlib>
#include <utility>

namespace naive {
namespace {

using mill::Position;
using mill::Restriction;
using mill::Ruleset;
using mill::Turn;

struct Point {
    int x, y; // -3 to 3, the middle of the board is 0,0; y grows downwards
    bool operator==(const Point&) const = default;
};

/// The points row by row from the top, which is the numbering of stone sets.
std::vector<Point> all_points() {
    std::vector<Point> points;
    for (int y = -3; y <= 3; ++y)
        for (int x = -3; x <= 3; ++x) {
            const bool diagonal = std::abs(x) == std::abs(y), axis = (x == 0) != (y == 0);
            if ((diagonal && x != 0) || axis) points.push_back({x, y});
        }
    return points;
}

const std::vector<Point> kPoints = all_points();

int ring(Point p) { return std::max(std::abs(p.x), std::abs(p.y)); }

/// Next to each other: neighbours around one ring, or on neighbouring rings on an axis (on the diagonal
/// board on a corner diagonal, too).
bool next_to(mill::Board board, Point a, Point b) {
    const int dx = std::abs(a.x - b.x), dy = std::abs(a.y - b.y);
    if (ring(a) == ring(b)) {
        const int step = ring(a);
        return dx + dy == step && (dx == 0 || dy == 0);
    }
    if (std::abs(ring(a) - ring(b)) != 1) return false;
    if (dx + dy == 1) return (a.x == 0 && b.x == 0) || (a.y == 0 && b.y == 0);
    return board == mill::Board::diagonal && dx == 1 && dy == 1 && std::abs(a.x) == std::abs(a.y) &&
           std::abs(b.x) == std::abs(b.y);
}

using Line = std::array<int, 3>;

/// Three points are a line if the middle one is next to both others, straight between them.
std::vector<Line> find_lines(mill::Board board) {
    std::vector<Line> lines;
    const int n = static_cast<int>(kPoints.size());
    for (int a = 0; a < n; ++a)
        for (int b = 0; b < n; ++b)
            for (int c = a + 1; c < n; ++c) {
                const auto [pa, pb, pc] =
                    std::array{kPoints[static_cast<std::size_t>(a)], kPoints[static_cast<std::size_t>(b)],
                               kPoints[static_cast<std::size_t>(c)]};
                if (!next_to(board, pa, pb) || !next_to(board, pb, pc)) continue;
                if (pa.x + pc.x == 2 * pb.x && pa.y + pc.y == 2 * pb.y) lines.push_back({a, b, c});
            }
    return lines;
}

struct BoardFacts {
    std::vector<Line> lines;
    bool adjacent[24][24] = {};
    explicit BoardFacts(mill::Board board) : lines(find_lines(board)) {
        for (std::size_t a = 0; a < 24; ++a)
            for (std::size_t b = 0; b < 24; ++b)
                adjacent[a][b] = a != b && next_to(board, kPoints[a], kPoints[b]);
    }
};

const BoardFacts& facts(mill::Board board) {
    static const BoardFacts plain(mill::Board::plain), diagonal(mill::Board::diagonal);
    return board == mill::Board::plain ? plain : diagonal;
}

/// The position as a person sees it.
struct Table {
    std::array<char, 24> at{}; // 'm' mine, 'o' other's, ' ' empty
    int mine = 0, others = 0;  // stones on the board
    int my_hand = 0, other_hand = 0;
};

Table look(const Position& p, bool as_mover = true) {
    Table table;
    const std::size_t me = (p.side == mill::Color::white) == as_mover ? 0 : 1;
    for (std::size_t i = 0; i < 24; ++i) {
        table.at[i] = ' ';
        if (p.stones[me] >> i & 1) {
            table.at[i] = 'm';
            ++table.mine;
        }
        if (p.stones[1 - me] >> i & 1) {
            table.at[i] = 'o';
            ++table.others;
        }
    }
    table.my_hand = p.reserve[me];
    table.other_hand = p.reserve[1 - me];
    return table;
}

bool line_is(const Table& table, const Line& line, char who) {
    for (const int i : line)
        if (table.at[static_cast<std::size_t>(i)] != who) return false;
    return true;
}

bool on_line(const Line& line, int point) { return line[0] == point || line[1] == point || line[2] == point; }

bool in_mill(const BoardFacts& board, const Table& table, int point) {
    for (const Line& line : board.lines)
        if (on_line(line, point) && line_is(table, line, table.at[static_cast<std::size_t>(point)]))
            return true;
    return false;
}

bool lost_for_stones(const Ruleset& rules, int stones, int hand, int other_hand) {
    if (stones + hand >= 3) return false;
    switch (rules.too_few) {
    case mill::TooFew::in_total: return true;
    case mill::TooFew::hand_empty: return hand == 0;
    case mill::TooFew::after_placing: return hand == 0 && other_hand == 0;
    }
    return false;
}

bool still_placing(const Ruleset& rules, const Table& table) {
    return rules.movement == mill::Movement::after_placing && table.my_hand + table.other_hand > 0;
}

bool can_fly(const Ruleset& rules, const Table& table) {
    switch (rules.flying) {
    case mill::Flying::off: return false;
    case mill::Flying::three_on_board: return table.mine == 3 && table.my_hand == 0;
    case mill::Flying::three_in_total: return table.mine + table.my_hand == 3;
    }
    return false;
}

Table after_arrival(Table table, int from, int to) {
    if (from >= 0) table.at[static_cast<std::size_t>(from)] = ' ';
    table.at[static_cast<std::size_t>(to)] = 'm';
    return table;
}

/// Whether mill return forbids this arrival. `after` is the board once the stone has arrived.
bool returns(const Ruleset& rules, const BoardFacts& board, const Table& after, Restriction r, int from,
             int to) {
    if (r.from < 0) return false;
    if (rules.mill_return == mill::MillReturn::no_reverse)
        return from == r.to && to == r.from && in_mill(board, after, to);
    for (const Line& line : board.lines) // no-reform: a line through the old place, the new one not on it
        if (on_line(line, to) && on_line(line, r.from) && !on_line(line, r.to) && line_is(after, line, 'm'))
            return true;
    return false;
}

using Arrivals = std::vector<std::pair<int, int>>;

/// Placements (from = -1) and movements, those that mill return forbids among them or not.
Arrivals arrivals(const Ruleset& rules, const BoardFacts& board, const Table& table) {
    Arrivals all;
    for (int to = 0; to < 24; ++to) {
        if (table.at[static_cast<std::size_t>(to)] != ' ') continue;
        if (table.my_hand > 0) all.emplace_back(-1, to);
        if (still_placing(rules, table)) continue;
        for (int from = 0; from < 24; ++from)
            if (table.at[static_cast<std::size_t>(from)] == 'm' &&
                (board.adjacent[from][to] || can_fly(rules, table)))
                all.emplace_back(from, to);
    }
    return all;
}

bool forbids_any(const Ruleset& rules, const BoardFacts& board, const Table& table, Restriction r) {
    for (const auto& [from, to] : arrivals(rules, board, table))
        if (returns(rules, board, after_arrival(table, from, to), r, from, to)) return true;
    return false;
}

} // namespace

std::vector<Turn> turns(const Ruleset& rules, const Position& p) {
    const BoardFacts& board = facts(rules.board);
    const Table table = look(p);
    std::vector<Turn> all;
    if (lost_for_stones(rules, table.mine, table.my_hand, table.other_hand)) return all;
    if (lost_for_stones(rules, table.others, table.other_hand, table.my_hand)) return all;

    std::vector<int> free_targets, milled_targets;
    for (int i = 0; i < 24; ++i)
        if (table.at[static_cast<std::size_t>(i)] == 'o')
            (in_mill(board, table, i) ? milled_targets : free_targets).push_back(i);
    const std::vector<int>& targets = free_targets.empty() ? milled_targets : free_targets;

    const Restriction r = p.restriction[p.side == mill::Color::white ? 0 : 1];
    for (const auto& [from, to] : arrivals(rules, board, table)) {
        const Table after = after_arrival(table, from, to);
        if (returns(rules, board, after, r, from, to)) continue;
        const auto f = static_cast<std::int8_t>(from), t = static_cast<std::int8_t>(to);
        if (in_mill(board, after, to) && !targets.empty())
            for (const int target : targets) all.push_back({f, t, static_cast<std::int8_t>(target)});
        else all.push_back({f, t, -1});
    }
    return all;
}

Position play(const Ruleset& rules, const Position& p, Turn t) {
    const BoardFacts& board = facts(rules.board);
    const std::size_t me = p.side == mill::Color::white ? 0 : 1, other = 1 - me;
    const Table before = look(p);
    Position q = p;
    q.side = me == 0 ? mill::Color::black : mill::Color::white;
    if (t.from >= 0) q.stones[me] -= 1u << t.from;
    else --q.reserve[me];
    q.stones[me] += 1u << t.to;
    if (t.capture >= 0) q.stones[other] -= 1u << t.capture;

    // Draw counter.
    const auto endgame = [&](const Position& at) {
        const Table table = look(at);
        return rules.endgame_limit > 0 && table.my_hand == 0 && table.other_hand == 0 &&
               (table.mine == 3 || table.others == 3);
    };
    const int limit = endgame(q) ? rules.endgame_limit : rules.quiet_limit;
    int counter = p.counter + 1;
    if (t.from < 0 && !rules.placement_counts) counter = p.counter;
    if (t.from < 0 && rules.quiet_reset == mill::QuietReset::placement_and_capture) counter = 0;
    if (t.capture >= 0 || (endgame(q) && !endgame(p))) counter = 0;
    q.counter = static_cast<std::uint8_t>(std::min(counter, limit));

    // My old restriction has had its turn; a transfer from mill to mill makes a new one.
    q.restriction[me] = {};
    if (rules.mill_return != mill::MillReturn::free && t.from >= 0 && in_mill(board, before, t.from) &&
        in_mill(board, after_arrival(before, t.from, t.to), t.to))
        q.restriction[me] = {t.from, t.to};

    // The other's restriction is dropped unless it forbids something now: it is the other's turn.
    if (q.restriction[other].from >= 0 && !forbids_any(rules, board, look(q), q.restriction[other]))
        q.restriction[other] = {};
    return q;
}

} // namespace naive

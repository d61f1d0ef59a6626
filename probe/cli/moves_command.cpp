// millprobe moves
#include "probe/cli/report.h"
#include "probe/cli/tables.h"
#include "rules/text.h"

#include <iostream>

namespace mill::cli {
namespace {

constexpr const char* kHelp =
    "Every legal turn with its exact value for the side that plays it, best first: wins by distance up, draws, losses\n"
    "by distance down, then by text. Where DTE is not stored, DTZ ranks.\n\n"
    "examples:\n"
    "  millprobe moves --tables DIR '3/3/2W/B1W3/1W1/2B/B2 w 0,0'\n"
    "  millprobe moves --tables DIR --rules lg9 --json - < positions.txt\n\n"
    "JSON keys: those of 'value', and moves, an array of: move, outcome, dte (the turn included), dtz, zeroing (whether\n"
    "it resets the draw counter), ends (null, or why it ends the game; draw limits too)\n\n"
    "exit codes: 0 success, 2 bad position or usage, 3 a table is missing or damaged\n";

Json to_json(const TurnAnswer& t) {
    return {{"move", to_text(t.turn)},   {"outcome", std::string(to_text(t.outcome))},
            {"dte", number_json(t.dte)}, {"dtz", number_json(t.dtz)},
            {"zeroing", t.zeroing},      {"ends", reason_json(t.ends)}};
}

/// "wins" and the turns of that outcome, with those of one distance on one line.
void print_group(const std::vector<TurnAnswer>& turns, Outcome outcome, const char* title) {
    std::string row;
    int distance = -2;
    bool any = false;
    for (const TurnAnswer& t : turns) {
        if (t.outcome != outcome) continue;
        if (!any) std::cout << title << "\n";
        const int now = t.dte >= 0 ? t.dte : t.dtz;
        if (!any || now != distance || row.size() > 90) {
            if (any) std::cout << row << "\n";
            std::string head = now == distance || now < 0 ? "" : std::to_string(now);
            row.assign(head.size() < 5 ? 5 - head.size() : 0, ' ');
            row.append(head).append(" ");
        }
        any = true;
        distance = now;
        row.append(" ").append(to_text(t.turn));
        if (t.ends != Reason::none) row.append(" (").append(to_text(t.ends)).append(")");
    }
    if (any) std::cout << row << "\n";
}

} // namespace

Work read_moves(const Arguments& arguments) {
    CommandLine line("moves [--tables DIR] [--rules NAME] [--set KEY=VALUE...] [--json] [POSITION | -]",
                     kHelp);
    add_table_options(line);
    if (!line.parse(arguments)) return done();
    return [=] {
        const auto set = open_tables(line);
        return for_each_position(line, set->rules(), [&](const Position& p) {
            const std::vector<TurnAnswer> turns = rank_turns(*set, p, kAllMetrics);
            // What the turns say is the position's value: its own table is not needed.
            const Answer a = turns.empty() ? answer(*set, p, kAllMetrics) : answer_from_turns(turns);
            if (line.json()) {
                Json object = answer_json(*set, p, a);
                Json moves = Json::array();
                for (const TurnAnswer& t : turns) moves.push_back(to_json(t));
                object["moves"] = std::move(moves);
                print_json(object);
                return;
            }
            std::cout << picture(*set, p, a) << "\n";
            print_group(turns, Outcome::win, "winning turns, by plies to the end:");
            print_group(turns, Outcome::draw, "drawing turns:");
            print_group(turns, Outcome::loss, "losing turns, by plies to the end:");
            std::cout << "\n";
        });
    };
}

} // namespace mill::cli

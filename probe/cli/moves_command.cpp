// millprobe moves and line
#include "mill/text.h"
#include "report.h"
#include "table_options.h"

#include <iostream>

namespace mill::cli {

namespace {

Json turn_json(const RankedTurn& r) {
    Json out = {{"move", r.text}, {"outcome", std::string(to_text(r.outcome))}};
    out["dte"] = r.dte ? Json(*r.dte) : Json(nullptr);
    out["dtz"] = r.dtz ? Json(*r.dtz) : Json(nullptr);
    out["zeroing"] = r.zeroing;
    out["ends"] = reason_json(r.ends);
    return out;
}

void print_group(const std::vector<RankedTurn>& turns, Outcome outcome, const char* title) {
    std::vector<const RankedTurn*> group;
    for (const RankedTurn& r : turns)
        if (r.outcome == outcome) group.push_back(&r);
    if (group.empty()) return;
    std::cout << title << " (" << group.size() << ")\n";
    for (const RankedTurn* r : group) {
        std::string text("  ");
        text += r->text;
        text.resize(16, ' ');
        if (r->dte) text += "in " + std::to_string(*r->dte);
        text.resize(24, ' ');
        if (r->dtz) text += "dtz " + std::to_string(*r->dtz);
        text.resize(34, ' ');
        if (r->zeroing) text += "zeroing  ";
        if (r->ends != Reason::none) text += "ends: " + std::string(to_text(r->ends));
        std::cout << text.substr(0, text.find_last_not_of(' ') + 1) << "\n";
    }
}

} // namespace

int run_moves(const Arguments& arguments) {
    CommandLine line(
        "moves --tables DIR [--rules NAME] [--json] POSITION | -",
        "Every legal turn with its exact value for the side that plays it, best first: wins (short ones first),\n"
        "draws, losses (long ones first). Distances include the turn.\n\n"
        "examples:\n"
        "  millprobe moves --tables tables 'WB1/1W1/3/W1BB2/3/2W/3 w 0,0'\n"
        "  millprobe moves --tables tables --rules lg12 --json - < positions.txt\n\n"
        "JSON keys: those of 'value' and moves, an array of move outcome dte dtz zeroing ends\n");
    add_table_options(line);
    if (!line.parse(arguments)) return exit_ok;
    const auto tables = open_tables(line);
    return for_each_position(line, tables->rules(), [&](const Position& p) {
        const Answer a = tables->probe(p);
        const auto turns = tables->rank(p);
        if (line.json()) {
            Json out = value_json(*tables, p, a);
            out["moves"] = Json::array();
            for (const RankedTurn& r : turns) out["moves"].push_back(turn_json(r));
            print_json(out);
            return;
        }
        std::cout << picture(tables->rules(), p) << "\nsubspace " << to_text(subspace_of(p)) << ": "
                  << in_words(a) << "\n\n";
        print_group(turns, Outcome::win, "winning turns");
        print_group(turns, Outcome::draw, "drawing turns");
        print_group(turns, Outcome::loss, "losing turns");
        std::cout << "\n";
    });
}

int run_line(const Arguments& arguments) {
    CommandLine line(
        "line --tables DIR [--rules NAME] [--json] POSITION | -",
        "Best play by both sides to the end of the game: the winner's shortest way, the loser's longest; among equal\n"
        "turns the first by text. Empty for draws.\n\n"
        "examples:\n  millprobe line --tables tables 'WB1/1W1/3/W1BB2/3/2W/3 w 0,0'\n\n"
        "JSON keys: those of 'value' and line, an array of turns\n");
    add_table_options(line);
    if (!line.parse(arguments)) return exit_ok;
    const auto tables = open_tables(line);
    return for_each_position(line, tables->rules(), [&](const Position& p) {
        const Answer a = tables->probe(p);
        const auto turns = tables->line(p);
        if (line.json()) {
            Json out = value_json(*tables, p, a);
            out["line"] = Json::array();
            for (const RankedTurn& r : turns) out["line"].push_back(r.text);
            print_json(out);
            return;
        }
        std::cout << picture(tables->rules(), p) << "\nsubspace " << to_text(subspace_of(p)) << ": "
                  << in_words(a) << "\n";
        for (std::size_t i = 0; i < turns.size(); ++i)
            std::cout << (i % 10 == 0 ? "\n  " : " ") << turns[i].text;
        if (!turns.empty()) std::cout << "\n  " << to_text(turns.back().ends);
        std::cout << "\n\n";
    });
}

int run_missing(const Arguments& arguments) {
    CommandLine line("missing --tables DIR [--rules NAME] [--json] POSITION | -",
                     "The subspaces that are needed to rank all turns of a position and are not there.\n\n"
                     "examples:\n  millprobe missing --tables tables --rules lg9 '3/3/3/6/3/3/3 w 9,9'\n\n"
                     "JSON keys: position missing\n");
    add_table_options(line);
    if (!line.parse(arguments)) return exit_ok;
    const auto tables = open_tables(line);
    return for_each_position(line, tables->rules(), [&](const Position& p) {
        Json missing = Json::array();
        std::string text;
        for (const Subspace s : tables->missing(p)) {
            missing.push_back(to_text(s));
            text.append(" ").append(to_text(s));
        }
        if (line.json()) print_json({{"position", to_text(p)}, {"missing", missing}});
        else std::cout << to_text(p) << ":" << (text.empty() ? " nothing is missing" : text) << "\n";
    });
}

} // namespace mill::cli

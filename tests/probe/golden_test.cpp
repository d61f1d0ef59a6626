// Known figures through the C interface. The suite named Slow solves some ten million positions first.
#include "millprobe.h"
#include "probe/tables/answers.h"
#include "tests/probe/solved_tables.h"

#include "rules/text.h"

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <set>
#include <sstream>

namespace mill::testing {
namespace {

struct Known {
    std::string position, outcome;
    int dte;
};

/// Lines of a golden file: [preset] position outcome dte.
std::map<std::string, std::vector<Known>> read_golden(const std::string& name, bool with_preset) {
    std::map<std::string, std::vector<Known>> out;
    std::ifstream file(std::string(MILL_DATA_DIR) + "/golden/" + name);
    for (std::string line; std::getline(file, line);) {
        if (line.empty() || line[0] == '#') continue;
        std::istringstream fields(line);
        std::string preset, dte;
        Known k;
        if (with_preset) std::getline(fields, preset, '\t');
        std::getline(fields, k.position, '\t');
        std::getline(fields, k.outcome, '\t');
        std::getline(fields, dte, '\t');
        k.dte = std::stoi(dte);
        out[preset].push_back(k);
    }
    return out;
}

/// Subspaces whose tables the positions need: their own, or those that a restricted one leads to.
std::vector<Subspace> subspaces_of(const Ruleset& rules, const std::vector<Known>& known) {
    std::set<Subspace> all;
    const TableSet nothing(rules);
    for (const Known& k : known) {
        const Position p = parse_position(rules, k.position);
        if (judge(rules, p).reason != Reason::none) continue;
        if (p.restriction[0].active() || p.restriction[1].active())
            for (const Subspace s : missing_subspaces(nothing, p)) all.insert(s);
        else all.insert(subspace_of(p));
    }
    return {all.begin(), all.end()};
}

void check(const std::string& game, const std::vector<Known>& known) {
    const Ruleset rules = game_rules(game);
    const SolvedTables solved(game, subspaces_of(rules, known));
    mp_tables* tables = nullptr;
    mp_error error = MP_INIT(mp_error);
    ASSERT_EQ(mp_open(game.c_str(), nullptr, &tables, &error), MP_OK) << error.text;
    EXPECT_EQ(mp_add_directory(tables, solved.directory.path().c_str(), nullptr, &error), MP_OK)
        << error.text;
    static const char* const outcomes[] = {"draw", "win", "loss"};
    for (const Known& k : known) {
        mp_position p;
        mp_result r = MP_INIT(mp_result);
        EXPECT_EQ(mp_parse_position(tables, k.position.c_str(), &p, &error), MP_OK)
            << k.position << ": " << error.text;
        EXPECT_EQ(mp_probe(tables, &p, MP_ALL, &r, &error), MP_OK) << k.position << ": " << error.text;
        EXPECT_EQ(outcomes[r.outcome], k.outcome) << k.position;
        EXPECT_EQ(r.dte, k.dte) << k.position;
    }
    std::cout << known.size() << " positions of " << game << "\n";
    mp_close(tables);
}

TEST(SlowGolden, PositionsOfTheSolvedGames) {
    for (const auto& [preset, known] : read_golden("positions.tsv", true)) check(preset, known);
}

TEST(SlowGolden, PositionsUnderAMillReturnRestriction) {
    for (const auto& [preset, known] : read_golden("restricted.tsv", false))
        check("lg12;quiet_limit=6;endgame_limit=4", known);
}

} // namespace
} // namespace mill::testing

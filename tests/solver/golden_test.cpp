// The solver against published and golden figures.
#include "tests/brute/golden.h"
#include "tests/solver/built_tables.h"

#include "rules/text.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace mill::testing {
namespace {

void expect_counts(BuiltTables& tables, const GoldenCounts& g) {
    const Statistics s = statistics_of(tables.need(parse_subspace(g.subspace)));
    const auto same = [&](std::int64_t golden, std::int64_t found, const char* what) {
        if (golden < 0) return; // not in the file
        EXPECT_EQ(golden, found) << g.rules << ' ' << g.subspace << ' ' << what;
    };
    same(g.positions, s.positions, "positions");
    same(g.win, s.win, "win");
    same(g.draw, s.draw, "draw");
    same(g.loss, s.loss, "loss");
    same(g.max_dte, s.max_dte, "max_dte");
    same(g.max_dtz, s.max_dtz, "max_dtz");
    same(g.sum_dtz, s.sum_dtz, "sum_dtz");
}

/// Each ruleset is solved once for all its rows.
void expect_all_counts(const std::vector<GoldenCounts>& golden, bool dte) {
    std::set<std::string> names;
    for (const GoldenCounts& g : golden) names.insert(g.rules);
    for (const std::string& name : names) {
        BuiltTables tables(ruleset_of(name), dte);
        for (GoldenCounts g : golden) {
            if (g.rules != name) continue;
            if (!dte) g.max_dte = -1;
            expect_counts(tables, g);
        }
    }
}

TEST(GoldenFigures, PublishedCounts) {
    const auto golden = golden_solved_counts();
    EXPECT_EQ(golden.size(), 16U);
    expect_all_counts(golden, true);
}

TEST(GoldenFigures, CountsUnderTheDrawCounter) {
    const auto golden = golden_limit_counts();
    EXPECT_EQ(golden.size(), 55U);
    for (const GoldenCounts& g : golden) {
        const Subspace s = parse_subspace(g.subspace);
        EXPECT_EQ(g.limit, ruleset_of(g.rules).limit(s.own, s.opp, s.own_reserve, s.opp_reserve))
            << g.rules << ' ' << g.subspace;
    }
    expect_all_counts(golden, true);
}

TEST(GoldenFigures, OutcomesAndDepthsWithoutDistances) {
    expect_all_counts(golden_solved_counts(), false);
    expect_all_counts(golden_limit_counts(), false);
}

TEST(GoldenFigures, Positions) {
    const std::vector<GoldenPosition> golden = golden_positions();
    EXPECT_EQ(golden.size(), 2962U);
    for (const std::string name : {"solved9", "solved10", "solved12"}) {
        BuiltTables tables(ruleset_of(name), true);
        for (const GoldenPosition& g : golden) {
            if (g.rules != name) continue;
            const Position p = parse_position(tables.rules(), g.position);
            const builder::MemoryTable& t = tables.need(subspace_of(p));
            const std::uint64_t i = t.index.index(p.stones[static_cast<std::size_t>(p.us())],
                                                  p.stones[static_cast<std::size_t>(p.them())]);
            const Value v = t.at(i, 0);
            EXPECT_EQ(g.outcome, to_text(v.outcome)) << g.rules << ' ' << g.position;
            EXPECT_EQ(g.dte, v.outcome == Outcome::draw ? -1 : v.dte) << g.rules << ' ' << g.position;
        }
    }
    EXPECT_TRUE(std::all_of(golden.begin(), golden.end(), [](const GoldenPosition& g) {
        return g.rules == "solved9" || g.rules == "solved10" || g.rules == "solved12";
    }));
}

} // namespace
} // namespace mill::testing

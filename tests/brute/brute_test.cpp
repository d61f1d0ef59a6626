// The brute force against the golden counts: what the solver is compared with has to be right itself.
#include "tests/brute/brute.h"
#include "tests/brute/golden.h"

#include <gtest/gtest.h>

#include <set>

namespace mill::brute {
namespace {

using mill::testing::golden_limit_counts, mill::testing::golden_solved_counts, mill::testing::GoldenCounts;

Counts parse_counts(const std::string& text) {
    Counts c;
    EXPECT_EQ(std::sscanf(text.c_str(), "%d-%d+%d-%d", &c.own, &c.opp, &c.own_reserve, &c.opp_reserve), 4)
        << text;
    return c;
}

void expect_counts(Brute& brute, const GoldenCounts& g) {
    const Counts c = parse_counts(g.subspace);
    brute.solve(c);
    const Statistics s = brute.statistics(c);
    const auto same = [&](std::int64_t golden, auto found, const char* what) {
        if (golden < 0) return;
        EXPECT_EQ(golden, static_cast<std::int64_t>(found)) << g.rules << ' ' << g.subspace << ' ' << what;
    };
    same(g.positions, s.positions, "positions");
    same(g.win, s.win, "win");
    same(g.draw, s.draw, "draw");
    same(g.loss, s.loss, "loss");
    same(g.max_dte, s.max_dte, "max_dte");
    same(g.max_dtz, s.max_dtz, "max_dtz");
    same(g.sum_dtz, s.sum_dtz, "sum_dtz");
}

/// All golden rows of one ruleset, by the games with three pieces.
class SmallGames : public ::testing::TestWithParam<const char*> {};

TEST_P(SmallGames, MatchTheGoldenCounts) {
    const std::string name = std::string(GetParam()) + " pieces=3";
    Brute brute(mill::testing::ruleset_of(name));
    int rows = 0;
    for (const GoldenCounts& g : golden_limit_counts())
        if (g.rules == name) {
            expect_counts(brute, g);
            ++rows;
        }
    EXPECT_GE(rows, 7);
}

constexpr const char* kPresets[] = {"lg9", "lg10", "lg12", "gf9", "app3", "twelve"};
INSTANTIATE_TEST_SUITE_P(Golden, SmallGames, ::testing::ValuesIn(kPresets),
                         [](const auto& preset) { return std::string(preset.param); });

TEST(Golden, NoPresetIsLeftOut) {
    std::set<std::string> listed;
    for (const char* preset : kPresets) listed.insert(std::string(preset) + " pieces=3");
    for (const GoldenCounts& g : golden_limit_counts()) {
        if (g.rules.find("pieces=3") == std::string::npos) continue;
        EXPECT_TRUE(listed.contains(g.rules)) << g.rules;
    }
}

/// Published counts without limits, as far as three stones go.
TEST(Golden, PublishedCountsOfThreeStones) {
    for (const char* preset : {"solved10", "solved12"}) {
        Brute brute(load_ruleset(preset));
        for (const GoldenCounts& g : golden_solved_counts())
            if (const Counts c = parse_counts(g.subspace); g.rules == preset && c.total() <= 6)
                expect_counts(brute, g);
    }
}

} // namespace
} // namespace mill::brute

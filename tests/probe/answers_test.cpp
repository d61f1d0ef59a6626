// Answers against the solver's tables at every counter, and against the rules applied to neighbours.
#include "probe/tables/answers.h"
#include "rules/text.h"
#include "tests/probe/solved_tables.h"

#include <gtest/gtest.h>

#include <filesystem>

namespace mill::testing {
namespace {

namespace fs = std::filesystem;

/// Some positions of a subspace, all if there are few.
template <class Fn> void each_position(const SolvedTables& solved, Subspace s, std::uint64_t about, Fn&& fn) {
    const SubspaceIndex& index = solved.tables.at(s)->index;
    for (std::uint64_t i = 0; i < index.size(); i += 1 + index.size() / about) {
        const auto [own, opp] = index.position(i);
        fn(i, make_position(s, own, opp));
    }
}

TEST(Answers, AreTheSolversValuesAtEveryCounter) {
    for (const SolvedTables* solved : {&three_pieces(), &counting_placements(), &unlimited()}) {
        TableSet set(solved->rules);
        const OpenReport report = set.add_directory(solved->directory.path());
        EXPECT_EQ(report.refused.size(), 0U);
        EXPECT_EQ(report.found.size(), 3 * solved->tables.size());
        for (const auto& [s, table] : solved->tables)
            each_position(*solved, s, 3000, [&, t = table](std::uint64_t i, Position p) {
                if (judge(solved->rules, p).reason != Reason::none) return;
                const int limit = draw_limit(solved->rules, p);
                for (int counter = 0; counter < std::max(limit, 1); ++counter) {
                    p.counter = static_cast<std::uint8_t>(counter);
                    const Value v = t->at(i, limit - counter);
                    const Answer a = answer(set, p, kAllMetrics);
                    ASSERT_EQ(a.outcome, v.outcome) << to_text(p);
                    const bool decided = v.outcome != Outcome::draw;
                    ASSERT_EQ(a.dte, decided ? v.dte : -1) << to_text(p);
                    ASSERT_EQ(a.dtz, decided ? t->dtz[i] : -1) << to_text(p);
                }
            });
    }
}

TEST(Answers, TurnsSayWhatThePositionSays) {
    for (const SolvedTables* solved : {&three_pieces(), &counting_placements(), &unlimited()}) {
        TableSet set(solved->rules);
        set.add_directory(solved->directory.path());
        for (const auto& [s, table] : solved->tables)
            each_position(*solved, s, 60, [&](std::uint64_t, Position p) {
                if (judge(solved->rules, p).reason != Reason::none) return;
                const int limit = draw_limit(solved->rules, p);
                for (int counter = 0; counter < std::max(limit, 1); counter += 3) {
                    p.counter = static_cast<std::uint8_t>(counter);
                    try {
                        validate(solved->rules, p);
                    } catch (const Error&) { // every turn resets: no such counter
                        break;
                    }
                    const auto turns = rank_turns(set, p, kAllMetrics);
                    ASSERT_FALSE(turns.empty());
                    const Answer a = answer(set, p, kAllMetrics), b = answer_from_turns(turns);
                    ASSERT_EQ(a.outcome, b.outcome) << to_text(p);
                    ASSERT_EQ(a.dte, b.dte) << to_text(p);
                    ASSERT_EQ(a.dtz, b.dtz) << to_text(p);
                    ASSERT_TRUE(std::is_sorted(turns.begin(), turns.end(), [](const auto& x, const auto& y) {
                        return better({x.outcome, static_cast<std::uint16_t>(std::max(x.dte, 0))},
                                      {y.outcome, static_cast<std::uint16_t>(std::max(y.dte, 0))});
                    })) << to_text(p);
                }
            });
    }
}

TEST(Answers, LinesAreAsLongAsPromisedAndEndTheGame) {
    for (const SolvedTables* solved : {&three_pieces(), &counting_placements(), &unlimited()}) {
        TableSet set(solved->rules);
        set.add_directory(solved->directory.path());
        for (const auto& [s, table] : solved->tables)
            each_position(*solved, s, 40, [&](std::uint64_t, Position p) {
                if (judge(solved->rules, p).reason != Reason::none) return;
                const Answer a = answer(set, p, kAllMetrics);
                const std::vector<Turn> line = best_line(set, p);
                if (a.outcome == Outcome::draw) {
                    ASSERT_TRUE(line.empty());
                    return;
                }
                ASSERT_EQ(static_cast<int>(line.size()), a.dte) << to_text(p);
                Position last = p;
                for (const Turn t : line) last = apply_turn(solved->rules, last, t);
                const Ending end = judge(solved->rules, last);
                ASSERT_NE(end.reason, Reason::none);
                const bool same_side = last.side == p.side;
                ASSERT_EQ(end.outcome == (same_side ? a.outcome : after_turn({a.outcome, 0}).outcome), true);
            });
    }
}

TEST(Answers, ProfilesGiveTheDistanceAtEveryBudget) {
    const SolvedTables& solved = counting_placements();
    TableSet set(solved.rules);
    set.add_directory(solved.directory.path());
    std::size_t compared = 0;
    for (const auto& [s, table] : solved.tables)
        each_position(solved, s, 2000, [&, t = table](std::uint64_t i, Position p) {
            if (judge(solved.rules, p).reason != Reason::none) return;
            const auto steps = profile(set, p);
            if (t->outcome(i) == Outcome::draw) {
                ASSERT_TRUE(steps.empty());
                return;
            }
            ++compared;
            for (int r = t->dtz[i]; r <= draw_limit(solved.rules, p); ++r) {
                int dte = -1;
                for (const auto& [budget, distance] : steps)
                    if (budget <= r) dte = distance;
                ASSERT_EQ(dte, t->at(i, r).dte) << to_text(p) << " budget " << r;
            }
        });
    EXPECT_GT(compared, 0U);
}

TEST(Answers, WithoutDistancesTheyAreUnknownAndNeverWrong) {
    const SolvedTables solved("lg9;pieces=3;quiet_limit=10", {parse_subspace("2-3+1-0")});
    const Subspace flying = parse_subspace("3-3+0-0");
    fs::remove(solved.file(flying, "dte"));
    {
        TableSet set(solved.rules);
        set.add_directory(solved.directory.path());
        Position p = make_position(flying, 0b111000, 0b111);
        p.counter = 3;
        const Answer a = answer(set, p, kAllMetrics);
        EXPECT_EQ(a.dte, -1);
        EXPECT_EQ(a.dtz >= 0, a.outcome != Outcome::draw);
        EXPECT_NO_THROW(rank_turns(set, p, kAllMetrics));
    }
    fs::remove(solved.file(flying, "dtz"));
    TableSet set(solved.rules);
    set.add_directory(solved.directory.path());
    Position p = make_position(flying, 0b1010001, 0b101010);
    EXPECT_EQ(answer(set, p, kAllMetrics).dtz, -1);
    p.counter = 3;
    std::uint64_t decided = 0;
    each_position(solved, flying, 50, [&](std::uint64_t i, Position q) {
        if (judge(solved.rules, q).reason != Reason::none) return;
        if (solved.tables.at(flying)->outcome(i) == Outcome::draw) return;
        ++decided;
        q.counter = 3;
        try {
            answer(set, q, {});
            FAIL() << "the outcome at a counter cannot be known";
        } catch (const Error& e) {
            EXPECT_EQ(e.code(), ErrorCode::missing_table);
            EXPECT_NE(std::string(e.what()).find("3-3+0-0.dtz"), std::string::npos);
        }
    });
    EXPECT_GT(decided, 0U);
}

TEST(Answers, MissingSubspacesAreThoseOfTheTurns) {
    const SolvedTables& solved = three_pieces();
    TableSet empty(solved.rules);
    const Position start = initial_position(solved.rules);
    EXPECT_EQ(missing_subspaces(empty, start), std::vector<Subspace>{parse_subspace("0-1+3-2")});
    TableSet set(solved.rules);
    set.add_directory(solved.directory.path());
    EXPECT_TRUE(missing_subspaces(set, start).empty());
}

TEST(Answers, FinishedGamesNeedNoTables) {
    const Ruleset rules = load_ruleset("lg9");
    TableSet set(rules);
    const Answer lost = answer(set, parse_position(rules, "WW1/3/3/3BBB/3/3/3 w 0,0"), kAllMetrics);
    EXPECT_EQ(lost.ends, Reason::too_few_stones);
    EXPECT_EQ(lost.outcome, Outcome::loss);
    EXPECT_EQ(lost.dte, 0);
    EXPECT_EQ(answer(set, parse_position(rules, "WW1/3/3/3BBB/3/3/3 b 0,0"), kAllMetrics).outcome,
              Outcome::win);
}

} // namespace
} // namespace mill::testing

// Mill return: up to 5-4 the rule changes no stored value, so that counts prove nothing about it. These tests do.
#include "tests/brute/golden.h"
#include "tests/brute/restricted_search.h"
#include "tests/solver/built_tables.h"

#include "builder/solve/transfers.h"
#include "probe/index/turn_classes.h"
#include "rules/text.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <random>
#include <sstream>

namespace mill::testing {
namespace {

using builder::TableValues;

Ruleset small_limits(const char* preset, const char* mill_return) {
    Ruleset rules = load_ruleset(preset);
    rules.set("quiet_limit", "6");
    rules.set("endgame_limit", "4");
    rules.set("mill_return", mill_return);
    return rules;
}

/// Stored values for the plain search.
brute::StoredScore stored_scores(const TableValues& values, const Ruleset& rules) {
    return [&values, &rules](const Position& p, int budget) {
        const auto us = static_cast<std::size_t>(p.us()), them = static_cast<std::size_t>(p.them());
        const Value v = values.value(subspace_of(p), p.stones[us], p.stones[them],
                                     budget ? budget : draw_limit(rules, p));
        return brute::score_of(v.outcome, v.dte);
    };
}

/// All subspaces that evaluation of positions of these subspaces can read.
std::vector<Subspace> closure(const Ruleset& rules, const std::vector<Subspace>& roots) {
    std::vector<Subspace> out = roots;
    for (std::size_t i = 0; i < out.size(); ++i) {
        std::vector<Subspace> next = dependencies(rules, out[i]);
        for (const Subspace g : solve_group(rules, out[i])) next.push_back(g);
        for (const Subspace s : next)
            if (std::find(out.begin(), out.end(), s) == out.end()) out.push_back(s);
    }
    return out;
}

/// Tables in memory and values from them.
struct Solved {
    Solved(const Ruleset& r, const std::vector<Subspace>& roots)
        : rules(r), tables(r, true), values(closure(r, roots), [this](Subspace s) { return tables.get(s); }) {
        for (const Subspace s : roots) tables.need(s);
    }
    Value evaluated(const Position& p) const {
        const int limit = draw_limit(rules, p);
        return evaluate(rules, p, limit ? limit - p.counter : 0, values);
    }
    Value searched(const Position& p) const {
        const int limit = draw_limit(rules, p);
        const brute::Score s =
            brute::restricted_score(rules, p, limit ? limit - p.counter : 0, stored_scores(values, rules));
        return {brute::outcome_of(s), static_cast<std::uint16_t>(brute::plies_of(s))};
    }
    Ruleset rules;
    BuiltTables tables;
    TableValues values;
};

std::string in_words(Value v) {
    return std::string(to_text(v.outcome)) +
           (v.outcome == Outcome::draw ? "" : " in " + std::to_string(v.dte));
}

TEST(MillReturn, GoldenRestrictedPositions) {
    const Solved solved(small_limits("lg12", "no-reverse"), {parse_subspace("4-5")});
    std::ifstream in(std::string(MILL_DATA_DIR) + "/golden/restricted.tsv");
    ASSERT_TRUE(in) << "data/golden/restricted.tsv";
    int rows = 0;
    for (std::string line; std::getline(in, line);) {
        if (line.empty() || line[0] == '#') continue;
        std::istringstream fields(line);
        std::string position, outcome, dte;
        std::getline(fields, position, '\t');
        std::getline(fields, outcome, '\t');
        std::getline(fields, dte, '\t');
        const Position p = parse_position(solved.rules, position);
        ASSERT_TRUE(p.restriction[0].active() || p.restriction[1].active()) << position;
        const Value v = solved.evaluated(p);
        EXPECT_EQ(std::string(to_text(v.outcome)), outcome) << position;
        EXPECT_EQ(v.outcome == Outcome::draw ? -1 : v.dte, std::stoi(dte)) << position;
        EXPECT_EQ(in_words(solved.searched(p)), in_words(v)) << position;
        ++rows;
    }
    EXPECT_EQ(rows, 400);
}

/// A random set-up with a transfer: the mover's five or more stones, one of them leaving a complete mill for
/// another. Set-ups are drawn until one has a turn of that kind.
struct TransferSample {
    Position before;
    Turn turn;
};

bool is_transfer(const Ruleset& rules, const Position& p, Turn t) {
    if (t.placement()) return false;
    const Stones own = p.stones[0] & ~bit(t.from);
    return in_mill(rules.geo(), own, t.from) && in_mill(rules.geo(), own, t.to);
}

TransferSample draw_transfer(const Ruleset& rules, Subspace s, std::mt19937_64& random) {
    auto random_set = [&](int n, Stones within) {
        Stones set = 0;
        while (count(set) < n) set |= bit(static_cast<int>(random() % kPoints)) & within;
        return set;
    };
    const Geometry& g = rules.geo();
    for (;;) {
        // Start from two lines, or transfers would be rare.
        Stones own = g.lines[random() % static_cast<unsigned>(g.line_count)];
        own |= g.lines[random() % static_cast<unsigned>(g.line_count)];
        own &= ~bit(static_cast<int>(random() % kPoints));
        if (count(own) > s.own) continue;
        own |= random_set(s.own - count(own), kAllPoints & ~own);
        if (count(own) != s.own) continue;
        const Position p = make_position(s, own, random_set(s.opp, kAllPoints & ~own));
        TurnList turns;
        generate_turns(rules, p, turns);
        std::vector<Turn> transfers;
        for (const Turn t : turns)
            if (is_transfer(rules, p, t)) transfers.push_back(t);
        if (!transfers.empty()) return {p, transfers[random() % transfers.size()]};
    }
}

/// Sampled transfers: the value of the position after each, by evaluation and by plain search.
void compare_transfers(const char* mill_return, Subspace s, int samples) {
    const Ruleset rules = small_limits("lg12", mill_return);
    const Subspace child{static_cast<std::uint8_t>(s.opp - 1), s.own, 0, 0};
    const Solved solved(rules, {child});
    std::mt19937_64 random(20240 + s.own * 100 + s.opp);
    int restricted = 0, both = 0, changed = 0;
    for (int n = 0; n < samples; ++n) {
        const TransferSample sample = draw_transfer(rules, s, random);
        Position after = apply_turn(rules, sample.before, sample.turn);
        const bool live = after.restriction[0].active() || after.restriction[1].active();
        EXPECT_TRUE(live || rules.mill_return == MillReturn::free ||
                    judge(rules, after).reason != Reason::none)
            << to_text(after);
        restricted += live;
        const Value v = solved.evaluated(after);
        ASSERT_EQ(in_words(solved.searched(after)), in_words(v)) << to_text(after);
        Position unrestricted = after;
        unrestricted.restriction = {};
        changed += solved.evaluated(unrestricted) != v;
        // The other side restricted as well, wherever that binds: by a set-up.
        Position twice = after;
        const auto us = static_cast<std::size_t>(twice.us());
        for (int from = 0; from < kPoints && rules.mill_return != MillReturn::free; ++from)
            for (int to = 0; to < kPoints; ++to) {
                twice.restriction[us] = {static_cast<std::int8_t>(from), static_cast<std::int8_t>(to)};
                if (from == to || !(twice.stones[us] & bit(to))) continue;
                const Position live_ones = drop_dead_restrictions(rules, twice);
                if (!live_ones.restriction[0].active() || !live_ones.restriction[1].active()) continue;
                ASSERT_EQ(in_words(solved.searched(live_ones)), in_words(solved.evaluated(live_ones)))
                    << to_text(live_ones);
                ++both;
                from = kPoints; // one a sample
                break;
            }
    }
    if (rules.mill_return == MillReturn::free) {
        EXPECT_EQ(restricted, 0);
        EXPECT_EQ(changed, 0);
        return;
    }
    EXPECT_GT(restricted, samples * 9 / 10);
    EXPECT_GT(changed, samples / 100) << "the rule must matter, or this test shows nothing";
    EXPECT_GT(both, samples / 100);
    std::printf(
        "%s %s: %d transfers, the restriction changes %d values (%.1f %%), %d with both sides restricted\n",
        mill_return, to_text(s).c_str(), samples, changed, 100.0 * changed / samples, both);
}

TEST(MillReturn, TransfersOutOf55NoReverse) { compare_transfers("no-reverse", parse_subspace("5-5"), 10000); }
TEST(MillReturn, TransfersOutOf55NoReform) { compare_transfers("no-reform", parse_subspace("5-5"), 10000); }
TEST(MillReturn, TransfersOutOf55Free) { compare_transfers("free", parse_subspace("5-5"), 10000); }
TEST(SlowMillReturn, TransfersOutOf65NoReverse) {
    compare_transfers("no-reverse", parse_subspace("6-5"), 10000);
}
TEST(SlowMillReturn, TransfersOutOf65NoReform) {
    compare_transfers("no-reform", parse_subspace("6-5"), 10000);
}
TEST(SlowMillReturn, TransfersOutOf65Free) { compare_transfers("free", parse_subspace("6-5"), 10000); }
TEST(SlowMillReturn, TransfersOutOf66NoReverse) {
    compare_transfers("no-reverse", parse_subspace("6-6"), 10000);
}
TEST(SlowMillReturn, TransfersOutOf66NoReform) {
    compare_transfers("no-reform", parse_subspace("6-6"), 10000);
}
TEST(SlowMillReturn, TransfersOutOf66Free) { compare_transfers("free", parse_subspace("6-6"), 10000); }

/// The solver's search with bounds against the plain rules turn by turn, with and without distances.
void compare_search(const Ruleset& rules, Subspace s, int samples) {
    const Subspace child{static_cast<std::uint8_t>(s.opp - 1), s.own, s.opp_reserve, s.own_reserve};
    const Solved solved(rules, {child});
    BuiltTables outcomes(rules, false);
    for (const Subspace d : dependencies(rules, s)) outcomes.need(d);
    const builder::TransferEvaluator distances(
        rules, s, [&](Subspace d) { return solved.tables.get(d); }, true);
    const builder::TransferEvaluator plain(
        rules, s, [&](Subspace d) { return outcomes.get(d); }, false);
    std::mt19937_64 random(31 + s.own * 100 + s.opp);
    int bound_missed = 0;
    for (int n = 0; n < samples; ++n) {
        const TransferSample sample = draw_transfer(rules, s, random);
        const Stones own = sample.before.stones[0], opp = sample.before.stones[1];
        const int from = sample.turn.from, to = sample.turn.to;
        const Value v = distances.best_by_rules(s, own, opp, from, to, 0);
        ASSERT_EQ(in_words(distances.best(s, own, opp, from, to, 0)), in_words(v))
            << to_text(sample.before) << " " << to_text(sample.turn);
        ASSERT_EQ(plain.best(s, own, opp, from, to, 0).outcome, v.outcome)
            << to_text(sample.before) << " " << to_text(sample.turn);
        Value unrestricted{Outcome::loss, 0};
        for (Stones rest = capturable(rules.geo(), opp); rest; rest &= rest - 1) {
            const Value c = after_turn(solved.values.value(child, opp & ~(rest & (~rest + 1)),
                                                           (own & ~bit(from)) | bit(to),
                                                           TurnClasses(rules, child).limit));
            if (better(c, unrestricted)) unrestricted = c;
        }
        bound_missed += v != unrestricted;
    }
    EXPECT_GT(bound_missed, samples / 200) << "the restriction must matter, or this test shows nothing";
}

TEST(MillReturn, SearchWithBoundsNoReverse) {
    compare_search(small_limits("lg12", "no-reverse"), parse_subspace("5-5"), 5000);
}
TEST(MillReturn, SearchWithBoundsNoReform) {
    compare_search(small_limits("lg12", "no-reform"), parse_subspace("5-5"), 5000);
}
TEST(MillReturn, SearchWithBoundsReservesNoReform) {
    compare_search(ruleset_of("lg10 quiet_limit=6 quiet_reset=capture mill_return=no-reform board=diagonal"),
                   parse_subspace("5-3+0-1"), 3000);
}
TEST(SlowMillReturn, SearchWithBoundsPlacementsKeep) {
    const Ruleset rules = ruleset_of(
        "lg10 quiet_limit=6 quiet_reset=capture placement_counts=no mill_return=no-reform flying=off");
    compare_search(rules, parse_subspace("5-4+0-1"), 20000);
}
TEST(SlowMillReturn, SearchWithBoundsOutOf66) {
    compare_search(small_limits("lg12", "no-reverse"), parse_subspace("6-6"), 4000);
    compare_search(small_limits("lg12", "no-reform"), parse_subspace("6-6"), 4000);
}

/// Stored values: a position whose best turn is a transfer, derived from its turns by the plain search.
void check_stored(const Solved& solved, Subspace s, int samples) {
    std::mt19937_64 random(977);
    int best_is_transfer = 0;
    for (int n = 0; n < samples; ++n) {
        const Position p = draw_transfer(solved.rules, s, random).before;
        TurnList turns;
        generate_turns(solved.rules, p, turns);
        const int limit = draw_limit(solved.rules, p);
        brute::Score best = brute::lost_in(0), best_transfer = brute::lost_in(0);
        for (const Turn t : turns) {
            const Position child = apply_turn(solved.rules, p, t);
            const Ending end = judge(solved.rules, child);
            brute::Score score;
            if (end.reason != Reason::none) score = brute::after_turn(brute::score_of(end.outcome, 0));
            else {
                const bool quiet = counter_effect(solved.rules, p, t) == CounterEffect::advance;
                const int budget = quiet ? limit - 1 : draw_limit(solved.rules, child);
                score = brute::after_turn(brute::restricted_score(
                    solved.rules, child, budget, stored_scores(solved.values, solved.rules)));
            }
            best = std::max(best, score);
            if (is_transfer(solved.rules, p, t)) best_transfer = std::max(best_transfer, score);
        }
        best_is_transfer += best_transfer == best;
        const Value stored = solved.values.value(s, p.stones[0], p.stones[1], limit);
        ASSERT_EQ(in_words({brute::outcome_of(best), static_cast<std::uint16_t>(brute::plies_of(best))}),
                  in_words(stored))
            << to_text(p);
    }
    EXPECT_GT(best_is_transfer, samples / 20);
}

/// How many of the first board's values differ between two rules.
std::int64_t differences(const builder::MemoryTable& a, const builder::MemoryTable& b) {
    std::int64_t n = 0;
    for (std::uint64_t i = 0; i < a.index.size(); ++i) n += a.at(i, 0) != b.at(i, 0);
    return n;
}

void compare_stored(const char* name, int samples) {
    const Subspace s = parse_subspace(name);
    const Solved free(small_limits("lg12", "free"), {s});
    const Solved reverse(small_limits("lg12", "no-reverse"), {s});
    const Solved reform(small_limits("lg12", "no-reform"), {s});
    const auto table = [&](const Solved& x) { return x.tables.get(s); };
    const std::int64_t free_reverse = differences(*table(free), *table(reverse));
    const std::int64_t free_reform = differences(*table(free), *table(reform));
    const std::int64_t reverse_reform = differences(*table(reverse), *table(reform));
    std::printf(
        "%s: entries that differ: free/no-reverse %lld, free/no-reform %lld, no-reverse/no-reform %lld\n",
        name, static_cast<long long>(free_reverse), static_cast<long long>(free_reform),
        static_cast<long long>(reverse_reform));
    EXPECT_GT(free_reverse, 0);
    EXPECT_GT(free_reform, 0);
    // Another stone can restore the old line only if there is one beside those of the two mills: the new mill's
    // are nowhere beside the point that was left.
    if (std::max(s.own, s.opp) > 5) EXPECT_GT(reverse_reform, 0);
    else EXPECT_EQ(reverse_reform, 0);
    for (const Solved* x : {&free, &reverse, &reform}) check_stored(*x, s, samples);
}

TEST(SlowMillReturn, Stored55ValuesUnderTheThreeRules) { compare_stored("5-5", 5000); }
TEST(SlowMillReturn, Stored65ValuesUnderTheThreeRules) { compare_stored("6-5", 5000); }

} // namespace
} // namespace mill::testing

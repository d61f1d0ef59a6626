// Half sets: what they leave out follows from what they keep, value for value.
#include "probe/tables/half_set.h"

#include "builder/check/derive.h"
#include "builder/jobs/repack.h"
#include "probe/tables/answers.h"
#include "rules/text.h"
#include "tests/probe/solved_tables.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <random>

namespace mill::testing {
namespace {

namespace fs = std::filesystem;

/// The tables that a half set keeps, in a directory of their own.
class HalfDirectory {
public:
    explicit HalfDirectory(const SolvedTables& solved) {
        const builder::TableStore from(solved.rules, solved.directory.path()),
            to(solved.rules, folder_.path());
        to.make_folder();
        std::vector<Subspace> subspaces;
        for (const auto& [s, table] : solved.tables) subspaces.push_back(s);
        left_out_ = builder::take_what_follows(from, to, {true, true, true}, subspaces);
        builder::RepackOptions options;
        options.codec = Codec::plain;
        options.level = 1;
        for (const Subspace s : subspaces)
            builder::repack(from, to, s, options, [](const builder::Repacked&) {});
    }
    const std::string& path() const { return folder_.path(); }
    const std::vector<Subspace>& left_out() const { return left_out_; }
    std::string file(const SolvedTables& solved, const char* table) const {
        return folder_.path() + "/" + solved.rules.folder_name() + "/" + table;
    }

private:
    TemporaryDirectory folder_;
    std::vector<Subspace> left_out_;
};

/// Every `step`th entry of what was left out, at every counter: value, DTZ, profile.
void expect_derived(const SolvedTables& solved, std::uint64_t step) {
    const HalfDirectory half(solved);
    TableSet set(solved.rules);
    set.add_directory(half.path());
    std::uint64_t compared = 0;
    for (const Subspace s : half.left_out()) {
        ASSERT_FALSE(set.has(s, Metric::wdl)) << to_text(s);
        const builder::MemoryTable& table = *solved.tables.at(s);
        for (std::uint64_t i = 0; i < table.index.size(); i += step) {
            const auto [own, opp] = table.index.position(i);
            Position p = make_position(s, own, opp);
            if (judge(solved.rules, p).reason != Reason::none) continue;
            const int limit = draw_limit(solved.rules, p);
            const auto changes = profile(set, p);
            for (int r = limit; r >= (limit ? 1 : 0); --r) {
                p.counter = static_cast<std::uint8_t>(limit - r);
                const Value v = table.at(i, r);
                const Answer a = answer(set, p, kAllMetrics);
                const bool decided = v.outcome != Outcome::draw;
                ASSERT_EQ(a.outcome, v.outcome) << to_text(p);
                ASSERT_EQ(a.dte, decided ? v.dte : -1) << to_text(p);
                ASSERT_EQ(a.dtz, decided ? table.dtz[i] : -1) << to_text(p);
                int by_profile = -1;
                for (const auto& [budget, dte] : changes)
                    if (budget <= r) by_profile = dte;
                ASSERT_EQ(by_profile, limit ? a.dte : -1) << to_text(p);
                ++compared;
            }
            p.counter = 0;
            ASSERT_EQ(answer_from_turns(rank_turns(set, p, kAllMetrics)).dte,
                      answer(set, p, kAllMetrics).dte);
            ASSERT_TRUE(missing_subspaces(set, p).empty()) << to_text(p);
        }
    }
    EXPECT_GT(compared, 10000U);
}

TEST(HalfSet, PlacingWithADrawLimit) { expect_derived(three_pieces(), 2); }
TEST(HalfSet, PlacementsThatCount) { expect_derived(counting_placements(), 7); }
TEST(HalfSet, WithoutALimit) { expect_derived(unlimited(), 1); }
TEST(HalfSet, MovementsBesideReserves) {
    expect_derived(SolvedTables("lg10;pieces=3;quiet_limit=12", {parse_subspace("0-0+3-3")}), 11);
}
TEST(HalfSet, WalkersThatFlyLater) {
    expect_derived(SolvedTables("lg9;quiet_limit=9", {parse_subspace("3-4")}), 97);
}
/// Five stones transfer: the positions behind that are restricted, and reach subspaces that are left out.
TEST(HalfSet, UnderMillReturn) {
    expect_derived(SolvedTables("lg12;quiet_limit=8;endgame_limit=6", {parse_subspace("5-4")}), 4999);
}

/// What verification makes of them: whole tables, as the solver's byte for byte.
void expect_made_again(const SolvedTables& solved) {
    std::vector<Subspace> all;
    for (const auto& [s, table] : solved.tables) all.push_back(s);
    const builder::TableValues values(all, [&](Subspace s) { return solved.tables.at(s); });
    const HalfDirectory half(solved);
    for (const Subspace s : half.left_out()) {
        const builder::MemoryTable& table = *solved.tables.at(s);
        const builder::MemoryTable again =
            builder::derive_table(solved.rules, s, {true, true, true}, values, 2, nullptr);
        EXPECT_TRUE(again.wdl == table.wdl) << to_text(s);
        EXPECT_TRUE(again.dtz == table.dtz) << to_text(s);
        EXPECT_TRUE(again.dte == table.dte) << to_text(s);
        EXPECT_EQ(again.steps, table.steps) << to_text(s);
        const builder::MemoryTable outcomes =
            builder::derive_table(solved.rules, s, {true, true, false}, values, 1, nullptr);
        EXPECT_TRUE(outcomes.wdl == table.wdl && outcomes.dtz == table.dtz && outcomes.dte.empty())
            << to_text(s);
    }
    EXPECT_FALSE(half.left_out().empty());
}

TEST(HalfSet, MadeAgainForVerification) {
    expect_made_again(three_pieces());
    expect_made_again(counting_placements());
    expect_made_again(unlimited());
    expect_made_again(SolvedTables("lg9;quiet_limit=9", {parse_subspace("3-4")}));
}

TEST(HalfSet, KeepsWhatItsOwnFollowsFrom) {
    for (const char* name : {"lg9", "lg10", "lg12", "app9", "gf9", "twelve", "solved10", "solved12"}) {
        const Ruleset rules = load_ruleset(name);
        const HalfSet half(rules);
        std::uint64_t all = 0, left_out = 0;
        for (std::uint8_t own = 0; own <= 12; ++own)
            for (std::uint8_t opp = 0; opp <= 12; ++opp)
                for (std::uint8_t r = 0; r <= 12; ++r)
                    for (std::uint8_t q = 0; q <= 12; ++q) {
                        const Subspace s{own, opp, r, q};
                        if (!can_exist(rules, s) || state_of(rules, s) != SubspaceState::open) {
                            ASSERT_FALSE(half.leaves_out(s)) << to_text(s);
                            continue;
                        }
                        const std::uint64_t entries = entry_count(own, opp);
                        all += entries;
                        if (!half.leaves_out(s)) continue;
                        left_out += entries;
                        const TurnClasses turns(rules, s);
                        ASSERT_FALSE(turns.moves && half.leaves_out(s.mirrored())) << to_text(s);
                        for (const Subspace child : turns.children())
                            ASSERT_FALSE(half.leaves_out(child)) << to_text(s);
                    }
        EXPECT_GT(left_out, 3 * all / 10) << name;
    }
    EXPECT_FALSE(HalfSet(load_ruleset("lg9")).leaves_out({13, 3, 0, 0}));
    EXPECT_TRUE(HalfSet(load_ruleset("lg9")).leaves_out(parse_subspace("5-7")));
    EXPECT_FALSE(HalfSet(load_ruleset("lg9")).leaves_out(parse_subspace("7-5")));
}

TEST(HalfSet, IsTakenOnlyWhereAllIsThere) {
    const SolvedTables solved("lg9;quiet_limit=9", {parse_subspace("3-4")});
    const TemporaryDirectory none;
    const builder::TableStore from(solved.rules, solved.directory.path()), to(solved.rules, none.path());
    const auto take = [&](const builder::Metrics& metrics, const std::vector<const char*>& texts) {
        std::vector<Subspace> subspaces;
        subspaces.reserve(texts.size());
        for (const char* s : texts) subspaces.push_back(parse_subspace(s));
        return builder::take_what_follows(from, to, metrics, subspaces);
    };
    const std::vector<Subspace> smaller = {parse_subspace("3-4")};
    EXPECT_TRUE(take({true, true, true}, {"3-4"}).empty());
    EXPECT_TRUE(take({true, true, true}, {"3-4", "4-3"}).empty());
    EXPECT_TRUE(take({true, false, false}, {"3-3", "3-4", "4-3"}).empty()); // DTZ tells what it follows from
    EXPECT_EQ(take({true, true, true}, {"3-3", "3-4", "4-3"}), smaller);
    EXPECT_EQ(take({true, true, false}, {"3-3", "3-4", "4-3"}), smaller);
    EXPECT_TRUE(take({true, true, true}, {"3-3", "4-3", "4-5"}).empty()); // not there: repacking will say so
    fs::remove(solved.file(parse_subspace("3-3"), "dte"));
    EXPECT_TRUE(take({true, true, true}, {"3-3", "3-4", "4-3"}).empty());
    EXPECT_EQ(take({true, true, false}, {"3-3", "3-4", "4-3"}), smaller);
    fs::remove(solved.file(parse_subspace("3-4"), "dtz"));
    EXPECT_TRUE(take({true, true, false}, {"3-3", "3-4", "4-3"}).empty());
}

TEST(HalfSet, WhatIsMissingOrDamagedIsNotDerived) {
    const SolvedTables& solved = three_pieces();
    const HalfDirectory half(solved);
    // A position of a left-out table, and the tables that its values follow from.
    const Subspace s = half.left_out().back();
    const builder::MemoryTable& table = *solved.tables.at(s);
    Position p;
    for (std::uint64_t i = 0;; ++i) {
        const auto [own, opp] = table.index.position(i);
        p = make_position(s, own, opp);
        if (judge(solved.rules, p).reason == Reason::none && table.at(i, 0).dte > 1) break;
    }
    TableSet half_set(solved.rules);
    half_set.add_directory(half.path());
    std::string said;
    const TableSet empty(solved.rules);
    EXPECT_EQ(thrown([&] { answer(empty, p, {}); }, &said), ErrorCode::missing_table);
    EXPECT_NE(said.find(to_text(s)), std::string::npos) << said;
    EXPECT_EQ(thrown([&] { profile(empty, p); }), ErrorCode::missing_table);
    EXPECT_EQ(thrown([&] { profile(empty, make_position(parse_subspace("3-3"), 7, 7 << 3)); }),
              ErrorCode::missing_table);
    for (const auto& entry : fs::directory_iterator(half.path() + "/" + solved.rules.folder_name()))
        if (entry.path().extension() == ".dtz") fs::remove(entry.path());
    TableSet no_dtz(solved.rules);
    no_dtz.add_directory(half.path());
    EXPECT_EQ(answer(no_dtz, p, kAllMetrics).dtz, -1);
    // A soft probe does not wait for the table that is not there; nor for one of its distances that is.
    fs::copy_file(solved.file(s, "dtz"), half.file(solved, (to_text(s) + ".dtz").c_str()));
    TableSet stray(solved.rules);
    stray.add_directory(half.path());
    answer(stray, p, {});
    EXPECT_TRUE(cached(stray, p, {}));
    EXPECT_EQ(answer(stray, p, {}, Stored::Read::cached_only).outcome, answer(half_set, p, {}).outcome);
    fs::remove(half.file(solved, (to_text(s) + ".dtz").c_str()));
    // Any file of its own, damaged: an error that says so, though its values would follow.
    std::ofstream(half.file(solved, (to_text(s) + ".dte").c_str())) << "no table";
    TableSet damaged_distances(solved.rules);
    damaged_distances.add_directory(half.path());
    EXPECT_EQ(thrown([&] { answer(damaged_distances, p, {}); }), ErrorCode::corrupt_table);
    fs::remove(half.file(solved, (to_text(s) + ".dte").c_str()));
    std::ofstream(half.file(solved, (to_text(s) + ".wdl").c_str())) << "no table";
    TableSet damaged(solved.rules);
    damaged.add_directory(half.path());
    EXPECT_EQ(thrown([&] { answer(damaged, p, {}); }), ErrorCode::corrupt_table);
}

} // namespace
} // namespace mill::testing

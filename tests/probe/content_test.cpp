// What tables can hold beyond the ordinary: profiles, values under a restriction, and content that no honest
// solver writes, under good checksums.
#include "builder/encode/table_writer.h"
#include "builder/solve/transfers.h"
#include "builder/tables/store.h"
#include "millprobe.h"
#include "probe/index/turn_classes.h"
#include "probe/tables/answers.h"
#include "probe/tables/check_tables.h"
#include "rules/error.h"
#include "rules/text.h"
#include "tests/probe/damage.h"
#include "tests/probe/solved_tables.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <functional>

namespace mill::testing {
namespace {

namespace fs = std::filesystem;
using builder::MemoryTable;

/// Four stones against three: there a capture can be put off, and distances depend on the budget.
const SolvedTables& with_profiles() {
    static const SolvedTables solved("lg9;quiet_limit=30", {parse_subspace("3-4")});
    return solved;
}

TEST(Content, ProfilesAreTheSolversAtEveryCounter) {
    const SolvedTables& solved = with_profiles();
    TableSet set(solved.rules);
    set.add_directory(solved.directory.path());
    EXPECT_NO_THROW(check_tables(set, {}));
    int steps = 0;
    for (const auto& [s, table] : solved.tables)
        for (const ProfileStep& step : table->steps) {
            ++steps;
            const auto [own, opp] = table->index.position(step.entry);
            Position p = make_position(s, own, opp);
            const int limit = draw_limit(solved.rules, p);
            const auto changes = profile(set, p);
            EXPECT_GE(changes.size(), 2U) << to_text(p);
            for (int r = 1; r <= limit; ++r) {
                p.counter = static_cast<std::uint8_t>(limit - r);
                const Value v = table->at(step.entry, r);
                const Answer a = answer(set, p, kAllMetrics);
                ASSERT_EQ(a.outcome, v.outcome) << to_text(p);
                ASSERT_EQ(a.dte, v.outcome == Outcome::draw ? -1 : v.dte) << to_text(p);
                int by_profile = -1;
                for (const auto& [budget, dte] : changes)
                    if (budget <= r) by_profile = dte;
                ASSERT_EQ(by_profile, a.dte) << to_text(p);
            }
        }
    EXPECT_GT(steps, 0);
}

/// Positions under a live restriction: turned out by transfers from random boards.
void compare_restricted(const SolvedTables& solved, const char* subspace) {
    TableSet set(solved.rules);
    set.add_directory(solved.directory.path());
    std::vector<Subspace> all;
    for (const auto& [s, table] : solved.tables) all.push_back(s);
    const builder::TableValues truth(all, [&](Subspace s) { return solved.tables.at(s); });
    const Subspace s = parse_subspace(subspace);
    const SubspaceIndex index(s);
    std::mt19937_64 random(4);
    int compared = 0;
    for (int tries = 0; tries < 200000 && compared < 60; ++tries) {
        const auto [own, opp] = index.position(random() % index.size());
        const Position before = make_position(s, own, opp);
        TurnList turns;
        generate_turns(solved.rules, before, turns);
        for (const Turn t : turns) {
            Position p = apply_turn(solved.rules, before, t);
            if (!p.restriction[0].active() || judge(solved.rules, p).reason != Reason::none) continue;
            const int limit = draw_limit(solved.rules, p);
            if (limit) p.counter = static_cast<std::uint8_t>(random() % static_cast<std::uint64_t>(limit));
            const Value v = evaluate(solved.rules, p, limit - p.counter, truth);
            const Depth d = evaluate_depth(solved.rules, p, truth);
            const Answer a = answer(set, p, kAllMetrics);
            ASSERT_EQ(a.outcome, v.outcome) << to_text(p);
            const bool decided = v.outcome != Outcome::draw;
            ASSERT_EQ(a.dte, decided ? v.dte : -1) << to_text(p);
            ASSERT_EQ(a.dtz, decided ? d.dtz : -1) << to_text(p);
            ASSERT_TRUE(missing_subspaces(set, p).empty());
            const auto ranked = rank_turns(set, p, kAllMetrics);
            ASSERT_EQ(ranked.front().outcome, v.outcome) << to_text(p);
            const auto line = best_line(set, p);
            ASSERT_EQ(line.size(), decided ? v.dte : 0U) << to_text(p);
            const auto changes = profile(set, p);
            ASSERT_EQ(changes.empty(), d.outcome == Outcome::draw || limit == 0) << to_text(p);
            prefetch(set, p, kAllMetrics);
            // What ends within two plies, by a limit too, follows from the rules alone.
            const TableSet empty(solved.rules);
            if (v.dte > 2) {
                ASSERT_EQ(thrown([&] { answer(empty, p, kAllMetrics); }), ErrorCode::missing_table)
                    << to_text(p);
            }
            ++compared;
            break;
        }
    }
    EXPECT_GT(compared, 10);
}

TEST(Content, PositionsUnderARestriction) {
    const SolvedTables solved("lg12;quiet_limit=8;endgame_limit=6", {parse_subspace("5-3")});
    compare_restricted(solved, "5-4");
}

/// Tables of one subspace as somebody else would write them.
class Forged {
public:
    Forged() : store_(three_pieces().rules, folder_.path()) {}

    MemoryTable copy(const char* subspace) const {
        return copy_of(*three_pieces().tables.at(parse_subspace(subspace)));
    }
    std::string error_of(const MemoryTable& t) const {
        store_.save(t, {}, 3, 1);
        TableSet set(three_pieces().rules);
        set.add_directory(folder_.path());
        std::string said;
        EXPECT_EQ(thrown([&] { check_tables(set, {}); }, &said), ErrorCode::corrupt_table);
        return said;
    }
    const std::string& folder() const { return folder_.path(); }
    const builder::TableStore& store() const { return store_; }

private:
    TemporaryDirectory folder_;
    builder::TableStore store_;
};

TEST(Content, AnOutcomeThatIsNone) {
    const Forged forged;
    MemoryTable t = forged.copy("2-3+1-0");
    std::uint64_t entry = 0;
    for (;; ++entry) {
        const auto [own, opp] = t.index.position(entry);
        if (judge(three_pieces().rules, make_position(t.subspace, own, opp)).reason == Reason::none) break;
    }
    t.wdl[entry / 4] = static_cast<std::uint8_t>(t.wdl[entry / 4] | 3U << (2 * (entry % 4)));
    EXPECT_NE(forged.error_of(t).find("has no outcome"), std::string::npos);
    TableSet set(three_pieces().rules);
    set.add_directory(forged.folder());
    const auto sets = t.index.position(entry);
    const Position p = make_position(t.subspace, sets.first, sets.second);
    std::string said;
    EXPECT_EQ(thrown([&] { answer(set, p, {}); }, &said), ErrorCode::corrupt_table);
    EXPECT_NE(said.find("has no outcome"), std::string::npos) << said;
}

TEST(Content, ProfileStepsThatCannotBe) {
    const Forged forged;
    MemoryTable t = forged.copy("2-3+1-0");
    t.steps = {{5, 21, 3}}; // the limit is 20
    EXPECT_NE(forged.error_of(t).find("profile step 0"), std::string::npos);
    t.steps = {{5, 7, 3}, {5, 7, 3}};
    EXPECT_NE(forged.error_of(t).find("profile step 1"), std::string::npos);
}

/// A good file with a header that says something else, and the checksum of that.
Bytes with_header(const Bytes& good, const std::function<void(TableMeta&)>& change) {
    TableMeta meta = TableReader(memory_source(good)).meta();
    change(meta);
    Bytes bytes = good;
    const auto header = encode_header(meta);
    std::copy(header.begin(), header.end(), bytes.begin());
    return bytes;
}

TEST(Content, HeadersThatSayWhatCannotBe) {
    const Bytes good = read_file(three_pieces().file(parse_subspace("2-3+1-0"), "dte"));
    const auto code = [&](const std::function<void(TableMeta&)>& change) {
        const Bytes bytes = with_header(good, change);
        return thrown([&] { TableReader reader(memory_source(bytes)); });
    };
    EXPECT_EQ(code([](TableMeta&) {}), ErrorCode::ok);
    EXPECT_EQ(code([](TableMeta& m) { m.subspace.own = 13; }), ErrorCode::corrupt_table);
    EXPECT_EQ(code([](TableMeta& m) { m.metric = Metric::wdl; }), ErrorCode::corrupt_table);
    EXPECT_EQ(code([](TableMeta& m) { m.code_bits = 4; }), ErrorCode::corrupt_table);
    EXPECT_EQ(code([](TableMeta& m) { m.limit = 251; }), ErrorCode::corrupt_table);
    EXPECT_EQ(code([](TableMeta& m) { m.block_entries = 6; }), ErrorCode::corrupt_table);
    EXPECT_EQ(code([](TableMeta& m) { ++m.entries; }), ErrorCode::corrupt_table);
    EXPECT_EQ(code([](TableMeta& m) { m.index_offset = ~std::uint64_t{0} - 20; }), ErrorCode::corrupt_table);
    EXPECT_EQ(code([](TableMeta& m) { ++m.index_checksum; }), ErrorCode::corrupt_table);
    // Of another draw limit than the ruleset's: a table of other rules, whatever its fingerprint.
    const Bytes limit = with_header(good, [](TableMeta& m) { m.limit = 19; });
    TableSet set(three_pieces().rules);
    std::string said;
    EXPECT_EQ(thrown([&] { set.add_source(memory_source(limit), "forged"); }, &said),
              ErrorCode::corrupt_table);
    EXPECT_NE(said.find("draw limit"), std::string::npos) << said;
    EXPECT_EQ(thrown([] { parse_metric("dtm"); }), ErrorCode::bad_argument);
    EXPECT_EQ(thrown([] { decode_header({}, 0); }), ErrorCode::corrupt_table);
}

TEST(Content, IndexesThatSayWhatCannotBe) {
    const Bytes good = read_file(three_pieces().file(parse_subspace("2-3+1-0"), "dte"));
    for (const int size : {1, 0x7F000000}) { // a block too short, and one longer than any
        Bytes bytes = good;
        const TableMeta meta = TableReader(memory_source(good)).meta();
        for (std::size_t i = 0; i < 4; ++i)
            bytes[meta.index_offset + i] = static_cast<std::uint8_t>(size >> (8 * i));
        const std::span<const std::uint8_t> index(bytes.data() + meta.index_offset,
                                                  bytes.size() - meta.index_offset);
        TableMeta forged = meta;
        forged.index_checksum = checksum_of(index);
        const auto header = encode_header(forged);
        std::copy(header.begin(), header.end(), bytes.begin());
        std::string said;
        EXPECT_EQ(thrown([&] { TableReader reader(memory_source(bytes)); }, &said), ErrorCode::corrupt_table);
        EXPECT_NE(said.find("block index"), std::string::npos) << said;
    }
}

TEST(Content, ATableReplacedByAnotherOfTheSameRules) {
    const Forged forged;
    const MemoryTable t = forged.copy("2-3+1-0");
    forged.store().save(t, {}, 3, 1);
    TableSet set(three_pieces().rules);
    ASSERT_EQ(set.add_directory(forged.folder()).found.size(), 3U);
    EXPECT_EQ(folder_fingerprint(forged.store().folder()), three_pieces().rules.fingerprint());
    EXPECT_EQ(thrown([] { folder_fingerprint("/nonexistent"); }), ErrorCode::io);
    MemoryTable other = copy_of(t);
    std::fill(other.wdl.begin(), other.wdl.end(), std::uint8_t{0x55});
    forged.store().save(other, {}, 3, 1);
    const auto sets = t.index.position(t.index.size() / 2);
    const Position p = make_position(t.subspace, sets.first, sets.second);
    std::string said;
    EXPECT_EQ(thrown([&] { answer(set, p, {}); }, &said), ErrorCode::corrupt_table);
    EXPECT_NE(said.find("replaced"), std::string::npos) << said;
}

TEST(Content, SubspacesThatExist) {
    const Ruleset rules = game_rules("lg9;pieces=4");
    const auto exists = [&](const char* s) { return can_exist(rules, parse_subspace(s)); };
    EXPECT_TRUE(exists("4-4"));
    EXPECT_TRUE(exists("2-3+1-1") && exists("2-3+2-1"));
    EXPECT_FALSE(exists("5-4"));
    EXPECT_FALSE(exists("2-2+2-3"));
    EXPECT_FALSE(exists("1-3+1-1") && exists("1-1+1-1"));
    EXPECT_FALSE(exists("2-2"));
    EXPECT_TRUE(can_exist(game_rules("lg10;pieces=4"), parse_subspace("2-1+1-3")));
}

TEST(CInterfaceArguments, ThatAreNoPositionsOrTurns) {
    mp_tables* tables = nullptr;
    ASSERT_EQ(mp_open("lg12", nullptr, &tables, nullptr), MP_OK);
    EXPECT_NE(std::string(mp_version()), "");
    EXPECT_EQ(mp_fingerprint(tables), load_ruleset("lg12").fingerprint());
    mp_position start;
    ASSERT_EQ(mp_start(tables, &start, nullptr), MP_OK);
    const auto status = [&](const std::function<void(mp_position&)>& change) {
        mp_position p = start;
        change(p);
        mp_result result = MP_INIT(mp_result);
        return mp_probe(tables, &p, MP_ALL, &result, nullptr);
    };
    EXPECT_EQ(status([](mp_position& p) { p.reserve[0] = 13; }), MP_ILLEGAL_POSITION);
    EXPECT_EQ(status([](mp_position& p) { p.stones[1] = 1U << 24; }), MP_ILLEGAL_POSITION);
    EXPECT_EQ(status([](mp_position& p) { p.restriction[0][0] = 30; }), MP_ILLEGAL_POSITION);
    EXPECT_EQ(status([](mp_position& p) { p.restriction[0][0] = 3; }), MP_ILLEGAL_POSITION);
    mp_turn turn{-1, 4, -1};
    char text[MP_TEXT_SIZE];
    EXPECT_EQ(mp_turn_text(&turn, text, sizeof text, nullptr), MP_OK);
    EXPECT_STREQ(text, "d6");
    turn.to = 24;
    EXPECT_EQ(mp_turn_text(&turn, text, sizeof text, nullptr), MP_BAD_TURN);
    mp_close(tables);
}

} // namespace
} // namespace mill::testing

// Repacked tables: every value of complete games is what the solver found, at every counter.
#include "builder/jobs/repack.h"
#include "probe/tables/answers.h"
#include "probe/tables/check_tables.h"
#include "rules/text.h"
#include "tests/probe/solved_tables.h"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <random>
#include <thread>

namespace mill::testing {
namespace {

namespace fs = std::filesystem;
using builder::Metrics;
using builder::Repacked;
using builder::RepackOptions;

RepackOptions small_only(std::uint32_t block) {
    RepackOptions options;
    options.never_plain = true;
    options.block_entries = block;
    options.level = 3;
    return options;
}

std::vector<Repacked> repack_all(const SolvedTables& solved, const std::string& to,
                                 const RepackOptions& options) {
    const builder::TableStore source(solved.rules, solved.directory.path()), target(solved.rules, to);
    target.make_folder();
    std::vector<Repacked> done;
    for (const auto& [s, table] : solved.tables)
        builder::repack(source, target, s, options, [&](const Repacked& r) { done.push_back(r); });
    target.write_manifest();
    return done;
}

/// Every entry of every subspace, at every counter, through the probe.
void expect_same_answers(const SolvedTables& solved, const std::string& directory) {
    TableSet set(solved.rules);
    const OpenReport report = set.add_directory(directory);
    ASSERT_TRUE(report.refused.empty()) << report.refused.front().reason;
    ASSERT_EQ(report.found.size(), 3 * solved.tables.size());
    std::uint64_t compared = 0;
    for (const auto& [s, table] : solved.tables) {
        Position p = make_position(s, 0, 0);
        const int limit = draw_limit(
            solved.rules, make_position(s, table->index.position(0).first, table->index.position(0).second));
        const Stored stored(set, true);
        for (std::uint64_t i = 0; i < table->index.size(); ++i) {
            const auto [own, opp] = table->index.position(i);
            p.stones = {own, opp};
            for (int r = std::max(limit, 0); r >= (limit ? 1 : 0); --r) {
                const Value v = table->at(i, r);
                const StoredAnswer a = stored.answer(s, own, opp, r, kAllMetrics);
                const bool decided = v.outcome != Outcome::draw;
                ASSERT_EQ(a.outcome, v.outcome) << to_text(p) << " budget " << r;
                ASSERT_EQ(a.dte, decided ? v.dte : -1) << to_text(p) << " budget " << r;
                ASSERT_EQ(a.dtz, decided ? table->dtz[i] : -1) << to_text(p) << " budget " << r;
                ++compared;
            }
        }
    }
    EXPECT_GT(compared, 0U);
    EXPECT_NO_THROW(check_tables(set, {}));
}

struct Game {
    const char* name;
    const char* rules;
    const char* subspace; ///< with all that it depends on
};
void PrintTo(const Game& game, std::ostream* out) { *out << game.rules; }

class RepackedGame : public ::testing::TestWithParam<Game> {};

TEST_P(RepackedGame, HasEveryValueOfTheSolution) {
    const SolvedTables solved(GetParam().rules, {parse_subspace(GetParam().subspace)});
    const TemporaryDirectory to;
    for (const Repacked& r : repack_all(solved, to.path(), small_only(0))) {
        EXPECT_EQ(r.meta.codec, Codec::small);
        EXPECT_FALSE(r.skipped);
    }
    expect_same_answers(solved, to.path());
    // The solver's loader reads them as well: values, steps and statistics are those that were written.
    const builder::TableStore source(solved.rules, solved.directory.path()), target(solved.rules, to.path());
    for (const auto& [s, table] : solved.tables) {
        const builder::MemoryTable a = source.load(s, {}, 1), b = target.load(s, {}, 2);
        EXPECT_TRUE(std::equal(a.wdl.begin(), a.wdl.end(), b.wdl.begin(), b.wdl.end())) << to_text(s);
        EXPECT_TRUE(std::equal(a.dtz.begin(), a.dtz.end(), b.dtz.begin(), b.dtz.end())) << to_text(s);
        EXPECT_TRUE(std::equal(a.dte.begin(), a.dte.end(), b.dte.begin(), b.dte.end())) << to_text(s);
        EXPECT_EQ(a.steps, b.steps) << to_text(s);
        for (const Metric m : {Metric::wdl, Metric::dtz, Metric::dte})
            EXPECT_EQ(source.open(s, m).meta().stats, target.open(s, m).meta().stats);
    }
}

constexpr Game kGames[] = {
    {"placing_and_flying", "lg9;pieces=3;quiet_limit=20", "0-0+3-3"},
    {"lasker", "lg10;pieces=3;quiet_limit=12", "0-0+3-3"},
    {"lasker_placements_keep", "lg10;pieces=3;quiet_limit=9;quiet_reset=capture;placement_counts=no",
     "0-0+3-3"},
    {"placements_count", "app3;quiet_limit=12", "0-0+3-3"},
    {"unlimited", "solved9;pieces=3", "0-0+3-3"},
    {"no_reverse_diagonal_walking", "lg12;quiet_limit=12;endgame_limit=4", "4-3"},
    {"no_reform_diagonal", "twelve-tournament;quiet_limit=9;endgame_limit=5", "4-3"},
    {"walking", "lg9;flying=off;quiet_limit=30", "3-3"},
};
INSTANTIATE_TEST_SUITE_P(Games, RepackedGame, ::testing::ValuesIn(kGames),
                         [](const ::testing::TestParamInfo<Game>& game) {
                             return std::string(game.param.name);
                         });

TEST(Repack, AnyBlockSizeCodecAndSourceGivesTheSame) {
    const SolvedTables& solved = three_pieces();
    for (const std::uint32_t block : {64U, 1000U, 8192U}) {
        const TemporaryDirectory to;
        repack_all(solved, to.path(), small_only(block));
        expect_same_answers(solved, to.path());
        // From the small form back to the plain one: byte for byte what a build writes.
        const TemporaryDirectory back;
        RepackOptions plain;
        plain.codec = Codec::plain;
        plain.level = 3;
        const builder::TableStore small(solved.rules, to.path()), target(solved.rules, back.path()),
            source(solved.rules, solved.directory.path());
        target.make_folder();
        for (const auto& [s, table] : solved.tables) {
            builder::repack(small, target, s, plain, [](const Repacked&) {});
            for (const Metric m : {Metric::wdl, Metric::dtz, Metric::dte}) {
                std::ifstream a(source.path(s, m), std::ios::binary), b(target.path(s, m), std::ios::binary);
                const std::string wanted((std::istreambuf_iterator<char>(a)), {}),
                    found((std::istreambuf_iterator<char>(b)), {});
                EXPECT_EQ(found == wanted, true) << target.path(s, m);
            }
        }
    }
}

TEST(Repack, ThreadsDoNotChangeTheBytes) {
    const SolvedTables& solved = three_pieces();
    const TemporaryDirectory one, four;
    RepackOptions options = small_only(256);
    repack_all(solved, one.path(), options);
    options.threads = 4;
    repack_all(solved, four.path(), options);
    const builder::TableStore a(solved.rules, one.path()), b(solved.rules, four.path());
    for (const auto& [s, table] : solved.tables)
        for (const Metric m : {Metric::wdl, Metric::dtz, Metric::dte})
            EXPECT_EQ(checksum_of(encode_header(a.open(s, m).meta())),
                      checksum_of(encode_header(b.open(s, m).meta())));
}

TEST(Repack, FinishedTablesAreSkippedAndDamagedOnesWrittenAgain) {
    const SolvedTables& solved = three_pieces();
    const TemporaryDirectory to;
    repack_all(solved, to.path(), small_only(0));
    for (const Repacked& r : repack_all(solved, to.path(), small_only(0))) EXPECT_TRUE(r.skipped);
    const builder::TableStore target(solved.rules, to.path());
    const Subspace s = parse_subspace("3-3+0-0");
    fs::resize_file(target.path(s, Metric::dtz), fs::file_size(target.path(s, Metric::dtz)) - 1);
    for (const Repacked& r : repack_all(solved, to.path(), small_only(0)))
        EXPECT_EQ(r.skipped, r.subspace != s || r.metric != Metric::dtz);
    expect_same_answers(solved, to.path());
    for (const Repacked& r : repack_all(solved, to.path(), small_only(512))) EXPECT_FALSE(r.skipped);
}

TEST(Repack, DamagedTablesGiveErrorsAndNeverWrongAnswers) {
    const SolvedTables& solved = three_pieces();
    const TemporaryDirectory to;
    repack_all(solved, to.path(), small_only(512));
    const builder::TableStore target(solved.rules, to.path());
    const Subspace s = parse_subspace("3-3+0-0");
    const builder::MemoryTable& table = *solved.tables.at(s);
    constexpr std::array<Metric, 3> kMetrics = {Metric::wdl, Metric::dtz, Metric::dte};
    std::array<std::vector<std::uint8_t>, 3> files;
    for (std::size_t m = 0; m < 3; ++m) {
        std::ifstream file(target.path(s, kMetrics[m]), std::ios::binary);
        files[m].assign(std::istreambuf_iterator<char>(file), {});
    }
    std::mt19937_64 random(11);
    int refused = 0, failed = 0, right = 0;
    for (int round = 0; round < 1500; ++round) {
        const std::size_t hit = random() % 3;
        auto bad = files;
        const std::size_t at = random() % bad[hit].size();
        switch (random() % 3) {
        case 0: bad[hit][at] ^= static_cast<std::uint8_t>(1U << random() % 8); break;
        case 1: bad[hit].resize(at); break;
        default:
            std::fill(bad[hit].begin() + static_cast<std::ptrdiff_t>(at),
                      bad[hit].begin() +
                          static_cast<std::ptrdiff_t>(std::min(bad[hit].size(), at + 1 + random() % 300)),
                      std::uint8_t{0xA5});
        }
        TableSet set(solved.rules);
        bool taken = true;
        for (const auto& file : bad) {
            try {
                set.add_source(memory_source(file), "damaged");
            } catch (const Error& e) {
                ASSERT_TRUE(e.code() == ErrorCode::corrupt_table ||
                            e.code() == ErrorCode::unsupported_format);
                taken = false;
            }
        }
        refused += !taken;
        for (int i = 0; taken && i < 10; ++i) {
            const std::uint64_t n = random() % table.index.size();
            const auto [own, opp] = table.index.position(n);
            const int r = 1 + static_cast<int>(random() % 20);
            try {
                const StoredAnswer a = Stored(set, true).answer(s, own, opp, r, kAllMetrics);
                const Value v = table.at(n, r);
                const bool decided = v.outcome != Outcome::draw;
                ASSERT_EQ(a.outcome, v.outcome) << "round " << round;
                ASSERT_EQ(a.dte, decided ? v.dte : -1) << "round " << round;
                ASSERT_EQ(a.dtz, decided ? table.dtz[n] : -1) << "round " << round;
                ++right;
            } catch (const Error& e) {
                ASSERT_EQ(e.code(), ErrorCode::corrupt_table) << e.what();
                ++failed;
            }
        }
    }
    EXPECT_GT(refused, 0);
    EXPECT_GT(failed, 0);
    std::cout << refused << " refused when opened; of the probes " << failed << " were errors, " << right
              << " right\n";
}

TEST(Repack, OutcomesCanBeShippedAlone) {
    const SolvedTables& solved = three_pieces();
    const TemporaryDirectory to;
    RepackOptions options = small_only(0);
    options.metrics = {true, false, false};
    repack_all(solved, to.path(), options);
    TableSet set(solved.rules);
    EXPECT_EQ(set.add_directory(to.path()).found.size(), solved.tables.size());
    const Subspace s = parse_subspace("3-3+0-0");
    const builder::MemoryTable& table = *solved.tables.at(s);
    for (std::uint64_t i = 0; i < table.index.size(); i += 7) {
        const auto [own, opp] = table.index.position(i);
        ASSERT_EQ(Stored(set, false).answer(s, own, opp, 0, {}).outcome, table.outcome(i));
    }
}

/// The models of a table are read when first needed, by whichever thread comes first.
TEST(Repack, SixteenThreadsOnSmallTables) {
    const SolvedTables& solved = three_pieces();
    const TemporaryDirectory to;
    repack_all(solved, to.path(), small_only(256));
    TableSetOptions options;
    options.cache_bytes = 100000; // too small for all: blocks come and go
    TableSet set(solved.rules, options);
    set.add_directory(to.path());
    std::atomic<int> wrong{0}, asked{0};
    std::vector<std::thread> threads;
    for (unsigned t = 0; t < 16; ++t)
        threads.emplace_back([&, t] {
            std::mt19937_64 random(t);
            for (int i = 0; i < 150; ++i) {
                auto it = solved.tables.begin();
                std::advance(it, static_cast<std::ptrdiff_t>(random() % solved.tables.size()));
                const std::uint64_t n = random() % it->second->index.size();
                const auto [own, opp] = it->second->index.position(n);
                const Value v = it->second->at(n, 0);
                const Answer a = answer(set, make_position(it->first, own, opp), kAllMetrics);
                wrong += a.outcome != v.outcome || (v.outcome != Outcome::draw && a.dte != v.dte);
                ++asked;
            }
        });
    for (auto& t : threads) t.join();
    EXPECT_EQ(wrong, 0);
    EXPECT_EQ(asked, 16 * 150);
}

TEST(Repack, DistancesWithoutTheOutcomesBesideThemNameWhatIsMissing) {
    const SolvedTables& solved = three_pieces();
    const TemporaryDirectory to;
    repack_all(solved, to.path(), small_only(0));
    const builder::TableStore target(solved.rules, to.path());
    const Subspace s = parse_subspace("3-3+0-0");
    fs::remove(target.path(s, Metric::dtz)); // dte cannot be read without
    TableSet set(solved.rules);
    set.add_directory(to.path());
    const builder::MemoryTable& table = *solved.tables.at(s);
    int missed = 0;
    for (std::uint64_t i = 0; i < table.index.size(); i += 101) {
        if (table.outcome(i) == Outcome::draw) continue;
        const auto [own, opp] = table.index.position(i);
        try {
            Stored(set, true).answer(s, own, opp, 0, {false, true});
            ADD_FAILURE() << "a distance from nowhere";
        } catch (const Error& e) {
            EXPECT_EQ(e.code(), ErrorCode::missing_table);
            EXPECT_NE(std::string(e.what()).find("3-3+0-0.dtz"), std::string::npos) << e.what();
            ++missed;
        }
    }
    EXPECT_GT(missed, 0);
}

} // namespace
} // namespace mill::testing

// The C interface: every function, every code, many threads on one handle.
#include "millprobe.h"
#include "millprobe.hpp"

#include "rules/text.h"
#include "tests/probe/solved_tables.h"

#include <gtest/gtest.h>

#include <atomic>
#include <fstream>
#include <random>
#include <thread>

namespace mill::testing {
namespace {

const Subspace kFlying = parse_subspace("3-3+0-0");

struct Handle {
    explicit Handle(const SolvedTables& solved, bool with_tables = true) {
        EXPECT_EQ(mp_open(solved.game.c_str(), nullptr, &tables, nullptr), MP_OK);
        if (with_tables) {
            EXPECT_EQ(mp_add_directory(tables, solved.directory.path().c_str(), nullptr, nullptr), MP_OK);
        }
    }
    ~Handle() { mp_close(tables); }
    mp_tables* tables = nullptr;
};

mp_position to_mp(const mp_tables* tables, const Position& p) {
    mp_position out;
    mp_error error = MP_INIT(mp_error);
    EXPECT_EQ(mp_parse_position(tables, to_text(p).c_str(), &out, &error), MP_OK) << error.text;
    return out;
}

Position open_position(const SolvedTables& solved, Subspace s, std::uint64_t& n) {
    const auto& table = *solved.tables.at(s);
    for (;; n = (n + 1) % table.index.size()) {
        const auto [own, opp] = table.index.position(n);
        const Position p = make_position(s, own, opp);
        if (judge(solved.rules, p).reason == Reason::none) return p;
    }
}

TEST(CInterface, ProbesAtEveryCounterAreTheSolversValues) {
    const SolvedTables& solved = three_pieces();
    const Handle h(solved);
    for (const auto& [s, table] : solved.tables)
        for (std::uint64_t n = 0; n < table->index.size(); n += 1 + table->index.size() / 500) {
            const auto [own, opp] = table->index.position(n);
            Position p = make_position(s, own, opp);
            if (judge(solved.rules, p).reason != Reason::none) continue;
            const int limit = draw_limit(solved.rules, p);
            mp_position q = to_mp(h.tables, p);
            for (int counter = 0; counter < limit; ++counter) {
                q.counter = static_cast<std::uint8_t>(counter);
                mp_result r = MP_INIT(mp_result);
                const int status = mp_probe(h.tables, &q, MP_ALL, &r, nullptr);
                if (status == MP_ILLEGAL_POSITION && counter > 0) break; // placing: every turn resets
                ASSERT_EQ(status, MP_OK);
                const Value v = table->at(n, limit - counter);
                ASSERT_EQ(r.outcome, static_cast<int>(v.outcome));
                ASSERT_EQ(r.fields, v.outcome == Outcome::draw ? unsigned{MP_OUTCOME} : unsigned{MP_ALL});
                if (v.outcome == Outcome::draw) continue;
                ASSERT_EQ(r.dte, v.dte);
                ASSERT_EQ(r.dtz, table->dtz[n]);
            }
        }
}

TEST(CInterface, ManyPositionsInOneCall) {
    const SolvedTables& solved = three_pieces();
    const Handle h(solved);
    std::mt19937_64 random(5);
    std::vector<mp_position> positions;
    std::vector<std::uint64_t> numbers;
    for (int i = 0; i < 3000; ++i) {
        std::uint64_t n = random() % solved.tables.at(kFlying)->index.size();
        positions.push_back(to_mp(h.tables, open_position(solved, kFlying, n)));
        numbers.push_back(n);
    }
    positions[17].side = 9;
    positions[44].stones[0] = positions[44].stones[1];
    std::vector<mp_result> results(positions.size());
    results[0].struct_size = sizeof(mp_result);
    mp_error error = MP_INIT(mp_error);
    EXPECT_EQ(mp_probe_many(h.tables, positions.data(), positions.size(), MP_ALL, results.data(), &error),
              MP_ILLEGAL_POSITION);
    EXPECT_NE(std::string(error.text).find("side"), std::string::npos) << error.text;
    for (std::size_t i = 0; i < positions.size(); ++i) {
        if (i == 17 || i == 44) {
            EXPECT_EQ(results[i].status, MP_ILLEGAL_POSITION);
            continue;
        }
        ASSERT_EQ(results[i].status, MP_OK);
        const Value v = solved.tables.at(kFlying)->at(numbers[i], 0);
        ASSERT_EQ(results[i].outcome, static_cast<int>(v.outcome));
        if (v.outcome != Outcome::draw) {
            ASSERT_EQ(results[i].dte, v.dte);
        }
    }
    EXPECT_EQ(mp_probe_many(h.tables, nullptr, 0, MP_ALL, nullptr, nullptr), MP_OK);
}

TEST(CInterface, SoftProbesDoNotRead) {
    const SolvedTables& solved = three_pieces();
    const Handle h(solved);
    std::uint64_t n = 1234;
    const mp_position p = to_mp(h.tables, open_position(solved, kFlying, n));
    mp_result r = MP_INIT(mp_result);
    EXPECT_EQ(mp_probe_soft(h.tables, &p, MP_OUTCOME, &r, nullptr), MP_NOT_CACHED);
    EXPECT_EQ(mp_prefetch(h.tables, &p, MP_ALL, nullptr), MP_OK);
    EXPECT_EQ(mp_probe(h.tables, &p, MP_OUTCOME, &r, nullptr), MP_OK);
    EXPECT_EQ(mp_probe_soft(h.tables, &p, MP_OUTCOME, &r, nullptr), MP_OK);
    EXPECT_EQ(mp_probe(h.tables, &p, MP_ALL, &r, nullptr), MP_OK);
    EXPECT_EQ(mp_probe_soft(h.tables, &p, MP_ALL, &r, nullptr), MP_OK);
    EXPECT_EQ(mp_set_cache_size(h.tables, 0, nullptr), MP_OK);
    mp_error error = MP_INIT(mp_error);
    EXPECT_EQ(mp_probe_soft(h.tables, &p, MP_ALL, &r, &error), MP_NOT_CACHED);
    EXPECT_NE(error.text[0], '\0');
    EXPECT_EQ(mp_probe(h.tables, &p, MP_ALL, &r, nullptr), MP_OK);
    mp_cache_stats stats = MP_INIT(mp_cache_stats);
    EXPECT_EQ(mp_get_cache_stats(h.tables, &stats, nullptr), MP_OK);
    EXPECT_EQ(stats.bytes, 0U);
    EXPECT_GT(stats.hits, 0U);
    EXPECT_GT(stats.evictions, 0U);
    EXPECT_GT(stats.table_bytes, 0U);
    // A program that knows the struct without its last field.
    stats.struct_size = offsetof(mp_cache_stats, table_bytes);
    stats.table_bytes = 7;
    EXPECT_EQ(mp_get_cache_stats(h.tables, &stats, nullptr), MP_OK);
    EXPECT_EQ(stats.table_bytes, 7U);
}

TEST(CInterface, EveryErrorHasItsCode) {
    mp_tables* none = nullptr;
    mp_error error = MP_INIT(mp_error);
    EXPECT_EQ(mp_open("chess", nullptr, &none, &error), MP_BAD_RULESET);
    EXPECT_EQ(none, nullptr);
    EXPECT_EQ(error.status, MP_BAD_RULESET);
    EXPECT_EQ(mp_open("lg9;pieces=99", nullptr, &none, nullptr), MP_BAD_RULESET);
    EXPECT_EQ(mp_open(nullptr, nullptr, &none, nullptr), MP_BAD_ARGUMENT);
    EXPECT_EQ(mp_open("lg9", nullptr, nullptr, nullptr), MP_BAD_ARGUMENT);
    mp_options bad_options{};
    EXPECT_EQ(mp_open("lg9", &bad_options, &none, nullptr), MP_BAD_ARGUMENT);

    const SolvedTables& solved = three_pieces();
    const Handle h(solved), empty(solved, false);
    mp_position p;
    mp_turn t;
    mp_result r = MP_INIT(mp_result);
    EXPECT_EQ(mp_parse_position(h.tables, "what", &p, nullptr), MP_BAD_POSITION);
    EXPECT_EQ(mp_parse_position(h.tables, "WWW/WWW/3/6/3/BBB/3 w 0,0", &p, nullptr), MP_ILLEGAL_POSITION);
    EXPECT_EQ(mp_parse_turn("a9", &t, nullptr), MP_BAD_TURN);
    EXPECT_EQ(mp_start(h.tables, &p, nullptr), MP_OK);
    EXPECT_EQ(mp_parse_turn("a4-a1", &t, nullptr), MP_OK);
    EXPECT_EQ(mp_play(h.tables, &p, &t, &p, nullptr), MP_ILLEGAL_TURN);
    EXPECT_EQ(mp_probe(empty.tables, &p, MP_ALL, &r, &error), MP_MISSING_TABLE);
    EXPECT_NE(std::string(error.text).find("0-0+3-3"), std::string::npos) << error.text;
    EXPECT_EQ(mp_probe(h.tables, &p, 8, &r, nullptr), MP_BAD_ARGUMENT);
    mp_result unset{};
    EXPECT_EQ(mp_probe(h.tables, &p, MP_ALL, &unset, nullptr), MP_BAD_ARGUMENT);
    EXPECT_EQ(mp_probe(nullptr, &p, MP_ALL, &r, nullptr), MP_BAD_ARGUMENT);
    EXPECT_EQ(mp_probe(h.tables, nullptr, MP_ALL, &r, nullptr), MP_BAD_ARGUMENT);
    EXPECT_EQ(mp_add_directory(h.tables, "/nonexistent", nullptr, nullptr), MP_IO);
    EXPECT_EQ(mp_add_memory(empty.tables, "x", 1, "x", nullptr), MP_CORRUPT_TABLE);

    std::ifstream file(unlimited().file(kFlying, "wdl"), std::ios::binary);
    std::vector<char> bytes((std::istreambuf_iterator<char>(file)), {});
    EXPECT_EQ(mp_add_memory(empty.tables, bytes.data(), bytes.size(), nullptr, nullptr),
              MP_WRONG_FINGERPRINT);
    bytes[8] = 77;
    EXPECT_EQ(mp_add_memory(empty.tables, bytes.data(), bytes.size(), nullptr, nullptr),
              MP_UNSUPPORTED_FORMAT);
    EXPECT_EQ(mp_add_reader(
                  empty.tables, 5000, [](void*, std::uint64_t, void*, std::size_t) { return 1; }, nullptr,
                  nullptr, nullptr),
              MP_IO);
    std::size_t count = 0;
    EXPECT_EQ(mp_rank_turns(h.tables, &p, MP_ALL, nullptr, &count, nullptr), MP_BAD_ARGUMENT);
    EXPECT_EQ(count, 24U);
    char tiny[4];
    EXPECT_EQ(mp_position_text(&p, tiny, sizeof tiny, nullptr), MP_BAD_ARGUMENT);
    EXPECT_EQ(mp_verify(
                  h.tables, [](const mp_progress*, void*) { return 1; }, nullptr, nullptr),
              MP_ABORTED);
    for (int status = 1; status >= -17; --status) EXPECT_NE(mp_strerror(status), nullptr);
    EXPECT_STREQ(mp_reason_text(MP_BLOCKED), "blocked");
    EXPECT_STREQ(mp_reason_text(99), "");
    mp_close(nullptr);
}

TEST(CInterface, ReadersOverMemoryAndCallbacks) {
    const SolvedTables& solved = three_pieces();
    const Handle by_memory(solved, false), by_callback(solved, false);
    std::vector<std::vector<char>> files;
    for (const char* metric : {"wdl", "dtz", "dte"}) {
        std::ifstream file(solved.file(kFlying, metric), std::ios::binary);
        files.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
    }
    for (auto& f : files) {
        mp_error error = MP_INIT(mp_error);
        ASSERT_EQ(mp_add_memory(by_memory.tables, f.data(), f.size(), "m", &error), MP_OK) << error.text;
        const auto read = [](void* user, std::uint64_t offset, void* to, std::size_t size) {
            const auto& bytes = *static_cast<std::vector<char>*>(user);
            std::copy_n(bytes.data() + offset, size, static_cast<char*>(to));
            return 0;
        };
        ASSERT_EQ(mp_add_reader(by_callback.tables, f.size(), read, &f, "c", &error), MP_OK) << error.text;
    }
    for (std::uint64_t n = 0; n < solved.tables.at(kFlying)->index.size(); n += 999) {
        std::uint64_t at = n;
        const mp_position p = to_mp(by_memory.tables, open_position(solved, kFlying, at));
        mp_result a = MP_INIT(mp_result), b = MP_INIT(mp_result);
        ASSERT_EQ(mp_probe(by_memory.tables, &p, MP_ALL, &a, nullptr), MP_OK);
        ASSERT_EQ(mp_probe(by_callback.tables, &p, MP_ALL, &b, nullptr), MP_OK);
        ASSERT_EQ(a.dte, b.dte);
        const Value v = solved.tables.at(kFlying)->at(at, 0);
        ASSERT_EQ(a.dte, v.outcome == Outcome::draw ? -1 : v.dte);
    }
    EXPECT_EQ(mp_verify(by_callback.tables, nullptr, nullptr, nullptr), MP_OK);
}

TEST(CInterface, CppWrapper) {
    const SolvedTables& solved = three_pieces();
    millprobe::Tables tables(solved.game);
    const auto files = tables.add_directory(solved.directory.path());
    EXPECT_EQ(files.size(), 3 * solved.tables.size());
    const auto start = tables.start();
    EXPECT_EQ(millprobe::subspace(start), "0-0+3-3");
    const auto value = tables.probe(start);
    const auto line = tables.best_line(start);
    ASSERT_TRUE(value.dte);
    EXPECT_EQ(line.size(), static_cast<std::size_t>(*value.dte));
    auto p = start;
    for (const auto& turn : line) p = tables.play(p, turn);
    EXPECT_NE(tables.probe(p).ends, MP_OPEN);
    EXPECT_TRUE(tables.rank_turns(p).empty());
    EXPECT_EQ(tables.rank_turns(start).size(), 24U);
    EXPECT_TRUE(tables.missing(start).empty());
    EXPECT_EQ(tables.profile(start), (std::vector<std::pair<int, int>>{{1, *value.dte}}));
    EXPECT_EQ(tables.probe_many({start, start}).size(), 2U);
    EXPECT_TRUE(tables.probe_soft(start));
    tables.set_cache_size(0);
    EXPECT_FALSE(tables.probe_soft(start));
    EXPECT_EQ(millprobe::text(tables.parse(millprobe::text(start))), millprobe::text(start));
    std::uint64_t blocks = 0;
    tables.verify([&](const mp_progress& at) {
        blocks = at.blocks_done;
        return true;
    });
    EXPECT_GT(blocks, 0U);
    EXPECT_THROW(tables.verify([](const mp_progress&) -> bool { throw 7; }), int);
    try {
        tables.parse("nothing");
        FAIL();
    } catch (const millprobe::Error& e) {
        EXPECT_EQ(e.status(), MP_BAD_POSITION);
    }
    EXPECT_EQ(tables.files().size(), files.size());
    EXPECT_EQ(millprobe::Tables("lg9").ruleset(), "lg9");
}

TEST(CInterface, SixteenThreadsOnOneHandle) {
    const SolvedTables& solved = three_pieces();
    const Handle h(solved, false);
    mp_set_cache_size(h.tables, 200000, nullptr); // too small for all: blocks come and go
    ASSERT_EQ(mp_add_directory(h.tables, solved.directory.path().c_str(), nullptr, nullptr), MP_OK);
    std::atomic<std::uint64_t> wrong{0}, probes{0};
    std::vector<std::thread> threads;
    for (unsigned t = 0; t < 16; ++t)
        threads.emplace_back([&, t] {
            std::mt19937_64 random(t);
            for (int i = 0; i < 400; ++i) {
                auto it = solved.tables.begin();
                std::advance(it, static_cast<std::ptrdiff_t>(random() % solved.tables.size()));
                std::uint64_t n = random() % it->second->index.size();
                const auto [own, opp] = it->second->index.position(n);
                const Position q = make_position(it->first, own, opp);
                if (judge(solved.rules, q).reason != Reason::none) continue;
                const mp_position p = to_mp(h.tables, q);
                mp_result r = MP_INIT(mp_result);
                const Value v = it->second->at(n, 0);
                if (mp_probe(h.tables, &p, MP_ALL, &r, nullptr) != MP_OK ||
                    r.outcome != static_cast<int>(v.outcome) ||
                    (v.outcome != Outcome::draw && r.dte != v.dte))
                    ++wrong;
                ++probes;
                if (i % 100 == 0) {
                    mp_set_cache_size(h.tables, 100000 + 50000 * (t % 4), nullptr);
                    mp_add_directory(h.tables, solved.directory.path().c_str(), nullptr, nullptr);
                    mp_cache_stats stats = MP_INIT(mp_cache_stats);
                    mp_get_cache_stats(h.tables, &stats, nullptr);
                }
            }
        });
    for (auto& t : threads) t.join();
    EXPECT_EQ(wrong, 0U);
    EXPECT_GT(probes, 1000U);
}

} // namespace
} // namespace mill::testing

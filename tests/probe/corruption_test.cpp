// Damaged tables: every answer that is given is right, everything else is an error.
#include "probe/tables/answers.h"
#include "rules/text.h"
#include "tests/probe/damage.h"
#include "tests/probe/solved_tables.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <random>

namespace mill::testing {
namespace {

namespace fs = std::filesystem;

/// One random change of a file. Some leave it as it is.
void mutate(Bytes& bytes, const Bytes& other, std::mt19937_64& random) {
    const auto at = [&](std::size_t n) {
        return static_cast<std::size_t>(random() % std::max<std::size_t>(n, 1));
    };
    switch (random() % 8) {
    case 0: bytes[at(bytes.size())] ^= static_cast<std::uint8_t>(1U << random() % 8); break;
    case 1: bytes[at(kHeaderSize)] = static_cast<std::uint8_t>(random()); break;
    case 2: bytes.resize(at(bytes.size())); break;
    case 3: bytes.insert(bytes.end(), at(100), static_cast<std::uint8_t>(random())); break;
    case 4: { // a range overwritten
        const std::size_t begin = at(bytes.size()), n = at(std::min<std::size_t>(bytes.size() - begin, 5000));
        std::fill_n(bytes.begin() + static_cast<std::ptrdiff_t>(begin), n,
                    static_cast<std::uint8_t>(random() % 2 * 255));
        break;
    }
    case 5: { // two ranges of one file exchanged
        const std::size_t n = 1 + at(bytes.size() / 4), a = at(bytes.size() / 2 - n),
                          b = bytes.size() / 2 + at(bytes.size() / 2 - n);
        std::swap_ranges(bytes.begin() + static_cast<std::ptrdiff_t>(a),
                         bytes.begin() + static_cast<std::ptrdiff_t>(a + n),
                         bytes.begin() + static_cast<std::ptrdiff_t>(b));
        break;
    }
    case 6: { // the tail of another file
        const std::size_t begin = at(std::min(bytes.size(), other.size()));
        std::copy(other.begin() + static_cast<std::ptrdiff_t>(begin),
                  other.begin() + static_cast<std::ptrdiff_t>(std::min(other.size(), bytes.size())),
                  bytes.begin() + static_cast<std::ptrdiff_t>(begin));
        break;
    }
    case 7: bytes.erase(bytes.begin() + static_cast<std::ptrdiff_t>(at(bytes.size()))); break;
    }
}

constexpr int kMutations = 3000;

TEST(Corruption, NoMutationGivesAWrongAnswer) {
    const SolvedTables& solved = three_pieces();
    std::mt19937_64 random(7);
    std::uint64_t refused = 0, failed = 0, right = 0;
    const std::vector<Subspace> subspaces = {parse_subspace("2-3+1-0"), parse_subspace("3-3+0-0"),
                                             parse_subspace("2-2+1-1")};
    std::map<std::string, Bytes> files;
    for (const Subspace s : subspaces)
        for (const char* metric : {"wdl", "dtz", "dte"})
            files[to_text(s) + metric] = read_file(solved.file(s, metric));
    for (int round = 0; round < kMutations; ++round) {
        const Subspace s = subspaces[random() % subspaces.size()];
        const char* const metrics[] = {"wdl", "dtz", "dte"};
        const std::size_t hit = random() % 3;
        Bytes bad = files[to_text(s) + metrics[hit]];
        const Bytes good = bad;
        auto other = files.begin();
        std::advance(other, static_cast<std::ptrdiff_t>(random() % files.size()));
        mutate(bad, other->second, random);
        TableSet set(solved.rules);
        bool taken = true;
        for (std::size_t m = 0; m < 3; ++m) {
            const Bytes& bytes = m == hit ? bad : files[to_text(s) + metrics[m]];
            try {
                set.add_source(memory_source(bytes), "mutated");
            } catch (const Error& e) {
                ASSERT_EQ(m, hit);
                ASSERT_TRUE(e.code() == ErrorCode::corrupt_table || e.code() == ErrorCode::unsupported_format)
                    << e.what();
                taken = false;
            }
        }
        refused += !taken;
        const builder::MemoryTable& truth = *solved.tables.at(s);
        for (int i = 0; i < 12; ++i) {
            const std::uint64_t n = random() % truth.index.size();
            const auto [own, opp] = truth.index.position(n);
            Position p = make_position(s, own, opp);
            if (judge(solved.rules, p).reason != Reason::none) continue;
            const int limit = draw_limit(solved.rules, p);
            p.counter =
                static_cast<std::uint8_t>(random() % 2 ? random() % static_cast<std::uint64_t>(limit) : 0);
            try {
                const Answer a = answer(set, p, kAllMetrics);
                const Value v = truth.at(n, limit - p.counter);
                ASSERT_EQ(a.outcome, v.outcome) << to_text(p) << " round " << round;
                if (v.outcome != Outcome::draw) {
                    ASSERT_TRUE(a.dte == v.dte || (a.dte == -1 && hit == 2 && !taken))
                        << to_text(p) << " round " << round;
                    ASSERT_TRUE(a.dtz == truth.dtz[n] || (a.dtz == -1 && hit == 1 && !taken)) << to_text(p);
                }
                ++right;
            } catch (const Error& e) {
                ASSERT_NE(bad, good);
                ASSERT_TRUE(e.code() == ErrorCode::corrupt_table ||
                            (!taken && e.code() == ErrorCode::missing_table))
                    << e.what();
                ++failed;
            }
        }
    }
    std::cout << kMutations << " mutations: " << refused << " refused when opened; of the probes " << failed
              << " were errors, " << right << " right, none wrong\n";
}

TEST(Corruption, RefusedFilesAreNamedAndTheirProbesFail) {
    const SolvedTables& solved = three_pieces();
    const TemporaryDirectory copy;
    const std::string folder = copy.path() + "/" + solved.rules.folder_name();
    fs::copy(solved.directory.path() + "/" + solved.rules.folder_name(), folder);
    fs::rename(folder + "/2-2+1-1.wdl", folder + "/1-2+2-1.wdl");  // renamed over another
    std::ofstream empty(folder + "/2-2+1-1.wdl", std::ios::trunc); // zero length
    empty.close();
    fs::resize_file(folder + "/3-3+0-0.dte", fs::file_size(folder + "/3-3+0-0.dte") - 1); // truncated
    fs::copy_file(unlimited().file(parse_subspace("2-3+1-0"), "wdl"), folder + "/2-3+1-0.wdl",
                  fs::copy_options::overwrite_existing); // of another ruleset
    TableSet set(solved.rules);
    const OpenReport report = set.add_directory(copy.path());
    std::map<std::string, ErrorCode> refused;
    for (const TableFile& f : report.refused) {
        refused[fs::path(f.path).filename()] = f.code;
        EXPECT_FALSE(f.reason.empty());
    }
    const std::map<std::string, ErrorCode> expected = {{"1-2+2-1.wdl", ErrorCode::corrupt_table},
                                                       {"2-2+1-1.wdl", ErrorCode::corrupt_table},
                                                       {"3-3+0-0.dte", ErrorCode::corrupt_table},
                                                       {"2-3+1-0.wdl", ErrorCode::wrong_fingerprint}};
    EXPECT_EQ(refused, expected);
    const auto code = [&](const char* subspace, Wanted wanted) {
        const SubspaceIndex index(parse_subspace(subspace));
        const auto [own, opp] = index.position(index.size() / 2);
        try {
            answer(set, make_position(parse_subspace(subspace), own, opp), wanted);
        } catch (const Error& e) {
            EXPECT_NE(std::string(e.what()).find(subspace), std::string::npos) << e.what();
            return e.code();
        }
        return ErrorCode::ok;
    };
    EXPECT_EQ(code("1-2+2-1", {}), ErrorCode::corrupt_table);
    EXPECT_EQ(code("2-2+1-1", {}), ErrorCode::corrupt_table);
    EXPECT_EQ(code("2-3+1-0", {}), ErrorCode::wrong_fingerprint);
    EXPECT_EQ(code("3-3+0-0", {}), ErrorCode::ok);
    EXPECT_EQ(code("3-3+0-0", kAllMetrics), ErrorCode::corrupt_table); // not "unknown"
}

TEST(Corruption, OtherRulesetsFoldersAreLeftAloneAndOursIsFoundUnderAnyName) {
    const TemporaryDirectory tables;
    fs::copy(three_pieces().directory.path() + "/" + three_pieces().rules.folder_name(),
             tables.path() + "/whatever");
    fs::copy(unlimited().directory.path() + "/" + unlimited().rules.folder_name(),
             tables.path() + "/another");
    TableSet set(three_pieces().rules);
    const OpenReport report = set.add_directory(tables.path());
    EXPECT_EQ(report.found.size(), 3 * three_pieces().tables.size());
    EXPECT_TRUE(report.refused.empty());
}

} // namespace
} // namespace mill::testing

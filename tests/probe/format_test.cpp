// The table file: what is written is read back, whatever is not right is refused.
#include "builder/encode/table_writer.h"
#include "probe/format/table_reader.h"
#include "rules/error.h"
#include "tests/probe/solved_tables.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <random>

namespace mill::testing {
namespace {

namespace fs = std::filesystem;

TableMeta some_meta(Metric m, std::uint8_t code_bits) {
    TableMeta meta;
    meta.fingerprint = 0x0123456789ABCDEF;
    meta.subspace = {3, 2, 1, 0};
    meta.metric = m;
    meta.code_bits = code_bits;
    meta.limit = 20;
    meta.block_entries = 1000;
    meta.entries = SubspaceIndex(3, 2).size();
    return meta;
}

std::vector<std::uint8_t> random_bytes(std::mt19937_64& random, std::size_t n) {
    std::vector<std::uint8_t> bytes(n);
    for (auto& b : bytes) b = static_cast<std::uint8_t>(random());
    return bytes;
}

ErrorCode code_of(const std::function<void()>& fn) {
    try {
        fn();
    } catch (const Error& e) {
        return e.code();
    }
    return ErrorCode::ok;
}

TEST(Format, RoundTripOfEveryMetric) {
    const TemporaryDirectory directory;
    std::mt19937_64 random(1);
    for (const auto& [metric, bits] : {std::pair{Metric::wdl, 2}, {Metric::dtz, 8}, {Metric::dte, 16}}) {
        const TableMeta meta = some_meta(metric, static_cast<std::uint8_t>(bits));
        const std::string path = directory.path() + "/" + table_file_name(meta.subspace, metric);
        std::vector<std::vector<std::uint8_t>> blocks;
        std::vector<std::vector<ProfileStep>> steps(meta.block_count());
        TableStats stats;
        stats.win = 7;
        stats.max = 19;
        {
            TableWriter writer(path, meta);
            for (std::uint32_t b = 0; b < meta.block_count(); ++b) {
                blocks.push_back(random_bytes(random, meta.code_bytes(b)));
                if (metric == Metric::dte && b % 2 == 0) {
                    const std::uint32_t first = b * meta.block_entries;
                    steps[b] = {{first + 1, 5, 9}, {first + 1, 7, 8}, {first + 3, 2, 4}};
                    append_steps(blocks.back(), steps[b], first);
                    writer.add_steps(steps[b].size());
                }
                writer.append(encode_block(blocks.back(), 3));
            }
            writer.finish(stats);
        }
        for (int kind = 0; kind < 3; ++kind) {
            auto source = kind == 0   ? open_file(path, FileAccess::map)
                          : kind == 1 ? open_file(path, FileAccess::read)
                                      : open_file(path, FileAccess::map);
            const TableReader reader(std::move(source));
            EXPECT_NO_THROW(expect_identity(reader.meta(), meta.fingerprint, meta.subspace, metric));
            EXPECT_EQ(reader.meta().stats, stats);
            std::vector<std::uint8_t> raw;
            for (std::uint32_t b = 0; b < meta.block_count(); ++b) {
                reader.read_block(b, raw);
                ASSERT_EQ(raw, blocks[b]);
                ASSERT_EQ(step_count(reader.meta(), b, raw.size()), steps[b].size());
                for (std::size_t i = 0; i < steps[b].size(); ++i) {
                    ProfileStep step = step_at(reader.meta(), b, raw.data(), i);
                    step.entry += b * meta.block_entries;
                    ASSERT_EQ(step, steps[b][i]);
                }
            }
        }
    }
}

TEST(Format, IdentityIsChecked) {
    const TableMeta meta = some_meta(Metric::wdl, 2);
    const auto check = [&](std::uint64_t fingerprint, Subspace s, Metric m) {
        return code_of([&] { expect_identity(meta, fingerprint, s, m); });
    };
    EXPECT_EQ(check(meta.fingerprint, meta.subspace, Metric::wdl), ErrorCode::ok);
    EXPECT_EQ(check(1, meta.subspace, Metric::wdl), ErrorCode::wrong_fingerprint);
    EXPECT_EQ(check(meta.fingerprint, {2, 3, 1, 0}, Metric::wdl), ErrorCode::corrupt_table);
    EXPECT_EQ(check(meta.fingerprint, meta.subspace, Metric::dtz), ErrorCode::corrupt_table);
}

TEST(Format, NothingRemainsOfAFileThatIsNotCommitted) {
    const TemporaryDirectory directory;
    const std::string path = directory.path() + "/3-2+1-0.wdl";
    {
        TableWriter writer(path, some_meta(Metric::wdl, 2));
        writer.append(encode_block(std::vector<std::uint8_t>(250), 3));
        EXPECT_EQ(code_of([&] { writer.finish({}); }), ErrorCode::internal);
    }
    EXPECT_TRUE(fs::is_empty(directory.path()));
}

TEST(Format, EveryByteOfAHeaderCounts) {
    const auto& solved = three_pieces();
    std::ifstream file(solved.file(parse_subspace("2-3+1-0"), "dte"), std::ios::binary);
    std::vector<std::uint8_t> good((std::istreambuf_iterator<char>(file)), {});
    ASSERT_GT(good.size(), kHeaderSize);
    EXPECT_NO_THROW(TableReader(memory_source(good)));
    for (std::size_t i = 0; i < kHeaderSize; ++i)
        for (const int mask : {1, 128, 255}) {
            auto bad = good;
            bad[i] = static_cast<std::uint8_t>(bad[i] ^ mask);
            const ErrorCode code = code_of([&] { TableReader(memory_source(bad)); });
            const bool version = i >= 8 && i < 12;
            EXPECT_EQ(code, version ? ErrorCode::unsupported_format : ErrorCode::corrupt_table)
                << "byte " << i;
        }
    for (std::size_t size = 0; size < good.size(); size += 1 + size / 16)
        EXPECT_EQ(
            code_of([&] { TableReader(memory_source(std::span<const std::uint8_t>(good).first(size))); }),
            ErrorCode::corrupt_table);
}

TEST(Format, MissingFilesAndFailingReaders) {
    EXPECT_EQ(code_of([] { open_file("/nonexistent/1-1+0-0.wdl", FileAccess::map); }),
              ErrorCode::missing_table);
    EXPECT_EQ(code_of([] { open_file("/nonexistent/1-1+0-0.wdl", FileAccess::read); }),
              ErrorCode::missing_table);
    EXPECT_EQ(code_of([] { open_file("/", FileAccess::map); }), ErrorCode::io);
    const TemporaryDirectory directory;
    std::ofstream empty(directory.path() + "/empty");
    empty.close();
    EXPECT_EQ(code_of([&] { TableReader(open_file(directory.path() + "/empty", FileAccess::map)); }),
              ErrorCode::corrupt_table);
    EXPECT_EQ(code_of([] {
                  TableReader(
                      callback_source(100000, [](std::uint64_t, std::span<std::uint8_t>) { return false; }));
              }),
              ErrorCode::io);
}

} // namespace
} // namespace mill::testing

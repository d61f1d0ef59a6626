// Where bytes come from and go to: every way to read a file gives the same, every failure is an error.
#include "builder/encode/table_writer.h"
#include "probe/tables/answers.h"
#include "probe/tables/check_tables.h"
#include "rules/error.h"
#include "tests/probe/damage.h"
#include "tests/probe/solved_tables.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <sys/stat.h>

namespace mill::testing {
namespace {

namespace fs = std::filesystem;

constexpr FileAccess kAccess[] = {FileAccess::map, FileAccess::read, FileAccess::reopen};

Subspace placing() { return parse_subspace("2-3+1-0"); }

TEST(Sources, AllReadTheSame) {
    const std::string path = three_pieces().file(placing(), "wdl");
    const Bytes bytes = read_file(path);
    std::vector<std::unique_ptr<ByteSource>> sources;
    for (const FileAccess a : kAccess) sources.push_back(open_file(path, a));
    sources.push_back(memory_source(bytes));
    sources.push_back(callback_source(bytes.size(), [&](std::uint64_t at, std::span<std::uint8_t> to) {
        std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(at), to.size(), to.begin());
        return true;
    }));
    for (const auto& source : sources) {
        ASSERT_EQ(source->size(), bytes.size());
        Bytes part(100);
        source->read(50, part);
        EXPECT_TRUE(std::equal(part.begin(), part.end(), bytes.begin() + 50));
        const auto view = source->view(50, 100);
        EXPECT_TRUE(view.empty() || std::equal(view.begin(), view.end(), bytes.begin() + 50));
        source->prefetch(0, bytes.size());
        source->prefetch(bytes.size() + 1, 5); // a hint that cannot be followed is no error
        EXPECT_EQ(thrown([&] { source->read(bytes.size() - 50, part); }), ErrorCode::corrupt_table);
        EXPECT_EQ(thrown([&] { source->read(~std::uint64_t{0}, part); }), ErrorCode::corrupt_table);
    }
    for (const std::size_t i : {std::size_t{0}, std::size_t{3}})
        EXPECT_EQ(thrown([&] { sources[i]->view(bytes.size(), 1); }), ErrorCode::corrupt_table);
}

TEST(Sources, WhatIsNoFileIsRefusedAndNotWaitedFor) {
    const TemporaryDirectory folder;
    const std::string pipe = folder.path() + "/2-3+1-0.wdl";
    ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
    for (const FileAccess a : kAccess) {
        EXPECT_EQ(thrown([&] { open_file(pipe, a); }), ErrorCode::io);
        EXPECT_EQ(thrown([&] { open_file(folder.path(), a); }), ErrorCode::io);
        EXPECT_EQ(thrown([&] { open_file(folder.path() + "/none", a); }), ErrorCode::missing_table);
        EXPECT_EQ(thrown([&] { open_file(pipe + "/below", a); }), ErrorCode::io);
    }
    TableSet set(three_pieces().rules);
    const OpenReport report = set.add_directory(folder.path());
    ASSERT_EQ(report.refused.size(), 1U);
    EXPECT_EQ(report.refused[0].code, ErrorCode::io);
    EXPECT_EQ(thrown([&] { check_tables(set, {}); }), ErrorCode::io);
    EXPECT_EQ(thrown([&] { set.add_directory(pipe); }), ErrorCode::io);
}

TEST(Sources, AFileThatChangesWhileInUse) {
    const TemporaryDirectory folder;
    const std::string path = folder.path() + "/3-3+0-0.dtz";
    const Bytes bytes = read_file(three_pieces().file(parse_subspace("3-3+0-0"), "dtz"));
    std::vector<std::uint8_t> raw;
    std::string said;
    for (const FileAccess a : {FileAccess::read, FileAccess::reopen}) {
        write_file(path, bytes);
        const TableReader reader(open_file(path, a));
        fs::resize_file(path, bytes.size() / 2);
        EXPECT_EQ(thrown([&] { reader.read_block(reader.meta().block_count() - 1, raw); }, &said),
                  ErrorCode::corrupt_table);
        EXPECT_NE(said.find("shorter"), std::string::npos) << said;
    }
    // The index is looked up again for each block, and not believed if it is another one.
    write_file(path, bytes);
    const TableReader reader(open_file(path, FileAccess::reopen));
    Bytes other = bytes;
    other[reader.meta().index_offset] ^= 1;
    write_file(path, other);
    EXPECT_EQ(thrown([&] { reader.read_block(0, raw); }, &said), ErrorCode::corrupt_table);
    EXPECT_NE(said.find("index has changed"), std::string::npos) << said;
    EXPECT_EQ(thrown([&] { reader.prefetch(0); }), ErrorCode::corrupt_table);
    // Another block: found when it is read, compressed or not.
    other = bytes;
    other[kHeaderSize + 5] ^= 1;
    write_file(path, other);
    EXPECT_EQ(thrown([&] { reader.read_block(0, raw); }), ErrorCode::corrupt_table);
    EXPECT_EQ(thrown([&] { reader.read_encoded(0); }), ErrorCode::corrupt_table);
    fs::remove(path);
    EXPECT_EQ(thrown([&] { reader.read_block(0, raw); }), ErrorCode::missing_table);
}

TEST(Sources, ATableThatIsReplacedAfterItWasFound) {
    const TemporaryDirectory folder;
    const SolvedTables& solved = three_pieces();
    const std::string path = folder.path() + "/2-3+1-0.wdl";
    fs::copy_file(solved.file(placing(), "wdl"), path);
    TableSet set(solved.rules);
    ASSERT_EQ(set.add_directory(folder.path()).found.size(), 1U);
    fs::copy_file(unlimited().file(placing(), "wdl"), path, fs::copy_options::overwrite_existing);
    const SubspaceIndex index(placing());
    const auto sets = index.position(index.size() / 2);
    std::string said;
    EXPECT_EQ(thrown([&] { answer(set, make_position(placing(), sets.first, sets.second), {}); }, &said),
              ErrorCode::wrong_fingerprint);
    EXPECT_NE(said.find(path), std::string::npos) << said;
}

TEST(Writing, FailsWithAReason) {
    const TemporaryDirectory folder;
    std::string said;
    EXPECT_EQ(thrown([&] { write_file_atomically(folder.path() + "/none/file", "text"); }, &said),
              ErrorCode::io);
    EXPECT_NE(said.find("cannot create"), std::string::npos) << said;
    fs::create_directories(folder.path() + "/taken/x");
    EXPECT_EQ(thrown([&] { write_file_atomically(folder.path() + "/taken", "text"); }, &said), ErrorCode::io);
    EXPECT_NE(said.find("its name"), std::string::npos) << said;
    EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), {}), 1) << "a temporary file stayed";
    write_file_atomically(folder.path() + "/file", "text");
    EXPECT_EQ(read_file(folder.path() + "/file"), (Bytes{'t', 'e', 'x', 't'}));
}

} // namespace
} // namespace mill::testing

// The tables of one ruleset that have been found, and single values out of them.
#pragma once

#include "probe/format/table_reader.h"
#include "probe/index/index.h"
#include "probe/tables/block_cache.h"
#include "probe/tables/half_set.h"
#include "probe/values/evaluate.h"
#include "rules/error.h"
#include "rules/ruleset.h"

#include <array>
#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace mill {

/// A table file that was looked at: taken, or refused with its reason.
struct TableFile {
    std::string path;
    Subspace subspace; ///< of the header; of the file's name if that could not be read
    Metric metric = Metric::wdl;
    std::uint64_t bytes = 0;
    ErrorCode code = ErrorCode::ok;
    std::string reason; ///< why it was refused
};

/// What came of opening a directory.
struct OpenReport {
    std::vector<TableFile> found, refused;
};

struct TableSetOptions {
    FileAccess access = FileAccess::map;
    std::uint64_t cache_bytes = std::uint64_t{64} << 20;
};

/// An open table. Files are checked when found, but held open only once a value is wanted: a complete
/// set has more files than a process may hold open.
class OpenTable {
public:
    /// `reopen` makes the source anew; a table without it keeps the reader that it was checked with.
    OpenTable(std::uint32_t id, std::string path, std::unique_ptr<TableReader> reader, FileAccess access,
              bool keep);
    ~OpenTable();

    std::uint32_t id() const { return id_; }
    const TableMeta& meta() const { return meta_; }
    const std::string& path() const { return path_; }
    std::uint32_t block_of(std::uint64_t index) const {
        return static_cast<std::uint32_t>(index / meta_.block_entries);
    }
    std::uint64_t key(std::uint32_t block) const { return std::uint64_t{id_} << 32 | block; }

    /// Throws as TableReader does, with the path in the message, also if the file is not what it was.
    const TableReader& reader() const;
    std::size_t memory() const; ///< of the reader, if there is one now
    void read_block(std::uint32_t block, std::vector<std::uint8_t>& raw,
                    const Companions* companions = nullptr) const;

private:
    std::uint32_t id_;
    std::string path_;
    FileAccess access_;
    TableMeta meta_;
    mutable std::mutex mutex_;
    mutable std::unique_ptr<TableReader> owner_;
    mutable std::atomic<const TableReader*> reader_{nullptr};
};

/// The tables of one subspace.
struct SubspaceTables {
    SubspaceTables(const Ruleset& rules, Subspace s);
    Subspace subspace;
    SubspaceIndex index;
    int limit; ///< draw limit L, 0 = none
    std::array<std::atomic<OpenTable*>, 3> tables{};
    OpenTable* table(Metric m) const {
        return tables[static_cast<std::size_t>(m) - 1].load(std::memory_order_acquire);
    }
};

/// All tables of one ruleset, from any number of directories. Any number of threads may probe while
/// another adds tables. Tables are never taken away.
class TableSet {
public:
    explicit TableSet(const Ruleset& rules, const TableSetOptions& options = {});
    ~TableSet();
    TableSet(const TableSet&) = delete;
    TableSet& operator=(const TableSet&) = delete;

    const Ruleset& rules() const { return rules_; }
    std::uint64_t fingerprint() const { return fingerprint_; }
    BlockCache& cache() const { return cache_; }

    /// Takes the tables in `path`, or in those folders in it whose tables carry the ruleset's
    /// fingerprint, whatever they are called. A table that is known already stays. Throws Error(io).
    OpenReport add_directory(const std::string& path);
    /// Takes one table from anywhere; `name` is for messages. Throws why it is refused.
    TableFile add_source(std::unique_ptr<ByteSource> source, const std::string& name);

    /// Everything taken and refused so far.
    OpenReport files() const;
    /// All open tables, in the order in which they were found.
    std::vector<const OpenTable*> open_tables() const;
    std::uint64_t table_bytes() const; ///< memory that they hold beside the cache

    /// The tables of a subspace, or null if there is none at all.
    const SubspaceTables* find(Subspace s) const;
    bool has(Subspace s, Metric m) const;
    /// Whether a half set does without the tables of s, and none of them was refused: then its values follow from
    /// those of others.
    bool derives(Subspace s) const;
    /// Throws why there is none: Error(missing_table), or the code with which its file was refused.
    [[noreturn]] void throw_missing(Subspace s, Metric m) const;
    /// Throws if the file of that table was refused: a damaged table must not look like an absent one.
    void throw_if_refused(Subspace s, Metric m) const;

private:
    void take_file(const std::string& path, OpenReport& report);
    void take(std::unique_ptr<TableReader> reader, const std::string& path, bool keep);
    SubspaceTables& make(Subspace s);

    Ruleset rules_;
    std::uint64_t fingerprint_;
    TableSetOptions options_;
    mutable BlockCache cache_;
    std::unique_ptr<std::atomic<SubspaceTables*>[]> by_subspace_; ///< 13^4, so that a probe needs no lock
    std::atomic<bool> any_refused_{false};
    mutable std::once_flag half_once_;
    mutable std::unique_ptr<const HalfSet> half_; ///< made when a table is first missed
    mutable std::mutex mutex_;                    ///< of what follows
    std::vector<std::unique_ptr<SubspaceTables>> subspaces_;
    std::vector<std::unique_ptr<OpenTable>> tables_;
    OpenReport files_;
};

/// The fingerprint that the tables of a folder carry: of the first readable header. 0 if there is none.
std::uint64_t folder_fingerprint(const std::string& folder);

} // namespace mill

// The tables of one ruleset on disk: which are there, reading them into memory, writing them.
#pragma once

#include "builder/tables/memory_table.h"
#include "probe/format/table_reader.h"

#include <atomic>
#include <list>
#include <map>
#include <mutex>
#include <optional>
#include <string>

namespace mill::builder {

/// Which metrics, as given to --metrics.
struct Metrics {
    bool wdl = true, dtz = true, dte = true;
    bool has(Metric m) const { return m == Metric::wdl ? wdl : m == Metric::dtz ? dtz : dte; }
    friend bool operator==(const Metrics&, const Metrics&) = default;
};
/// Parses "wdl,dtz,dte" (any subset with wdl). Throws Error(bad_argument).
Metrics parse_metrics(std::string_view text);

/// How a subspace was solved: kept beside the tables, which themselves do not depend on it.
struct SolveRecord {
    std::string subspace;        ///< the group, e.g. "5-4+0-0,4-5+0-0"
    std::uint64_t positions = 0; ///< entries of the group
    double seconds = 0;          ///< solving, without loading and writing
    double total_seconds = 0;
    double cpu_seconds = 0;        ///< of all threads, in all
    std::uint64_t peak_memory = 0; ///< most resident bytes meanwhile, kept tables included; 0 = unknown
    int threads = 0;
    bool dte = false;
};

class TableStore {
public:
    /// `tables` is the directory given by the user; the ruleset's folder in it is made when first needed.
    TableStore(const Ruleset& rules, const std::string& tables);

    const Ruleset& rules() const { return rules_; }
    const std::string& folder() const { return folder_; }
    std::string path(Subspace s, Metric m) const;
    void make_folder() const; ///< Throws Error(io).

    /// Opens a table and checks that it is the one. Throws Error(missing_table) naming the subspace,
    /// Error(wrong_fingerprint), Error(corrupt_table), Error(io).
    TableReader open(Subspace s, Metric m) const;
    /// Whether the table is there with a good header and index; throws as open() if it is damaged.
    bool has(Subspace s, Metric m) const;
    bool has_all(Subspace s, const Metrics& metrics) const;

    /// Reads the given metrics whole, all checksums checked; profiles only along with DTZ. Throws as open().
    MemoryTable load(Subspace s, const Metrics& metrics, int threads,
                     const std::atomic<bool>* stop = nullptr) const;
    /// Writes the metrics that the table holds (of those asked for), each atomically. Both are ended by a
    /// set `stop` flag with Error(aborted): a large table takes minutes.
    void save(const MemoryTable& table, const Metrics& metrics, int zstd_level, int threads,
              const std::atomic<bool>* stop = nullptr) const;

    /// Appends to the log of solving times; reads it (last record per group wins).
    void record(const SolveRecord& r) const;
    std::map<std::string, SolveRecord> records() const;

    /// What manifest.json has to say about the tables that are there, from their headers.
    std::string manifest() const;
    /// Writes manifest.json, unless it says all that already.
    void write_manifest() const;

private:
    Ruleset rules_;
    std::string folder_;
    std::uint64_t fingerprint_;
};

/// Sum and counts over all boards of one metric of a table.
TableStats statistics(const MemoryTable& table, Metric m, int threads,
                      const std::atomic<bool>* stop = nullptr);

/// Tables kept in memory for the solver, least recently used ones dropped beyond `budget` bytes.
class TableCache {
public:
    TableCache(const TableStore& store, const Metrics& metrics, std::uint64_t budget, int threads,
               const std::atomic<bool>* stop = nullptr);
    std::shared_ptr<const MemoryTable> get(Subspace s);
    /// What is kept of s, or null.
    std::shared_ptr<const MemoryTable> find(Subspace s);
    void put(std::shared_ptr<const MemoryTable> table);
    void set_budget(std::uint64_t budget);
    std::uint64_t bytes() const { return bytes_; }

private:
    std::shared_ptr<const MemoryTable> kept(Subspace s);
    void shrink();
    const TableStore& store_;
    Metrics metrics_;
    std::uint64_t budget_, bytes_ = 0;
    int threads_;
    const std::atomic<bool>* stop_;
    std::mutex mutex_;
    std::list<Subspace> order_; ///< most recent first
    std::map<Subspace, std::shared_ptr<const MemoryTable>> tables_;
};

/// Bytes of a table in memory.
std::uint64_t memory_of(const MemoryTable& t);

} // namespace mill::builder

// The tables of one ruleset, opened for probing, and exact answers from them.
#pragma once

#include "mill/error.h"
#include "mill/probe/block_cache.h"
#include "mill/probe/evaluate.h"

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <shared_mutex>
#include <string>
#include <vector>

namespace mill {

/// What happened to one file of a directory.
struct FileReport {
    std::string path;
    ErrorCode code = ErrorCode::ok; ///< ok: opened
    std::string reason;
};

/// Exact answer for one position. DTZ and DTE are absent for draws, and where their tables are.
struct Answer {
    Outcome outcome = Outcome::draw; ///< at the position's counter
    Reason ends = Reason::none;      ///< why the game is over, if it is
    std::optional<int> dtz, dte;
    int limit = 0;  ///< draw limit; 0 = none
    int budget = 0; ///< limit - counter; 0 = none
};

/// One turn with its value, seen from the side to move before it.
struct RankedTurn {
    Turn turn;
    std::string text;
    Outcome outcome = Outcome::draw;
    std::optional<int> dtz, dte; ///< the turn included
    bool zeroing = false;        ///< resets the draw counter
    Reason ends = Reason::none;  ///< the game is over after the turn
};

struct ProfilePoint {
    int budget, dte; ///< from this budget up to the next point
    friend bool operator==(const ProfilePoint&, const ProfilePoint&) = default;
};

class TableSet {
public:
    struct Options {
        FileAccess access = FileAccess::read;
        std::uint64_t cache_bytes = std::uint64_t{64} << 20;
    };
    TableSet(const Ruleset& rules, Options options);
    ~TableSet();

    const Ruleset& rules() const { return rules_; }
    BlockCache& cache() const { return cache_; }

    /// Opens every table of this ruleset (by fingerprint, whatever the folder's name) in the directory
    /// and the folders right in it. Files of other rulesets are reported with wrong_fingerprint.
    /// Not to be called while other threads probe. Throws Error(io) if the directory cannot be read.
    std::vector<FileReport> add_directory(const std::string& path);
    /// Opens one table from any source. Throws what opening a table throws.
    void add_source(std::unique_ptr<ByteSource> source);

    bool has(Subspace s, Metric m) const { return find(s, m) != nullptr; }
    std::vector<std::pair<Subspace, Metric>> tables() const;

    // Thread-safe from here on. With `soft` nothing is read: Error(not_cached) where that would be.

    /// Throws Error(missing_table) naming the table, Error(corrupt_table), Error(io).
    Answer probe(const Position& p, bool soft = false) const;
    /// Outcome alone: needs no distances (but DTZ where the counter is above 0).
    Outcome probe_outcome(const Position& p, bool soft = false) const;
    /// The (budget, DTE) steps; empty for draws. Without a limit one point of budget 0.
    std::vector<ProfilePoint> profile(const Position& p) const;
    /// All turns, best first: wins by DTE up, draws, losses by DTE down, then by text. Without DTE
    /// tables DTZ takes its place.
    std::vector<RankedTurn> rank(const Position& p) const;
    /// Best play to the end of a decided game; empty for draws.
    std::vector<RankedTurn> line(const Position& p) const;
    /// Subspaces whose outcomes are needed to rank all turns and are not there, ascending.
    std::vector<Subspace> missing(const Position& p) const;
    /// Hints that the position's blocks will be wanted.
    void prefetch(const Position& p) const;

    /// Reads and checks every block. `progress` gets (done, all) blocks and may return false to stop:
    /// Error(aborted). Throws on the first damage.
    void verify(const std::function<bool(std::uint64_t, std::uint64_t)>& progress) const;

private:
    friend class Stored;
    struct Table;
    const Table* find(Subspace s, Metric m) const;
    void add(std::unique_ptr<Table> table);

    Ruleset rules_;
    Options options_;
    std::uint64_t fingerprint_;
    mutable BlockCache cache_;
    std::vector<std::unique_ptr<Table>> tables_;
    std::vector<const Table*> by_key_; ///< [own][opp][own reserve][opp reserve][metric]
};

} // namespace mill

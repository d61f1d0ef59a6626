// Small complete games, solved and written to a directory of their own: what the tests probe.
#pragma once

#include "builder/tables/memory_table.h"
#include "probe/index/subspace.h"
#include "rules/error.h"
#include "rules/ruleset.h"

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace mill::testing {

/// The code of the Error that fn throws, or ok; its text too, if asked for.
ErrorCode thrown(const std::function<void()>& fn, std::string* message = nullptr);

/// A table to change.
builder::MemoryTable copy_of(const builder::MemoryTable& t);

/// A directory that goes when the object does.
class TemporaryDirectory {
public:
    TemporaryDirectory();
    ~TemporaryDirectory();
    TemporaryDirectory(const TemporaryDirectory&) = delete;
    TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;
    const std::string& path() const { return path_; }

private:
    std::string path_;
};

/// The tables of some subspaces of a ruleset with all that they depend on: on disk, and as the solver made them.
struct SolvedTables {
    /// `game` is a preset with changes: "lg9;pieces=3".
    SolvedTables(const std::string& game, const std::vector<Subspace>& wanted);

    std::string file(Subspace s, const char* metric) const;

    Ruleset rules;
    std::string game;
    TemporaryDirectory directory;
    std::map<Subspace, std::shared_ptr<const builder::MemoryTable>> tables;
};

/// lg9 with three pieces from the start: placing, flying, a draw limit of 20 plies. Solved once a program.
const SolvedTables& three_pieces();
/// app3 with a draw limit that placements count against: placing positions have profiles.
const SolvedTables& counting_placements();
/// solved9 with three pieces: no draw limit.
const SolvedTables& unlimited();

/// A ruleset from "preset;key=value;...".
Ruleset game_rules(const std::string& game);

} // namespace mill::testing

#include "tests/probe/solved_tables.h"

#include "builder/solve/solved_set.h"
#include "builder/tables/store.h"
#include "probe/index/turn_classes.h"
#include "rules/error.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

namespace mill::testing {

namespace fs = std::filesystem;

namespace {
template <class T> builder::HugeArray<T> copy_of(const builder::HugeArray<T>& a) {
    builder::HugeArray<T> out(a.size());
    std::copy(a.begin(), a.end(), out.begin());
    return out;
}
} // namespace

builder::MemoryTable copy_of(const builder::MemoryTable& t) {
    builder::MemoryTable out(t.subspace);
    out.wdl = copy_of(t.wdl);
    out.dtz = copy_of(t.dtz);
    out.dte = copy_of(t.dte);
    out.steps = t.steps;
    return out;
}

ErrorCode thrown(const std::function<void()>& fn, std::string* message) {
    try {
        fn();
    } catch (const Error& e) {
        if (message) *message = e.what();
        return e.code();
    }
    return ErrorCode::ok;
}

TemporaryDirectory::TemporaryDirectory() {
    std::string pattern = (fs::temp_directory_path() / "mill-test-XXXXXX").string();
    if (!mkdtemp(pattern.data())) throw Error(ErrorCode::io, "cannot make a temporary directory");
    path_ = pattern;
}

TemporaryDirectory::~TemporaryDirectory() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
}

Ruleset game_rules(const std::string& game) {
    std::string rest = game;
    auto next = [&rest] {
        const auto end = rest.find(';');
        std::string part = rest.substr(0, end);
        rest.erase(0, end == std::string::npos ? rest.size() : end + 1);
        return part;
    };
    Ruleset rules = load_ruleset(next());
    while (!rest.empty()) rules.set(next());
    return rules;
}

SolvedTables::SolvedTables(const std::string& description, const std::vector<Subspace>& wanted)
    : rules(game_rules(description)), game(description) {
    const builder::TableStore store(rules, directory.path());
    builder::SolvedSet solved(rules);
    for (const Subspace s : wanted) solved.need(s);
    tables = solved.all();
    for (const auto& [s, table] : tables) store.save(*table, {}, 3, 1);
    store.write_manifest();
}

std::string SolvedTables::file(Subspace s, const char* metric) const {
    return directory.path() + "/" + rules.folder_name() + "/" + to_text(s) + "." + metric;
}

const SolvedTables& three_pieces() {
    static const SolvedTables solved("lg9;pieces=3;quiet_limit=20", {parse_subspace("0-0+3-3")});
    return solved;
}

const SolvedTables& counting_placements() {
    static const SolvedTables solved("app3;quiet_limit=12", {parse_subspace("0-0+3-3")});
    return solved;
}

const SolvedTables& unlimited() {
    static const SolvedTables solved("solved9;pieces=3", {parse_subspace("0-0+3-3")});
    return solved;
}

} // namespace mill::testing

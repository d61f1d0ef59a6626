#include "builder/solve/solved_set.h"

#include "rules/error.h"

namespace mill::builder {

SolvedSet::SolvedSet(const Ruleset& rules, SolveOptions options)
    : rules_(rules), options_(std::move(options)) {}

const MemoryTable& SolvedSet::need(Subspace s) {
    if (!tables_.contains(s)) {
        for (const Subspace d : dependencies(rules_, s)) need(d);
        solve_group_of(s);
    }
    return *tables_.at(s);
}

void SolvedSet::solve_group_of(Subspace s) {
    for (MemoryTable& t : solve(
             rules_, s, [this](Subspace child) { return get(child); }, options_)) {
        const Subspace solved = t.subspace;
        tables_[solved] = std::make_shared<const MemoryTable>(std::move(t));
    }
}

std::shared_ptr<const MemoryTable> SolvedSet::get(Subspace s) const {
    const auto it = tables_.find(s);
    if (it == tables_.end()) throw Error(ErrorCode::missing_table, "no table of " + to_text(s));
    return it->second;
}

} // namespace mill::builder

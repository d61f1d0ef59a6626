#include "tests/solver/against_brute.h"

#include "rules/text.h"

#include <gtest/gtest.h>

#include <span>

namespace mill::testing {
namespace {

using brute::Brute, brute::Change, brute::Entry, builder::MemoryTable;

std::string text_of(std::span<const Change> changes) {
    std::string text;
    for (const Change& c : changes)
        text += " from budget " + std::to_string(c.budget) + " " +
                std::string(to_text(brute::outcome_of(c.score))) + " in " +
                std::to_string(brute::plies_of(c.score)) + ";";
    return text.empty() ? " drawn" : text;
}

Change change_of(int budget, Value v) {
    return {static_cast<std::uint16_t>(budget), static_cast<std::int16_t>(brute::score_of(v.outcome, v.dte))};
}

/// What a table says of every entry, asked budget by budget.
class Profiles {
public:
    Profiles(const MemoryTable& t, int limit) {
        first_.reserve(t.index.size() + 1);
        for (std::uint64_t i = 0; i < t.index.size(); ++i) {
            first_.push_back(changes_.size());
            if (limit == 0) {
                const Value v = t.at(i, 0);
                if (v.outcome != Outcome::draw) changes_.push_back(change_of(t.dtz[i], v));
                continue;
            }
            Value before;
            for (int r = 1; r <= limit; ++r) {
                const Value v = t.at(i, r);
                if (v == before) continue;
                // Lost in 0 needs no budget at all; at() cannot be asked about none.
                changes_.push_back(change_of(r == 1 && t.dtz[i] == 0 ? 0 : r, v));
                before = v;
            }
        }
        first_.push_back(changes_.size());
    }
    std::span<const Change> of(std::uint64_t entry) const {
        return {changes_.data() + first_[entry], first_[entry + 1] - first_[entry]};
    }

private:
    std::vector<std::size_t> first_;
    std::vector<Change> changes_;
};

/// Without a limit there is one DTE, and no profile to speak of.
bool agree(const Entry& brute, std::span<const Change> table, int limit) {
    if (limit == 0) {
        if (brute.changes.empty() || table.empty()) return brute.changes.empty() == table.empty();
        return table.size() == 1 && brute.dtz() == table[0].budget && brute.full() == table[0].score;
    }
    return std::equal(brute.changes.begin(), brute.changes.end(), table.begin(), table.end());
}

} // namespace

void expect_as_brute(const Brute& brute, const MemoryTable& table, const MemoryTable& outcomes) {
    const Subspace s = table.subspace;
    EXPECT_EQ(table.wdl, outcomes.wdl) << to_text(s) << ": the two solvers differ";
    EXPECT_EQ(table.dtz, outcomes.dtz) << to_text(s) << ": the two solvers differ";
    const brute::Table& expected = brute.table({s.own, s.opp, s.own_reserve, s.opp_reserve});
    ASSERT_EQ(expected.layout.boards(), table.index.boards());
    const Profiles profiles(table, expected.limit);
    std::uint64_t wrong = 0;
    std::string first;
    for (std::uint32_t row = 0; row < expected.layout.rows(); ++row) {
        const Stones opp = expected.layout.opp_set(row);
        const brute::FreePoints free(opp);
        for (std::uint32_t n = 0; n < expected.layout.row_size(); ++n) {
            const Stones own = free.unpack(expected.layout.packed(n));
            const Entry entry{expected.of(row * expected.layout.row_size() + n)};
            const std::uint64_t i = table.index.index(own, opp);
            const int dtz = std::max(entry.dtz(), 0);
            if (agree(entry, profiles.of(i), expected.limit) && table.outcome(i) == entry.outcome() &&
                table.dtz[i] == dtz && table.dte[i] == entry.dte())
                continue;
            if (wrong++ == 0)
                first = to_text(make_position(s, own, opp)) + "\n  brute force:" + text_of(entry.changes) +
                        "\n  table:" + text_of(profiles.of(i)) + " (dtz " + std::to_string(table.dtz[i]) +
                        ", dte " + std::to_string(table.dte[i]) + ")";
        }
    }
    EXPECT_EQ(wrong, 0U) << to_text(s) << ": boards that differ; the first is " << first;
}

void compare_with_brute(const Ruleset& rules, const std::vector<Subspace>& subspaces) {
    Brute brute(rules);
    BuiltTables all_metrics(rules, true), outcomes(rules, false);
    for (const Subspace s : subspaces) {
        brute.solve({s.own, s.opp, s.own_reserve, s.opp_reserve});
        all_metrics.need(s);
        outcomes.need(s);
    }
    ASSERT_FALSE(all_metrics.all().empty());
    ASSERT_EQ(outcomes.all().size(), all_metrics.all().size());
    for (const auto& [s, table] : all_metrics.all()) {
        brute.solve({s.own, s.opp, s.own_reserve, s.opp_reserve}); // mirrors come unasked with the solver
        expect_as_brute(brute, *table, *outcomes.get(s));
    }
}

} // namespace mill::testing

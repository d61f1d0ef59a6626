#include "tests/brute/brute.h"

#include "tests/brute/group.h"

#include <algorithm>
#include <stdexcept>

namespace mill::brute {
namespace {

bool is_over(const Ruleset& rules, Counts c) {
    return rules.has_too_few(c.own, c.own_reserve, c.opp_reserve) ||
           rules.has_too_few(c.opp, c.opp_reserve, c.own_reserve);
}

/// Every subspace that a turn could lead to by its counts alone; some may be out of reach.
std::vector<Counts> successors(const Ruleset& rules, Counts c) {
    std::vector<Counts> out;
    if (c.own_reserve > 0) {
        out.push_back({c.opp, c.own + 1, c.opp_reserve, c.own_reserve - 1});
        if (c.own >= 2 && c.opp > 0) out.push_back({c.opp - 1, c.own + 1, c.opp_reserve, c.own_reserve - 1});
    }
    if (c.own > 0 && rules.may_move(c.own_reserve, c.opp_reserve)) {
        out.push_back(c.mirrored());
        if (c.own >= 3 && c.opp > 0) out.push_back({c.opp - 1, c.own, c.opp_reserve, c.own_reserve});
    }
    std::erase_if(out, [&](Counts next) { return is_over(rules, next); });
    return out;
}

} // namespace

Score Entry::at(int r) const {
    if (r == 0) return full();
    Score s = kDraw;
    for (const Change& c : changes)
        if (c.budget <= r) s = c.score;
    return s;
}

void Brute::collect(Counts c, std::map<Counts, bool>& seen) const {
    if (!seen.emplace(c, true).second) return;
    for (const Counts next : successors(rules_, c)) collect(next, seen);
}

void Brute::solve(Counts root) {
    std::map<Counts, bool> seen;
    collect(root, seen);
    std::vector<Counts> order;
    order.reserve(seen.size());
    for (const auto& [c, unused] : seen) order.push_back(c);
    // Captures take from the total, placements from the reserves; quiet movements swap the sides.
    std::stable_sort(order.begin(), order.end(), [](Counts a, Counts b) {
        return std::pair{a.total(), a.reserves()} < std::pair{b.total(), b.reserves()};
    });
    for (const Counts c : order) {
        if (tables_.contains(c)) continue;
        std::vector<Counts> group = {c};
        const std::vector<Counts> next = successors(rules_, c);
        if (c != c.mirrored() && !tables_.contains(c.mirrored()) &&
            std::find(next.begin(), next.end(), c.mirrored()) != next.end())
            group.push_back(c.mirrored());
        for (auto& table : solve_group(rules_, group, tables_)) {
            const Counts counts = table->counts;
            tables_[counts] = std::move(table);
        }
    }
}

const Table& Brute::table(Counts c) const {
    const auto it = tables_.find(c);
    if (it == tables_.end()) throw std::logic_error("brute force: subspace not solved");
    return *it->second;
}

Entry Brute::lookup(Counts c, Stones own, Stones opp) const {
    const Table& t = table(c);
    return {t.of(t.layout.index(own, opp))};
}

Statistics Brute::statistics(Counts c) const {
    const Table& t = table(c);
    Statistics s;
    s.positions = t.layout.boards();
    for (std::uint32_t i = 0; i < t.layout.boards(); ++i) {
        const Entry e{t.of(i)};
        const Outcome outcome = e.outcome();
        if (outcome == Outcome::draw) {
            ++s.draw;
            continue;
        }
        ++(outcome == Outcome::win ? s.win : s.loss);
        s.sum_dte += static_cast<std::uint64_t>(e.dte());
        s.sum_dtz += static_cast<std::uint64_t>(e.dtz());
        s.max_dte = std::max(s.max_dte, e.dte());
        s.max_dtz = std::max(s.max_dtz, e.dtz());
    }
    return s;
}

std::vector<Counts> Brute::solved() const {
    std::vector<Counts> out;
    for (const auto& [c, table] : tables_) out.push_back(c);
    return out;
}

} // namespace mill::brute

#include "builder/check/checker.h"

#include "probe/index/turn_classes.h"
#include "rules/text.h"

#include <algorithm>

namespace mill::builder {

namespace {

std::string fault(const Position& p, const std::string& what, const std::string& found,
                  const std::string& expected) {
    return to_text(p) + ": stored " + what + " is " + found + ", derived from its turns " + expected;
}

std::string outcome_text(Outcome o) { return std::string(to_text(o)); }

} // namespace

Checker::Checker(const Ruleset& rules, bool dtz, bool dte, const MemoryTable& table,
                 const TableValues& values)
    : rules_(rules), subspace_(table.subspace), has_dtz_(dtz), has_dte_(dte), table_(table), values_(values),
      limit_(TurnClasses(rules_, subspace_).limit) {}

Checker::Kind Checker::make_kind(const Position& p, Turn t, const Position& child) const {
    const Subspace s = subspace_of(child);
    const bool open = state_of(rules_, s) == SubspaceState::open;
    return {counter_effect(rules_, p, t), open ? &values_.table(s) : nullptr, draw_limit(rules_, child)};
}

/// Asks memory for an entry.
void Checker::want(const MemoryTable& table, std::uint64_t entry) const {
    __builtin_prefetch(&table.wdl[entry / 4]);
    if (has_dtz_) __builtin_prefetch(&table.dtz[entry]);
    if (has_dte_) __builtin_prefetch(&table.dte[entry]);
}

void Checker::look_at(const Position& p, Turn t, TurnValue& v) {
    v.table = nullptr;
    v.child = apply_turn(rules_, p, t);
    std::optional<Kind>& known = kinds_[(t.placement() ? 2U : 0U) + (t.capture >= 0 ? 1U : 0U)];
    if (!known) known = make_kind(p, t, v.child);
    const Kind& k = *known;
    v.constant = k.effect == CounterEffect::reset;
    v.cost = k.effect == CounterEffect::advance ? 1 : 0;
    v.limit = k.limit;
    v.restricted = detail::restricted(v.child);
    if (k.table && !v.restricted) {
        // Also where the child is blocked: its entry says so, and is checked in its turn.
        const auto us = static_cast<std::size_t>(v.child.us()),
                   them = static_cast<std::size_t>(v.child.them());
        v.table = k.table;
        v.entry = k.table->index.index(v.child.stones[us], v.child.stones[them]);
        want(*v.table, v.entry);
        return;
    }
    const Ending end = judge(rules_, v.child);
    if (end.reason != Reason::none) {
        v.value = after_turn({end.outcome, 0});
        v.constant = true;
        v.restricted = false;
    } else if (v.constant) {
        v.value = after_turn(evaluate(rules_, v.child, v.limit, values_));
        v.restricted = false;
    }
}

void Checker::prepare(std::size_t n, Stones own, Stones opp, std::uint64_t entry) {
    Slot& slot = slots_[n];
    slot.entry = entry;
    want(table_, entry);
    slot.position = make_position(subspace_, own, opp);
    generate_turns(rules_, slot.position, list_);
    slot.count = static_cast<std::size_t>(list_.size());
    if (slot.turns.size() < slot.count) slot.turns.resize(slot.count);
    TurnValue* v = slot.turns.data();
    for (const Turn t : list_) look_at(slot.position, t, *v++);
}

std::string Checker::check(std::size_t n) {
    const Slot& slot = slots_[n];
    const Outcome found = table_.outcome(slot.entry);
    if (has_dtz_) {
        const Depth derived = slot.count == 0 ? Depth{judge(rules_, slot.position).outcome, 0} : depth(slot);
        if (found != derived.outcome)
            return fault(slot.position, "outcome", outcome_text(found), outcome_text(derived.outcome));
        const int dtz = table_.dtz[slot.entry];
        if (found != Outcome::draw && dtz != derived.dtz)
            return fault(slot.position, "dtz", std::to_string(dtz), std::to_string(derived.dtz));
    } else {
        const Value v = slot.count == 0 ? Value{judge(rules_, slot.position).outcome, 0} : at(slot, limit_);
        if (found != v.outcome)
            return fault(slot.position, "outcome", outcome_text(found), outcome_text(v.outcome));
    }
    return has_dte_ && found != Outcome::draw ? check_distances(slot) : std::string();
}

/// At the full budget, without a search among the profile's steps.
Value Checker::full_value(const MemoryTable& table, std::uint64_t entry, int limit) const {
    const Outcome o = table.outcome(entry);
    if (o == Outcome::draw || (limit > 0 && has_dtz_ && table.dtz[entry] > limit)) return {};
    return {o, has_dte_ ? table.dte[entry] : std::uint16_t{0}};
}

/// Outcome at the full budget and DTZ, by rules 1 to 4 of DESIGN section 3.
Depth Checker::depth(const Slot& slot) const {
    int win = 1 << 20, loss = 0;
    bool draws = false;
    for (const TurnValue& t : slot.used()) {
        Outcome o = t.value.outcome;
        int dtz = 1;
        if (t.constant) {
            if (t.table) o = after_turn(full_value(*t.table, t.entry, t.limit)).outcome;
        } else {
            const Depth d = t.restricted ? evaluate_depth(rules_, t.child, values_)
                                         : Depth{t.table->outcome(t.entry), t.table->dtz[t.entry]};
            o = after_turn({d.outcome, 0}).outcome;
            dtz = std::max(1, d.dtz + t.cost);
            if (limit_ && dtz > limit_) o = Outcome::draw;
        }
        if (o == Outcome::win) win = std::min(win, dtz);
        else if (o == Outcome::draw) draws = true;
        else loss = std::max(loss, dtz);
    }
    if (win < 1 << 20) return {Outcome::win, win};
    return draws ? Depth{} : Depth{Outcome::loss, loss};
}

/// Value at budget r (0: no limit).
Value Checker::at(const Slot& slot, int r) const {
    Value best{Outcome::loss, 0};
    bool first = true;
    for (const TurnValue& t : slot.used()) {
        Value v = t.value;
        if (t.constant) {
            if (t.table) v = after_turn(full_value(*t.table, t.entry, t.limit));
        } else {
            const int left = r == 0 ? 0 : r - t.cost;
            if (r > 0 && left == 0) { // the draw comes first, unless the turn ends the game
                const Ending end = judge(rules_, t.child);
                v = end.reason != Reason::none ? after_turn({end.outcome, 0}) : Value{};
            } else
                v = after_turn(t.restricted ? evaluate(rules_, t.child, left, values_)
                                            : t.table->at(t.entry, left));
        }
        if (first || better(v, best)) best = v;
        first = false;
    }
    return best;
}

/// All budgets at which the value of the entry, or of one of its turns, can change.
void Checker::collect_budgets(const Slot& slot) {
    budgets_.assign(1, limit_);
    if (!limit_) return;
    budgets_.push_back(1);
    auto events = [&](const MemoryTable& t, std::uint64_t entry, int cost) {
        if (has_dtz_) budgets_.push_back(t.dtz[entry] + cost);
        auto it = std::lower_bound(t.steps.begin(), t.steps.end(),
                                   ProfileStep{static_cast<std::uint32_t>(entry), 0, 0});
        for (; it != t.steps.end() && it->entry == entry; ++it)
            for (int around = -1; around <= 0; ++around) budgets_.push_back(it->budget + cost + around);
    };
    events(table_, slot.entry, 0);
    bool every = false;
    for (const TurnValue& t : slot.used()) {
        if (!t.constant && t.table) events(*t.table, t.entry, t.cost);
        every |= t.restricted;
    }
    if (every)
        for (int r = 1; r <= limit_; ++r) budgets_.push_back(r);
    std::sort(budgets_.begin(), budgets_.end());
    budgets_.erase(std::unique(budgets_.begin(), budgets_.end()), budgets_.end());
}

void Checker::derive(std::size_t n, Derived& to) {
    const Slot& slot = slots_[n];
    to.steps.clear();
    to.dtz = 0;
    if (slot.count == 0) {
        to.full = {judge(rules_, slot.position).outcome, 0};
        return;
    }
    if (has_dtz_) {
        const Depth d = depth(slot);
        to.full = {d.outcome, 0};
        to.dtz = d.dtz;
    } else to.full = {at(slot, limit_).outcome, 0};
    if (!has_dte_ || to.full.outcome == Outcome::draw) return;
    to.full = at(slot, limit_);
    if (!limit_ || !has_dtz_) return;
    collect_budgets(slot);
    Value before;
    for (const int r : budgets_) {
        if (r < std::max(to.dtz, 1) || r > limit_) continue;
        const Value v = at(slot, r);
        if (before.outcome != Outcome::draw && v.dte != before.dte)
            to.steps.push_back(
                {static_cast<std::uint32_t>(slot.entry), static_cast<std::uint16_t>(r), before.dte});
        before = v;
    }
}

std::string Checker::check_distances(const Slot& slot) {
    collect_budgets(slot);
    for (const int r : budgets_) {
        if (limit_ && (r < 1 || r > limit_)) continue;
        const Value derived = slot.count == 0 ? Value{Outcome::loss, 0} : at(slot, r);
        const Value found = table_.at(slot.entry, r);
        if (found != derived)
            return fault(slot.position, "value at budget " + std::to_string(r),
                         outcome_text(found.outcome) + " in " + std::to_string(found.dte),
                         outcome_text(derived.outcome) + " in " + std::to_string(derived.dte));
    }
    return {};
}

} // namespace mill::builder

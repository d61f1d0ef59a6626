#include "mill/builder/transfers.h"

#include "mill/error.h"
#include "mill/probe/turn_classes.h"

#include <algorithm>

namespace mill::builder {

TableValues::TableValues(std::vector<Subspace> subspaces, TableSource source) : source_(std::move(source)) {
    std::sort(subspaces.begin(), subspaces.end());
    for (const Subspace s : subspaces) {
        slots_.push_back(std::make_unique<Slot>());
        slots_.back()->subspace = s;
    }
}

const MemoryTable& TableValues::table(Subspace s) const {
    const auto it = std::lower_bound(
        slots_.begin(), slots_.end(), s,
        [](const std::unique_ptr<Slot>& slot, Subspace key) { return slot->subspace < key; });
    if (it == slots_.end() || (*it)->subspace != s)
        throw Error(ErrorCode::internal,
                    "evaluation reads subspace " + to_text(s) + ", which is no dependency");
    Slot& slot = **it;
    std::call_once(slot.once, [&] { slot.table = source_(s); });
    return *slot.table;
}

Value TableValues::value(Subspace s, Stones own, Stones opp, int budget) const {
    const MemoryTable& t = table(s);
    return t.at(t.index.index(own, opp), budget);
}

Depth TableValues::depth(Subspace s, Stones own, Stones opp) const {
    const MemoryTable& t = table(s);
    const std::uint64_t i = t.index.index(own, opp);
    const Outcome o = t.outcome(i);
    return {o, o == Outcome::draw ? 0 : t.dtz[i]};
}

TransferEvaluator::TransferEvaluator(const Ruleset& rules, Subspace s, TableSource source)
    : rules_(rules), values_(dependencies(rules, s), std::move(source)) {}

Value TransferEvaluator::best(Subspace s, Stones own, Stones opp, int from, int to, int budget) const {
    const Position p = make_position(s, own, opp);
    Turn t{static_cast<std::int8_t>(from), static_cast<std::int8_t>(to), -1};
    if (opp == 0) return evaluate_turn(rules_, p, t, budget, values_);
    Value best{Outcome::loss, 0};
    bool first = true;
    for (Stones rest = capturable(rules_.geo(), opp); rest; rest &= rest - 1) {
        t.capture = static_cast<std::int8_t>(std::countr_zero(rest));
        const Value v = evaluate_turn(rules_, p, t, budget, values_);
        if (first || better(v, best)) best = v;
        first = false;
    }
    return best;
}

} // namespace mill::builder

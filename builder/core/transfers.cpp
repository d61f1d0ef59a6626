#include "mill/builder/transfers.h"

#include "mill/probe/evaluate.h"

namespace mill::builder {

namespace {

/// Stored values from tables in memory.
struct FromTables {
    const TableSource& source;

    Value value(Subspace s, Stones own, Stones opp, int budget) const {
        const auto table = source(s);
        return table->at(table->index.index(own, opp), budget);
    }
    Depth depth(Subspace s, Stones own, Stones opp) const {
        const auto table = source(s);
        const std::uint64_t i = table->index.index(own, opp);
        const Outcome o = table->outcome(i);
        return {o, o == Outcome::draw ? 0 : table->dtz[i]};
    }
};

} // namespace

TransferEvaluator::TransferEvaluator(const Ruleset& rules, TableSource source) : rules_(rules), source_(std::move(source)) {}

Value TransferEvaluator::best(Subspace s, Stones own, Stones opp, int from, int to, int budget) const {
    const Position p = make_position(s, own, opp);
    const FromTables stored{source_};
    Turn t{static_cast<std::int8_t>(from), static_cast<std::int8_t>(to), -1};
    if (opp == 0) return evaluate_turn(rules_, p, t, budget, stored);
    Value best{Outcome::loss, 0};
    bool first = true;
    for (Stones rest = capturable(rules_.geo(), opp); rest; rest &= rest - 1) {
        t.capture = static_cast<std::int8_t>(std::countr_zero(rest));
        const Value v = evaluate_turn(rules_, p, t, budget, stored);
        if (first || better(v, best)) best = v;
        first = false;
    }
    return best;
}

} // namespace mill::builder

#include "builder/tables/table_values.h"

#include "rules/error.h"

namespace mill::builder {

TableValues::TableValues(const std::vector<Subspace>& subspaces, TableSource source)
    : slot_of_(kSubspaceNumbers, kNone), source_(std::move(source)) {
    for (const Subspace s : subspaces) {
        if (slot_of_[number_of(s)] != kNone) continue;
        slot_of_[number_of(s)] = static_cast<std::uint16_t>(slots_.size());
        slots_.push_back(std::make_unique<Slot>());
    }
}

const MemoryTable& TableValues::table(Subspace s) const {
    const std::uint16_t number = slot_of_[number_of(s)];
    if (number == kNone)
        throw Error(ErrorCode::internal,
                    "evaluation reads subspace " + to_text(s) + ", which is no dependency");
    Slot& slot = *slots_[number];
    if (const MemoryTable* t = slot.ready.load(std::memory_order_acquire)) return *t;
    std::call_once(slot.once, [&] {
        slot.table = source_(s);
        slot.ready.store(slot.table.get(), std::memory_order_release);
    });
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

} // namespace mill::builder

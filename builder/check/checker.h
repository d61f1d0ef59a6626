// Derives the values of single entries again from their turns, with the plain rules of rules/: what
// verification asks of every position.
#pragma once

#include "builder/tables/table_values.h"

#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace mill::builder {

/// Checks entries of one subspace. One thread. An entry is first prepared (its turns are played, and memory
/// is asked for what is stored of the positions behind them), then checked: with some others prepared in
/// between, nobody waits for memory.
class Checker {
public:
    static constexpr std::size_t kSlots = 8;

    /// `metrics` that are there besides wdl. The table is that of the subspace; `values` has its children.
    Checker(const Ruleset& rules, bool dtz, bool dte, const MemoryTable& table, const TableValues& values);

    /// The stones of the entry, or their images under a symmetry.
    void prepare(std::size_t slot, Stones own, Stones opp, std::uint64_t entry);
    std::uint64_t entry(std::size_t slot) const { return slots_[slot].entry; }
    /// Empty, or what is wrong with the entry that was prepared in this slot.
    std::string check(std::size_t slot);

    /// What the turns of an entry say of it.
    struct Derived {
        Value full;                     ///< at the full budget; without DTE its distance is 0
        int dtz = 0;                    ///< 0 for draws, and without DTZ
        std::vector<ProfileStep> steps; ///< with DTE
    };
    /// Derives the entry that was prepared in this slot, whatever the table has there.
    void derive(std::size_t slot, Derived& to);

private:
    /// What all turns that place or move, and capture or not, have in common: stone counts decide it.
    struct Kind {
        CounterEffect effect;
        const MemoryTable* table; ///< of the children; nullptr if one side of them has too few stones
        int limit;                ///< of the children
    };
    /// One turn: a value that no budget changes, or an entry of a table, or a restricted child.
    struct TurnValue {
        const MemoryTable* table; ///< nullptr: `value` is all, or the child is restricted
        std::uint64_t entry;
        Position child;
        Value value; ///< for the side that turns, if no table says it
        int limit;   ///< of the child
        int cost;    ///< budget that the turn spends
        bool constant, restricted;
    };
    struct Slot {
        Position position;
        std::uint64_t entry = 0;
        std::vector<TurnValue> turns;
        std::size_t count = 0; ///< of turns in use: what was allocated once stays
        std::span<const TurnValue> used() const { return {turns.data(), count}; }
    };

    Kind make_kind(const Position& p, Turn t, const Position& child) const;
    void want(const MemoryTable& table, std::uint64_t entry) const;
    void look_at(const Position& p, Turn t, TurnValue& v);
    Value full_value(const MemoryTable& table, std::uint64_t entry, int limit) const;
    Depth depth(const Slot& slot) const;
    Value at(const Slot& slot, int r) const;
    void collect_budgets(const Slot& slot);
    std::string check_distances(const Slot& slot);

    const Ruleset& rules_;
    Subspace subspace_;
    bool has_dtz_, has_dte_;
    const MemoryTable& table_;
    const TableValues& values_;
    int limit_;
    std::array<std::optional<Kind>, 4> kinds_;
    std::array<Slot, kSlots> slots_;
    std::vector<int> budgets_;
    TurnList list_;
};

} // namespace mill::builder

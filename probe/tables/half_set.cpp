#include "probe/tables/half_set.h"

namespace mill {

HalfSet::HalfSet(const Ruleset& rules) : states_(kSubspaceNumbers) {
    for (std::uint8_t own = 0; own <= kMostStones; ++own)
        for (std::uint8_t opp = 0; opp <= kMostStones; ++opp)
            for (std::uint8_t r = 0; own + r <= kMostStones; ++r)
                for (std::uint8_t q = 0; opp + q <= kMostStones; ++q)
                    if (const Subspace s{own, opp, r, q}; can_exist(rules, s)) decide(rules, s);
}

bool HalfSet::leaves_out(Subspace s) const {
    return has_number(s) && states_[number_of(s)] == State::left_out;
}

/// Captures and placements make (total, reserves) smaller, and a group is decided at once: the recursion ends.
bool HalfSet::decide(const Ruleset& rules, Subspace s) {
    State& state = states_[number_of(s)];
    if (state != State::unknown) return state == State::left_out;
    const std::vector<Subspace> group = solve_group(rules, s); // the mover with fewer stones first
    bool taken = false;
    for (const Subspace side : group) {
        const TurnClasses turns(rules, side);
        bool follows = !taken && state_of(rules, side) == SubspaceState::open &&
                       !(turns.moves && side == side.mirrored());
        for (const Subspace child : turns.children()) follows = follows && !decide(rules, child);
        states_[number_of(side)] = follows ? State::left_out : State::kept;
        taken = taken || follows;
    }
    return state == State::left_out;
}

} // namespace mill

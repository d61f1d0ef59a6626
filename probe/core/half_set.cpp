#include "mill/probe/half_set.h"

#include <algorithm>

namespace mill {

namespace {

constexpr std::uint8_t kMost = 12;
constexpr std::size_t number_of(Subspace s) {
    constexpr std::size_t n = kMost + 1;
    return ((s.own * n + s.opp) * n + s.own_reserve) * n + s.opp_reserve;
}

} // namespace

HalfSet::HalfSet(const Ruleset& rules) : states_(number_of({kMost, kMost, kMost, kMost}) + 1) {
    for (std::uint8_t own = 0; own <= kMost; ++own)
        for (std::uint8_t opp = 0; opp <= kMost; ++opp)
            for (std::uint8_t r = 0; own + r <= kMost; ++r)
                for (std::uint8_t q = 0; opp + q <= kMost; ++q)
                    if (const Subspace s{own, opp, r, q}; can_exist(rules, s)) decide(rules, s);
}

bool HalfSet::leaves_out(Subspace s) const {
    return std::max({s.own, s.opp, s.own_reserve, s.opp_reserve}) <= kMost &&
           states_[number_of(s)] == State::left_out;
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

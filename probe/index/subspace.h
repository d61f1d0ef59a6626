// Subspaces: all positions with the same stone counts and reserves, seen from the side to move.
#pragma once

#include "rules/position.h"

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

namespace mill {

/// `own-opp+ownReserve-oppReserve`, e.g. 5-4+0-0. Own is the side to move.
struct Subspace {
    std::uint8_t own = 0, opp = 0; ///< stones on the board
    std::uint8_t own_reserve = 0, opp_reserve = 0;

    /// The subspace after a quiet turn: colours swap.
    constexpr Subspace mirrored() const { return {opp, own, opp_reserve, own_reserve}; }
    /// Every dependency of a subspace has a smaller (total, reserves) key, its mirror the same.
    constexpr int total() const { return own + opp + own_reserve + opp_reserve; }
    constexpr int reserves() const { return own_reserve + opp_reserve; }
    friend constexpr auto operator<=>(const Subspace&, const Subspace&) = default;
};

/// Most stones of a side, on the board or in hand, under any ruleset.
inline constexpr std::uint8_t kMostStones = 12;
/// Subspaces by number, for tables of all of them: number_of() is below this.
inline constexpr std::size_t kSubspaceNumbers = std::size_t{13} * 13 * 13 * 13;
constexpr bool has_number(Subspace s) {
    return s.own <= kMostStones && s.opp <= kMostStones && s.own_reserve <= kMostStones &&
           s.opp_reserve <= kMostStones;
}
constexpr std::size_t number_of(Subspace s) {
    constexpr std::size_t n = kMostStones + 1;
    return ((s.own * n + s.opp) * n + s.own_reserve) * n + s.opp_reserve;
}
static_assert(number_of({kMostStones, kMostStones, kMostStones, kMostStones}) + 1 == kSubspaceNumbers);

/// "5-4+0-0"
std::string to_text(Subspace s);

/// Parses "5-4+0-0" ("5-4" means empty reserves). Throws Error(bad_argument).
Subspace parse_subspace(std::string_view text);

/// Subspace of a position.
Subspace subspace_of(const Position& p);

/// A position of a subspace: White to move with `own`, Black has `opp`.
Position make_position(Subspace s, Stones own, Stones opp);

/// What a subspace is under a ruleset.
enum class SubspaceState : std::uint8_t {
    open,      ///< play goes on: values are stored
    own_lost,  ///< the side to move has too few stones
    opp_lost,  ///< the other side has too few stones
    both_lost, ///< both have: no such position
};
SubspaceState state_of(const Ruleset& rules, Subspace s);

/// Whether positions of the subspace can exist under the ruleset (pieces, reserves, both-lost).
bool can_exist(const Ruleset& rules, Subspace s);

} // namespace mill

// Where the turns of a subspace lead: decided by stone counts and reserves alone.
#pragma once

#include "probe/index/subspace.h"

#include <vector>

namespace mill {

/// A kind of turn and what lies behind it.
struct TurnClass {
    enum class Kind : std::uint8_t {
        none,  ///< no such turn
        wins,  ///< ends the game: the opponent has too few stones
        loses, ///< ends the game: the mover has too few stones
        table, ///< leads to positions of `child`
    };
    Kind kind = Kind::none;
    Subspace child{}; ///< from the opponent's side
};

/// How a placement that captures nothing spends the draw counter.
enum class PlacementEffect : std::uint8_t {
    constant, ///< resets or enters the endgame: the child counts at its full budget
    keep,     ///< neither resets nor counts: the child at the same budget
    advance,  ///< counts: the child at one ply less
};

/// The turns of one subspace. A mill with no opposing stone on the board goes unpaid: then there is
/// no capture class and mills are ordinary turns.
struct TurnClasses {
    TurnClasses(const Ruleset& rules, Subspace s);

    Subspace subspace;
    bool moves = false; ///< movements exist; quiet ones lead to subspace.mirrored()
    bool flies = false;
    bool places = false;
    bool captures = false; ///< mills capture (the opponent has stones on the board)
    TurnClass move_capture, place, place_capture;
    PlacementEffect place_effect = PlacementEffect::constant;
    int limit = 0;                ///< draw limit L; 0 = none
    bool full_board_draw = false; ///< no legal turn is a draw: full board, reserves empty, full_board=draw
    /// Movements out of one mill into another leave a restriction that can matter.
    bool transfers = false;

    /// Whether values depend on those of other positions below their full budget, which DTZ tells.
    bool reads_depths() const;
    /// Subspaces whose tables the turns lead to, without the mirrored one, each once.
    std::vector<Subspace> children() const;
};

/// The subspaces that must be solved together: s, and its mirror where quiet movements lead there or
/// back (the smaller first). One element if s is its own mirror.
std::vector<Subspace> solve_group(const Ruleset& rules, Subspace s);

/// All subspaces whose tables are needed to solve the group of s (direct children, and with
/// mill-return restrictions what their evaluation reads), without the group itself. Ascending.
std::vector<Subspace> dependencies(const Ruleset& rules, Subspace s);

} // namespace mill

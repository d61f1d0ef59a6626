// Exact answers about any legal position, from the tables of a TableSet.
//
// What decides: a position that is over needs no table. Else its outcome at counter 0 needs the .wdl of
// its subspace, and at a higher counter (with a draw limit) the .dtz too; without them there is an
// Error(missing_table) that names the file. Distances whose table is absent are unknown, which is no
// error. A position under a mill-return restriction needs the tables that its turns lead to.
#pragma once

#include "probe/tables/stored.h"

#include <string>
#include <utility>
#include <vector>

namespace mill {

/// Of a position, for the side to move, at its counter.
struct Answer {
    Outcome outcome = Outcome::draw;
    int dtz = -1; ///< -1: not asked for, unknown, or a draw
    int dte = -1;
    Reason ends = Reason::none; ///< why the game is over; its distances are 0 then
};

/// Of one legal turn, for the side that plays it.
struct TurnAnswer {
    Turn turn;
    Outcome outcome = Outcome::draw;
    int dtz = -1;
    int dte = -1;               ///< includes the turn itself
    bool zeroing = false;       ///< whether it resets the draw counter
    Reason ends = Reason::none; ///< why it ends the game, draw limits included
};

/// The position as the rules take it: validated, dead restrictions dropped, counter 0 without a limit.
/// Throws Error(illegal_position). All functions below expect such a position.
Position checked(const Ruleset& rules, const Position& p);

Answer answer(const TableSet& set, const Position& p, Wanted wanted, Stored::Read read = Stored::Read::any);

/// Whether everything that answer() would read of an unrestricted position is in the cache: what a soft
/// probe looks at first, since throwing costs more than the probe. A position that is over is always ready.
bool cached(const TableSet& set, const Position& p, Wanted wanted);

/// All legal turns, best first: wins by DTE up, draws, losses by DTE down; where DTE is unknown by DTZ
/// instead; then by text. Empty where the game is over.
std::vector<TurnAnswer> rank_turns(const TableSet& set, const Position& p, Wanted wanted,
                                   Stored::Read read = Stored::Read::any);

/// The answer that follows from the ranked turns of an open position: that of its best.
Answer answer_from_turns(const std::vector<TurnAnswer>& turns);

/// Best play of both sides by DTE to the end of the game, ties by text, at most `max_turns`. A drawn
/// position has no line (it is empty), as a draw by best play ends nowhere in particular. Needs the DTE of
/// every position on the way: else throws Error(missing_table).
std::vector<Turn> best_line(const TableSet& set, const Position& p, std::size_t max_turns = 100000);

/// DTE by remaining budget: (budget, DTE) where it changes, beginning with DTZ. Empty for draws at the
/// full budget, without a limit, if the game is over, and where distances are unknown.
std::vector<std::pair<int, int>> profile(const TableSet& set, const Position& p);

/// Subspaces that ranking all turns of the position reads and that are not (all) there, ascending. With a
/// draw limit that is one without .wdl or .dtz, else one without .wdl.
std::vector<Subspace> missing_subspaces(const TableSet& set, const Position& p);

/// Asks the operating system for the blocks that answer() would read. Does nothing where there is none.
void prefetch(const TableSet& set, const Position& p, Wanted wanted);

/// Order in which many positions are best probed: those of one block in a row.
std::vector<std::size_t> probing_order(const TableSet& set, const std::vector<Position>& positions);

} // namespace mill

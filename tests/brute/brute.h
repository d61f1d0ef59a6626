// Brute force: exact values of every board of a subspace and of all that it leads to, by forward value iteration
// over (position, budget) with the plain rules of rules/. It shares nothing else with the solver: no symmetry, no
// index, no retrograde step. Slow and simple; the solver is compared with it board by board.
#pragma once

#include "tests/brute/layout.h"
#include "tests/brute/score.h"

#include <compare>
#include <map>
#include <memory>
#include <span>
#include <vector>

namespace mill::brute {

/// Stones on the board and reserves; `own` is the side to move.
struct Counts {
    int own = 0, opp = 0, own_reserve = 0, opp_reserve = 0;
    Counts mirrored() const { return {opp, own, opp_reserve, own_reserve}; }
    int reserves() const { return own_reserve + opp_reserve; }
    int total() const { return own + opp + reserves(); }
    friend auto operator<=>(const Counts&, const Counts&) = default;
};

/// From this budget on a position has this score, until its next change. Before the first it is a draw.
struct Change {
    std::uint16_t budget;
    std::int16_t score;
    friend bool operator==(const Change&, const Change&) = default;
};

/// A solved subspace: the changes of every board, by number of the layout.
struct Table {
    explicit Table(Counts c) : counts(c), layout(c.own, c.opp) {}

    Counts counts;
    Layout layout;
    int limit = 0;                    ///< draw limit; 0 = none
    int last_change = 0;              ///< largest budget at which anything changes
    std::vector<std::uint32_t> first; ///< changes of board i: first[i] to first[i + 1]
    std::vector<Change> changes;

    std::span<const Change> of(std::uint32_t board) const {
        return {changes.data() + first[board], first[board + 1] - first[board]};
    }
    /// Score at exactly this budget; 0 is no budget at all here.
    Score at_exactly(std::uint32_t board, int budget) const {
        Score s = kDraw;
        for (const Change& c : of(board))
            if (c.budget <= budget) s = c.score;
        return s;
    }
    Score full(std::uint32_t board) const {
        return first[board] == first[board + 1] ? kDraw : of(board).back().score;
    }
};

/// What is known of one board.
struct Entry {
    std::span<const Change> changes; ///< the DTE profile: (budget, score)

    Outcome outcome() const { return outcome_of(full()); }
    Score full() const { return changes.empty() ? kDraw : changes.back().score; }
    /// Smallest decided budget; -1 for draws.
    int dtz() const { return changes.empty() ? -1 : changes.front().budget; }
    int dte() const { return plies_of(full()); }
    /// Score at budget r; 0 = the full budget.
    Score at(int r) const;
};

/// Sums over all boards of a subspace, as in the golden counts.
struct Statistics {
    std::uint64_t positions = 0, win = 0, draw = 0, loss = 0, sum_dte = 0, sum_dtz = 0;
    int max_dte = -1, max_dtz = -1;
};

class Brute {
public:
    explicit Brute(const Ruleset& rules) : rules_(rules) {}

    /// Solves a subspace and all that its turns can lead to; what is solved already stays.
    void solve(Counts root);

    const Table& table(Counts c) const;
    Entry lookup(Counts c, Stones own, Stones opp) const;
    Statistics statistics(Counts c) const;
    /// All that is solved.
    std::vector<Counts> solved() const;

private:
    void collect(Counts c, std::map<Counts, bool>& seen) const;

    Ruleset rules_;
    std::map<Counts, std::unique_ptr<Table>> tables_;
};

} // namespace mill::brute

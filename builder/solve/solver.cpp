#include "builder/solve/solver.h"

#include "builder/rows/flying.h"
#include "builder/rows/row.h"
#include "builder/solve/solver_parts.h"

#include <algorithm>

namespace mill::builder {

std::vector<MemoryTable> solve(const Ruleset& rules, Subspace s, const TableSource& source,
                               const SolveOptions& options) {
    const auto solve_members = options.dte ? solve_distances : solve_outcomes;
    const std::vector<Subspace> group = solve_group(rules, s);
    for (const Subspace plain : group) {
        if (!needs_plain_solver(rules, plain)) continue;
        std::vector<MemoryTable> out = solve_members(rules, {plain.mirrored()}, source, options);
        const auto mirror = std::make_shared<MemoryTable>(std::move(out[0]));
        const TableSource with_mirror = [&](Subspace c) {
            return c == plain.mirrored() ? mirror : source(c);
        };
        MemoryTable solved = solve_plain(rules, plain, with_mirror, options);
        std::vector<MemoryTable> both;
        both.push_back(std::move(solved));
        both.push_back(std::move(*mirror));
        if (both[0].subspace != group[0]) std::swap(both[0], both[1]);
        return both;
    }
    return solve_members(rules, group, source, options);
}

bool needs_dtz(const Ruleset& rules) {
    return rules.quiet_reset != QuietReset::placement_and_capture || rules.mill_return != MillReturn::free;
}

namespace {

/// What a solve of distances takes, in bytes per entry, beside its arrays: the messages of its first layer, eight bytes
/// for each position that is decided at once, or later its profiles. Both depend on the game; these are the figures of
/// lg9 and, on the diagonal board, lg12, by what goes with them best.
double bytes_beside_arrays(const Ruleset& rules, const TurnClasses& t, Subspace s) {
    if (!t.moves) return 8 * 0.8;
    if (t.places) return 8 * 0.5;
    const bool diagonal = rules.board == Board::diagonal;
    const int larger = std::max(s.own, s.opp), smaller = std::min(s.own, s.opp);
    double at_once = larger <= 5 ? 0.05 : larger == 6 ? (diagonal ? 0.35 : 0.04) : larger == 7 ? 0.2 : 0.35;
    if (t.flies) at_once = std::max(at_once, 0.17);
    const double profiles = t.limit == 0                   ? 0
                            : larger <= (diagonal ? 5 : 6) ? 0.8
                            : larger == 6                  ? 3
                            : smaller == 4                 ? 8.5
                                                           : 4.5;
    return std::max(8 * at_once, profiles);
}

} // namespace

std::uint64_t solve_memory(const Ruleset& rules, Subspace s, bool dte, int threads) {
    const std::vector<Subspace> group = solve_group(rules, s);
    std::uint64_t bytes = 0, scratch = 0;
    for (const Subspace g : group) {
        const TurnClasses t(rules, g);
        const std::uint64_t entries = SubspaceIndex(g).size();
        const std::uint64_t waiter_rows = orbit_table(g.opp).count(), mover_rows = orbit_table(g.own).count();
        const RowShape& shape = row_shape(kPoints - g.opp, g.own);
        if (dte) {
            // Values and constants of waiter rows; values, DTZ and changes of mover rows.
            const std::uint64_t waiting = waiter_rows * shape.size;
            bytes += 4 * waiting + 2 * entries + 2 * entries + entries / 8;
            // Where placements spend the budget: the last layer that changed an entry.
            if (t.places && !t.moves && t.place_effect == PlacementEffect::advance) bytes += 2 * entries;
            bytes +=
                static_cast<std::uint64_t>(bytes_beside_arrays(rules, t, g) * static_cast<double>(entries));
            scratch = std::max<std::uint64_t>(scratch, 24 * std::uint64_t{shape.size});
        } else {
            const std::uint64_t words =
                t.flies ? flying_shape(shape.k, shape.n).words() : shape.stored_words();
            bytes += 16 * waiter_rows * words + 2 * entries + entries / 4;
            if (t.moves) { // what the mirror's mover reads of us is in the shape of its rows
                const TurnClasses m(rules, g.mirrored());
                const RowShape& other_shape = row_shape(kPoints - g.own, g.opp);
                const std::uint64_t other =
                    m.flies ? flying_shape(other_shape.k, other_shape.n).words() : other_shape.stored_words();
                bytes += 24 * mover_rows * other;
            }
            // Messages of the fullest layer: about half of a group that moves is decided at once, and all of a
            // subspace that only places.
            bytes += 4 * (t.moves ? entries / 2 : entries);
            scratch = std::max<std::uint64_t>(scratch, 7 * 8 * std::uint64_t{shape.words()});
        }
    }
    return bytes + static_cast<std::uint64_t>(threads) * (scratch + (8U << 20));
}

} // namespace mill::builder

#include "mill/builder/solver.h"

#include "mill/builder/flying.h"
#include "mill/builder/row.h"
#include "mill/builder/solver_parts.h"

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

std::uint64_t solve_memory(const Ruleset& rules, Subspace s, bool dte, int threads) {
    const std::vector<Subspace> group = solve_group(rules, s);
    std::uint64_t bytes = 0, scratch = 0;
    for (const Subspace g : group) {
        const TurnClasses t(rules, g);
        const std::uint64_t entries = SubspaceIndex(g).size();
        const std::uint64_t waiter_rows = orbit_table(g.opp).count(), mover_rows = orbit_table(g.own).count();
        const RowShape& shape = row_shape(kPoints - g.opp, g.own);
        // Messages of the fullest layer: about half of a group that moves is decided at once, and all of a
        // subspace that only places.
        const std::uint64_t messages = (dte ? 8 : 4) * (t.moves ? entries / 2 : entries);
        if (dte) {
            // Values and constants of waiter rows; values, DTZ and changes of mover rows.
            const std::uint64_t waiting = waiter_rows * shape.size;
            bytes += 4 * waiting + 2 * entries + 2 * entries + entries / 8 + messages;
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
            bytes += messages;
            scratch = std::max<std::uint64_t>(scratch, 7 * 8 * std::uint64_t{shape.words()});
        }
    }
    return bytes + static_cast<std::uint64_t>(threads) * (scratch + (8U << 20));
}

} // namespace mill::builder

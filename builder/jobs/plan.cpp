#include "builder/jobs/plan.h"

#include "builder/solve/solver.h"
#include "probe/index/turn_classes.h"
#include "rules/error.h"

#include <algorithm>
#include <set>

namespace mill::builder {

namespace {

void add_with_dependencies(const Ruleset& rules, Subspace root, std::set<std::vector<Subspace>>& groups) {
    std::vector<Subspace> todo{root};
    std::set<Subspace> seen;
    while (!todo.empty()) {
        const Subspace s = todo.back();
        todo.pop_back();
        if (!groups.insert(solve_group(rules, s)).second) continue;
        for (const Subspace d : dependencies(rules, s))
            if (seen.insert(d).second) todo.push_back(d);
    }
}

/// Bytes on disk per position. Measured on lg9 (data/measured) at the plain codec's fast levels: exact to a few
/// percent for the whole game, a guide for single subspaces.
double disk_bytes_per_position(const Ruleset& rules, Subspace s, const Metrics& metrics) {
    const TurnClasses t(rules, s);
    const bool resets = t.places && !t.moves && t.place_effect == PlacementEffect::constant;
    double bytes = 0.077;
    if (metrics.dtz) bytes += resets ? 0.001 : 0.152; // where every turn resets, DTZ is 1 nearly everywhere
    if (metrics.dte) bytes += resets ? 0.24 : t.limit > 0 ? 1.22 : 0.25; // profiles take the most
    return bytes;
}

} // namespace

std::string group_name(const std::vector<Subspace>& members) {
    std::string name;
    for (const Subspace s : members) {
        if (!name.empty()) name += ',';
        name += to_text(s);
    }
    return name;
}

std::vector<PlannedGroup> make_plan(const Ruleset& rules, const Selection& selection, const Metrics& metrics,
                                    int threads) {
    if (needs_dtz(rules) && !metrics.dtz)
        throw Error(ErrorCode::bad_argument,
                    "metrics: under ruleset " + rules.name +
                        " solving goes on from the dtz of smaller subspaces: it must be among them");
    std::set<std::vector<Subspace>> groups;
    auto add = [&](Subspace s) {
        if (can_exist(rules, s) && state_of(rules, s) == SubspaceState::open)
            add_with_dependencies(rules, s, groups);
    };
    for (const Subspace s : selection.subspaces) {
        if (!can_exist(rules, s) || state_of(rules, s) != SubspaceState::open)
            throw Error(ErrorCode::bad_argument,
                        "subspace " + to_text(s) + " holds no position to solve under ruleset " + rules.name +
                            ": counts or reserves cannot occur, or the game is over there");
        add(s);
    }
    const auto pieces = static_cast<std::uint8_t>(rules.pieces);
    if (selection.start) add({0, 0, pieces, pieces});
    for (std::uint8_t m = 0; m <= pieces; ++m)
        for (std::uint8_t o = 0; o <= pieces; ++o) {
            if (selection.stones > 0 && m + o <= selection.stones) add({m, o, 0, 0});
            if (selection.all)
                for (std::uint8_t a = 0; a + m <= pieces; ++a)
                    for (std::uint8_t b = 0; b + o <= pieces; ++b) add({m, o, a, b});
        }
    std::vector<PlannedGroup> plan;
    for (const auto& members : groups) {
        PlannedGroup g;
        g.members = members;
        g.dependencies = dependencies(rules, members[0]);
        for (const Subspace s : members) g.positions += SubspaceIndex(s).size();
        g.solve_bytes = solve_memory(rules, members[0], metrics.dte, threads);
        std::set<Subspace> children;
        for (const Subspace s : members)
            for (const Subspace c : TurnClasses(rules, s).children()) children.insert(c);
        bool transfers = false;
        for (const Subspace s : members) transfers |= TurnClasses(rules, s).transfers;
        if (transfers) children.insert(g.dependencies.begin(), g.dependencies.end());
        // Outcomes are packed; distances are kept as numbers of two bytes, DTE once more as keys.
        for (const Subspace c : children) {
            const std::uint64_t size = SubspaceIndex(c).size();
            g.child_bytes += size / 4 + (needs_dtz(rules) ? size * 2 : 0) + (metrics.dte ? size * 4 : 0);
        }
        for (const Subspace s : members)
            g.disk_bytes += static_cast<std::uint64_t>(static_cast<double>(SubspaceIndex(s).size()) *
                                                       disk_bytes_per_position(rules, s, metrics));
        plan.push_back(std::move(g));
    }
    // Captures lower the total, placements the reserves: this order puts every dependency first.
    std::sort(plan.begin(), plan.end(), [](const PlannedGroup& a, const PlannedGroup& b) {
        const auto key = [](const PlannedGroup& g) {
            return std::tuple(g.members[0].total(), g.members[0].reserves(),
                              g.members[0].own + g.members[0].opp, g.members);
        };
        return key(a) < key(b);
    });
    return plan;
}

} // namespace mill::builder

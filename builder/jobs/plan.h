// What to build and in which order, with what it needs.
#pragma once

#include "builder/tables/store.h"

namespace mill::builder {

/// Subspaces as chosen on the command line; what they depend on is added.
struct Selection {
    bool all = false;   ///< every subspace that can exist
    bool start = false; ///< everything reachable from the initial position
    int stones = 0;     ///< all movement subspaces with up to that many on the board; 0 = none
    std::vector<Subspace> subspaces;
};

/// One group that is solved together.
struct PlannedGroup {
    std::vector<Subspace> members;
    std::vector<Subspace> dependencies;
    std::uint64_t positions = 0; ///< entries
    std::uint64_t solve_bytes = 0, child_bytes = 0;
    std::uint64_t disk_bytes = 0; ///< estimate
    std::uint64_t memory() const { return solve_bytes + child_bytes; }
};

/// Groups in an order in which every group follows its dependencies (also not selected ones: they are
/// added). Throws Error(bad_argument) if a selected subspace cannot exist.
std::vector<PlannedGroup> make_plan(const Ruleset& rules, const Selection& selection, const Metrics& metrics,
                                    int threads);

/// Name of a group: its members joined by commas.
std::string group_name(const std::vector<Subspace>& members);

} // namespace mill::builder

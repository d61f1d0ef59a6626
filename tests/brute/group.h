// One step of the brute force: the subspaces that quiet movements connect, solved together.
#pragma once

#include "tests/brute/brute.h"

namespace mill::brute {

using Tables = std::map<Counts, std::unique_ptr<Table>>;

/// `group`: a subspace, and its mirror where quiet movements lead to and fro. All else that turns lead to must be
/// among `solved`.
std::vector<std::unique_ptr<Table>> solve_group(const Ruleset& rules, const std::vector<Counts>& group,
                                                const Tables& solved);

} // namespace mill::brute

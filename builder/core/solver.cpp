#include "mill/builder/solver.h"

#include "mill/builder/solver_parts.h"

namespace mill::builder {

std::vector<MemoryTable> solve(const Ruleset& rules, Subspace s, const TableSource& source, const SolveOptions& options) {
    return options.dte ? solve_distances(rules, s, source, options) : solve_outcomes(rules, s, source, options);
}

} // namespace mill::builder

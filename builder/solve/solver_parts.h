// The two solvers behind solve(), and what they share.
#pragma once

#include "builder/solve/solver.h"

#include <array>
#include <bit>

namespace mill::builder {

/// Outcomes and DTZ only, of a group or of those members that can be solved alone.
std::vector<MemoryTable> solve_outcomes(const Ruleset&, const std::vector<Subspace>& group,
                                        const TableSource&, const SolveOptions&);
/// Outcomes, DTZ and DTE with profile.
std::vector<MemoryTable> solve_distances(const Ruleset&, const std::vector<Subspace>& group,
                                         const TableSource&, const SolveOptions&);

/// Whether a subspace has transfers that capture nothing; its mirror then does not move.
bool needs_plain_solver(const Ruleset&, Subspace);
/// All metrics of such a subspace, one position after the other; `source` must know its mirror.
MemoryTable solve_plain(const Ruleset&, Subspace, const TableSource&, const SolveOptions&);

/// Bits of word `word` of an expanded row that stand for sets of n stones.
inline std::uint64_t sets_of_word(std::uint32_t word, int n) {
    static constexpr auto kSets = [] {
        std::array<std::uint64_t, 7> sets{};
        for (unsigned v = 0; v < 64; ++v)
            sets[static_cast<std::size_t>(std::popcount(v))] |= std::uint64_t{1} << v;
        return sets;
    }();
    const int rest = n - std::popcount(word);
    return rest >= 0 && rest <= 6 ? kSets[static_cast<std::size_t>(rest)] : 0;
}

} // namespace mill::builder

#include "tests/solver/built_tables.h"

#include "rules/error.h"

#include <algorithm>

namespace mill::testing {

namespace {
builder::SolveOptions options_of(bool dte, int threads) {
    builder::SolveOptions options;
    options.dte = dte;
    options.threads = threads;
    return options;
}
} // namespace

BuiltTables::BuiltTables(const Ruleset& rules, bool dte, int threads)
    : SolvedSet(rules, options_of(dte, threads)) {}

std::vector<Subspace> all_subspaces(const Ruleset& rules) {
    std::vector<Subspace> out;
    const auto up_to = static_cast<std::uint8_t>(rules.pieces);
    for (std::uint8_t own = 0; own <= up_to; ++own)
        for (std::uint8_t opp = 0; opp <= up_to; ++opp)
            for (std::uint8_t a = 0; own + a <= up_to; ++a)
                for (std::uint8_t b = 0; opp + b <= up_to; ++b) {
                    const Subspace s{own, opp, a, b};
                    if (can_exist(rules, s) && state_of(rules, s) == SubspaceState::open) out.push_back(s);
                }
    return out;
}

Statistics statistics_of(const builder::MemoryTable& t) {
    Statistics s;
    for (std::uint32_t row = 0; row < t.index.rows(); ++row) {
        const std::int64_t weight = t.index.row_weight(row);
        for (std::uint32_t j = 0; j < t.index.row_size(); ++j) {
            const std::uint64_t i = std::uint64_t{row} * t.index.row_size() + j;
            const Outcome o = t.outcome(i);
            s.positions += weight;
            (o == Outcome::win ? s.win : o == Outcome::loss ? s.loss : s.draw) += weight;
            if (o == Outcome::draw) continue;
            s.sum_dtz += weight * t.dtz[i];
            s.max_dtz = std::max<std::int64_t>(s.max_dtz, t.dtz[i]);
            if (!t.dte.empty()) s.max_dte = std::max<std::int64_t>(s.max_dte, t.dte[i]);
        }
    }
    return s;
}

} // namespace mill::testing

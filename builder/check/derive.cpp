#include "builder/check/derive.h"

#include "builder/check/checker.h"
#include "builder/machine/parallel.h"

#include <algorithm>

namespace mill::builder {

MemoryTable derive_table(const Ruleset& rules, Subspace s, const Metrics& metrics, const TableValues& values,
                         int threads, const std::atomic<bool>* stop) {
    MemoryTable t(s);
    const std::uint64_t size = t.index.size();
    t.wdl = HugeArray<std::uint8_t>(size / 4 + 9);
    t.dtz = HugeArray<std::uint16_t>(metrics.dtz ? size : 0);
    t.dte = HugeArray<std::uint16_t>(metrics.dte ? size : 0);
    constexpr std::uint64_t kPiece = 4096; // whole bytes of outcomes
    const auto pieces = static_cast<std::uint32_t>((size + kPiece - 1) / kPiece);
    std::vector<std::vector<ProfileStep>> steps(pieces);
    parallel_rows(pieces, threads, stop, [&](std::uint32_t piece, int) {
        Checker checker(rules, metrics.dtz, metrics.dte, t, values);
        Checker::Derived d;
        const std::uint64_t end = std::min(size, (piece + 1) * kPiece);
        for (std::uint64_t i = piece * kPiece; i < end; ++i) {
            const auto [own, opp] = t.index.position(i);
            checker.prepare(0, own, opp, i);
            checker.derive(0, d);
            t.wdl[i >> 2] = static_cast<std::uint8_t>(t.wdl[i >> 2] | static_cast<unsigned>(d.full.outcome)
                                                                          << (2 * (i & 3)));
            if (metrics.dtz) t.dtz[i] = static_cast<std::uint16_t>(d.dtz);
            if (metrics.dte) t.dte[i] = d.full.dte;
            steps[piece].insert(steps[piece].end(), d.steps.begin(), d.steps.end());
        }
    });
    for (const auto& part : steps) t.steps.insert(t.steps.end(), part.begin(), part.end());
    if (rules.mill_return != MillReturn::free) t.mark_steps();
    return t;
}

} // namespace mill::builder

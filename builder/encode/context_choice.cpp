#include "builder/encode/context_choice.h"

#include "probe/codec/block_walk.inc"

#include <cmath>

namespace mill {

namespace {

/// What a stream may look at, most promising first where the gain is equal.
std::vector<Term> candidates(const TableMeta& meta, int stream) {
    std::vector<Term> out;
    const auto value_terms = [&](std::initializer_list<std::uint8_t> caps) {
        for (const std::uint8_t cap : caps) {
            out.push_back({Term::Kind::same, 0, cap});
            for (const Link l : {Link::before, Link::move1, Link::move2, Link::move3, Link::move4})
                out.push_back({Term::Kind::link_value, static_cast<std::uint8_t>(l), cap});
        }
    };
    if (meta.metric == Metric::wdl || stream == kValues)
        for (int f = 0; f < kFeatures; ++f)
            out.push_back({Term::Kind::feature, static_cast<std::uint8_t>(f), 0});
    if (meta.metric == Metric::wdl) {
        for (const Link l : {Link::before, Link::before2, Link::move1, Link::move2, Link::move3, Link::move4})
            out.push_back({Term::Kind::link_outcome, static_cast<std::uint8_t>(l), 0});
        return out;
    }
    out.push_back({Term::Kind::outcome, 0, 0});
    if (meta.metric == Metric::dte)
        for (const std::uint8_t cap : {std::uint8_t{6}, std::uint8_t{30}})
            out.push_back({Term::Kind::depth, 0, cap});
    switch (stream) {
    case kValues:
        value_terms({2, 6, 14, 30});
        for (const Link l : {Link::move1, Link::move2})
            out.push_back({Term::Kind::link_outcome, static_cast<std::uint8_t>(l), 0});
        break;
    case kStepDistance:
    case kStepBudget: out.push_back({Term::Kind::budget, 0, 30}); [[fallthrough]];
    default: out.push_back({Term::Kind::value, 0, 14}); out.push_back({Term::Kind::value, 0, 62});
    }
    return out;
}

/// The symbols of one stream in the sample, and what every candidate says about each of them.
struct Observed {
    std::vector<std::uint16_t> symbols;
    std::vector<bool> test;
    std::vector<std::vector<std::uint16_t>> levels; ///< by candidate
};

class Choice {
public:
    Choice(const std::vector<Term>& terms, const Observed& seen, double scale)
        : terms_(terms), seen_(seen), scale_(scale), context_(seen.symbols.size(), 0) {
        for (const std::uint16_t s : seen.symbols) alphabet_ = std::max<std::uint32_t>(alphabet_, s + 1U);
    }

    std::vector<Term> run() {
        std::vector<Term> chosen;
        std::uint64_t product = 1;
        double last = cost(~std::size_t{0});
        constexpr std::size_t kMostTerms = 9;
        while (chosen.size() < kMostTerms) {
            std::size_t best = terms_.size();
            double best_cost = last, best_worth = 0;
            for (std::size_t t = 0; t < terms_.size(); ++t) {
                if (product * terms_[t].levels() > kMostContexts || !allowed(terms_[t], chosen)) continue;
                // The room for contexts is limited: what counts is the gain for the room that a term takes.
                const double c = cost(t), worth = (last - c) / std::log2(terms_[t].levels());
                if (worth > best_worth) {
                    best = t;
                    best_cost = c;
                    best_worth = worth;
                }
            }
            if (best == terms_.size() || best_cost > 0.998 * last) break; // another term takes time to decode
            take(best);
            chosen.push_back(terms_[best]);
            product *= terms_[best].levels();
            last = best_cost;
        }
        return chosen;
    }

private:
    static bool allowed(const Term& t, const std::vector<Term>& chosen) {
        std::size_t links = 0;
        for (const Term& c : chosen) {
            links += c.kind == Term::Kind::link_outcome;
            if (c.kind == t.kind && c.which == t.which) return false;
        }
        return t.kind != Term::Kind::link_outcome || links < kMaxOutcomeLinks;
    }

    /// Bits that the table would take with candidate t joined to the context.
    double cost(std::size_t t) {
        const bool joins = t < terms_.size();
        const std::uint32_t levels = joins ? terms_[t].levels() : 1;
        const std::size_t size = std::size_t{contexts_} * levels;
        const auto at = [&](std::size_t i) {
            return std::size_t{context_[i]} * levels + (joins ? seen_.levels[t][i] : 0);
        };
        if (size * alphabet_ > kMostCells) return 1e300;
        counts_.assign(size * alphabet_, 0);
        totals_.assign(size, 0);
        std::vector<double> prior(alphabet_, 0.01);
        double all = 0.01 * alphabet_;
        std::size_t cells = 0;
        for (std::size_t i = 0; i < seen_.symbols.size(); ++i) {
            if (seen_.test[i]) continue;
            const std::size_t c = at(i);
            cells += counts_[c * alphabet_ + seen_.symbols[i]]++ == 0;
            ++totals_[c];
            ++prior[seen_.symbols[i]];
            ++all;
        }
        double bits = 0;
        for (std::size_t i = 0; i < seen_.symbols.size(); ++i) {
            if (!seen_.test[i]) continue;
            const std::size_t c = at(i);
            bits -= std::log2((counts_[c * alphabet_ + seen_.symbols[i]] + prior[seen_.symbols[i]] / all) /
                              (totals_[c] + 1.0));
        }
        return bits * scale_ + kCellBits * static_cast<double>(cells);
    }

    void take(std::size_t t) {
        const std::uint32_t levels = terms_[t].levels();
        std::vector<std::uint32_t> number(std::size_t{contexts_} * levels, ~std::uint32_t{0});
        std::uint32_t next = 0;
        for (std::size_t i = 0; i < context_.size(); ++i) {
            std::uint32_t& to = number[std::size_t{context_[i]} * levels + seen_.levels[t][i]];
            if (to == ~std::uint32_t{0}) to = next++;
            context_[i] = to;
        }
        contexts_ = next;
    }

    static constexpr std::size_t kMostCells = std::size_t{1} << 26;
    static constexpr double kCellBits = 20; ///< of a symbol's part in the file

    const std::vector<Term>& terms_;
    const Observed& seen_;
    double scale_;
    std::vector<std::uint32_t> context_; ///< numbered as they occur
    std::uint32_t contexts_ = 1, alphabet_ = 1;
    std::vector<std::uint32_t> counts_, totals_;
};

} // namespace

ContextPlan choose_contexts(const TableMeta& meta, std::span<const BlockContent> sample) {
    ContextPlan plan;
    std::uint64_t tested = 0;
    for (std::size_t b = 0; b < sample.size(); ++b) tested += b % 2 ? sample[b].n : 0;
    if (tested == 0) return plan; // a single block: nothing to choose on
    const double scale = static_cast<double>(meta.entries) / static_cast<double>(tested);
    for (int s = 0; s < stream_count(meta.metric); ++s) {
        const std::vector<Term> terms = candidates(meta, s);
        Observed seen;
        for (const Term& t : terms) {
            ContextPlan single;
            single.terms[static_cast<std::size_t>(s)] = {t};
            BlockWalk walk(meta, single);
            std::vector<std::uint16_t>& levels = seen.levels.emplace_back();
            const bool first = seen.levels.size() == 1;
            for (std::size_t b = 0; b < sample.size(); ++b) {
                BlockContent content = sample[b];
                walk(content, [&](int stream, std::uint32_t context, std::uint16_t symbol) {
                    if (stream == s) {
                        levels.push_back(static_cast<std::uint16_t>(context));
                        if (first) {
                            seen.symbols.push_back(symbol);
                            seen.test.push_back(b % 2 != 0);
                        }
                    }
                    return symbol;
                });
            }
        }
        plan.terms[static_cast<std::size_t>(s)] = Choice(terms, seen, scale).run();
    }
    return plan;
}

} // namespace mill

// What a table would cost under context models: measures, before a codec is built.
//
//     size_lab DIRECTORY RULESET SUBSPACE [MILLIONS OF ENTRIES] [ENTRIES PER CHUNK]
//
// Takes whole rows all over the table. The contexts of an entry are features of its position (lines that can be
// closed, mobility, ...) and values of entries before it in the same chunk. Chunks of even number train, those of odd
// number are costed (cross entropy), and at every step the feature that helps most joins the context. Bits are per
// position of the subspace, draws included.
#include "builder/tables/store.h"
#include "probe/index/turn_classes.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <tuple>
#include <vector>

namespace {

using namespace mill;

struct Feature {
    std::string name;
    std::vector<std::uint8_t> values;
    std::uint32_t levels = 0;
};

/// Which turns a side has, as far as features go.
struct Mode {
    bool moves, flies, places;
};

struct SideFacts {
    int closable = 0, pairs = 0, mills = 0, mobility = 0, stuck = 0, swings = 0;
    Stones close_points = 0;
};

SideFacts facts(const Geometry& g, Stones own, Stones free_set, Mode mode) {
    SideFacts f;
    for (int l = 0; l < g.line_count; ++l) {
        const Stones line = g.lines[static_cast<std::size_t>(l)];
        const int n = count(own & line);
        if (n == 3) ++f.mills;
        if (n != 2 || !(free_set & line)) continue;
        ++f.pairs;
        const Stones gap = free_set & line;
        const Stones rest = own & ~line;
        const Stones from =
            rest & (mode.flies ? kAllPoints : g.neighbours[static_cast<std::size_t>(std::countr_zero(gap))]);
        if (mode.places || (mode.moves && from)) f.close_points |= gap;
        if (from & milled(g, own)) ++f.swings;
    }
    f.closable = count(f.close_points);
    for (Stones s = own; s; s &= s - 1) {
        const int n = count(g.neighbours[static_cast<std::size_t>(std::countr_zero(s))] & free_set);
        f.mobility += n;
        f.stuck += n == 0;
    }
    return f;
}

std::uint8_t cap(int v, int most) { return static_cast<std::uint8_t>(v < most ? v : most); }
std::uint8_t log_level(int v) {
    return static_cast<std::uint8_t>(v < 4    ? v
                                     : v < 6  ? 4
                                     : v < 8  ? 5
                                     : v < 10 ? 6
                                     : v < 12 ? 7
                                     : v < 15 ? 8
                                              : 9);
}

class Model {
public:
    Model(const std::vector<std::uint8_t>& symbols, const std::vector<bool>& test, double positions)
        : symbols_(symbols), test_(test), positions_(positions), context_(symbols.size(), 0) {
        for (const std::uint8_t s : symbols) alphabet_ = std::max<std::uint32_t>(alphabet_, s + 1U);
    }

    double cost(const Feature* f, std::uint32_t& used) const {
        const std::uint32_t levels = f ? f->levels : 1;
        std::vector<std::uint32_t> n(std::size_t{contexts_} * levels * alphabet_), total(contexts_ * levels);
        std::vector<double> prior(alphabet_, 1e-3);
        double all = 1e-3 * alphabet_;
        for (std::size_t i = 0; i < symbols_.size(); ++i) {
            if (test_[i]) continue;
            const std::uint32_t c = context_[i] * levels + (f ? f->values[i] : 0);
            ++n[std::size_t{c} * alphabet_ + symbols_[i]];
            ++total[c];
            ++prior[symbols_[i]];
            ++all;
        }
        used = 0;
        for (const std::uint32_t t : total) used += t != 0;
        double bits = 0;
        constexpr double kWeight = 1;
        for (std::size_t i = 0; i < symbols_.size(); ++i) {
            if (!test_[i]) continue;
            const std::uint32_t c = context_[i] * levels + (f ? f->values[i] : 0);
            bits -=
                std::log2((n[std::size_t{c} * alphabet_ + symbols_[i]] + kWeight * prior[symbols_[i]] / all) /
                          (total[c] + kWeight));
        }
        return bits / positions_;
    }

    void take(const Feature& f) {
        std::vector<std::uint32_t> number(std::size_t{contexts_} * f.levels, ~0U);
        std::uint32_t next = 0;
        for (std::size_t i = 0; i < context_.size(); ++i) {
            auto& to = number[context_[i] * f.levels + f.values[i]];
            if (to == ~0U) to = next++;
            context_[i] = to;
        }
        contexts_ = next;
    }

    void grow(const std::vector<Feature>& features, int steps, std::uint32_t most) {
        std::uint32_t used = 0;
        double last = cost(nullptr, used);
        std::printf("  %8.4f  no context\n", last);
        for (int step = 0; step < steps; ++step) {
            const Feature* best = nullptr;
            double best_cost = last;
            std::uint32_t best_used = 0;
            for (const Feature& f : features) {
                if (std::size_t{contexts_} * f.levels * alphabet_ > (std::size_t{1} << 27)) continue;
                const double c = cost(&f, used);
                if (used > most || c >= best_cost) continue;
                best = &f;
                best_cost = c;
                best_used = used;
            }
            if (!best || best_cost > last - 0.0005) break;
            take(*best);
            last = best_cost;
            std::printf("  %8.4f  + %s (%u contexts)\n", last, best->name.c_str(), best_used);
            std::fflush(stdout);
        }
    }

private:
    const std::vector<std::uint8_t>& symbols_;
    const std::vector<bool>& test_;
    double positions_;
    std::vector<std::uint32_t> context_;
    std::uint32_t contexts_ = 1, alphabet_ = 1;
};

} // namespace

int main(int argc, char** argv) {
    if (argc < 4) {
        std::fprintf(stderr, "usage: size_lab DIRECTORY RULESET SUBSPACE [MILLIONS] [CHUNK]\n");
        return 2;
    }
    const Ruleset rules = load_ruleset(argv[2]);
    const Subspace s = parse_subspace(argv[3]);
    const double millions = argc > 4 ? std::atof(argv[4]) : 4;
    const std::uint32_t chunk = argc > 5 ? static_cast<std::uint32_t>(std::atoi(argv[5])) : 2048;
    const builder::TableStore store(rules, argv[1]);
    const builder::Metrics metrics{true, store.has(s, Metric::dtz), store.has(s, Metric::dte)};
    const builder::MemoryTable t = store.load(s, metrics, 1);
    const Geometry& g = geometry(rules.board);
    const auto mode_of = [&](Subspace side) {
        const TurnClasses c(rules, side);
        return Mode{c.moves, c.flies, c.places};
    };
    const Mode own_mode = mode_of(s), opp_mode = mode_of(s.mirrored());

    const std::uint32_t rows = t.index.rows(), size = t.index.row_size();
    const auto stride =
        static_cast<std::uint32_t>(std::max(1.0, static_cast<double>(t.index.size()) / (millions * 1e6)));
    std::vector<std::uint64_t> entries;
    for (std::uint32_t r = stride / 2; r < rows; r += stride)
        for (std::uint32_t i = 0; i < size; ++i) entries.push_back(std::uint64_t{r} * size + i);
    const std::size_t n = entries.size();
    std::printf("%s: %zu of %llu entries, rows of %u, chunks of %u\n", argv[3], n,
                static_cast<unsigned long long>(t.index.size()), size, chunk);

    // Earlier entries that a context may look at; ~0: none in this chunk and row.
    constexpr std::size_t kLinks = 15;
    const char* const link_names[kLinks] = {"p1", "p2", "n1", "n2", "n3", "n4", "n5", "g1",
                                            "g2", "g3", "g4", "g5", "g6", "g7", "g8"};
    std::vector<std::uint64_t> links[kLinks];
    for (auto& l : links) l.assign(n, ~std::uint64_t{0});
    std::vector<Feature> geo;
    const char* const names[] = {"own.close",       "opp.close",       "own.mobility",   "opp.mobility",
                                 "own.mills",       "opp.mills",       "own.pairs",      "opp.pairs",
                                 "own.stuck",       "opp.stuck",       "own.swing",      "opp.swing",
                                 "opp.unstoppable", "own.unstoppable", "opp.all milled", "contested"};
    const std::uint32_t levels[] = {4, 4, 10, 10, 4, 4, 4, 4, 4, 4, 3, 3, 3, 3, 2, 3};
    for (std::size_t f = 0; f < std::size(names); ++f)
        geo.push_back({names[f], std::vector<std::uint8_t>(n), levels[f]});
    std::vector<bool> test(n);
    const RankTable& ranks = rank_table(s.opp);
    for (std::size_t i = 0; i < n; ++i) {
        const std::uint64_t e = entries[i], row_start = e / size * size,
                            from = std::max(row_start, e / chunk * chunk);
        test[i] = e / chunk % 2;
        const auto [own, opp] = t.index.position(e);
        const Stones free_set = kAllPoints & ~(own | opp);
        const SideFacts a = facts(g, own, free_set, own_mode), b = facts(g, opp, free_set, opp_mode);
        Stones own_reach = 0, opp_reach = 0;
        for (Stones x = own; x; x &= x - 1)
            own_reach |= g.neighbours[static_cast<std::size_t>(std::countr_zero(x))];
        for (Stones x = opp; x; x &= x - 1)
            opp_reach |= g.neighbours[static_cast<std::size_t>(std::countr_zero(x))];
        const std::uint8_t values[] = {cap(a.closable, 3),
                                       cap(b.closable, 3),
                                       log_level(a.mobility),
                                       log_level(b.mobility),
                                       cap(a.mills, 3),
                                       cap(b.mills, 3),
                                       cap(a.pairs, 3),
                                       cap(b.pairs, 3),
                                       cap(a.stuck, 3),
                                       cap(b.stuck, 3),
                                       cap(a.swings, 2),
                                       cap(b.swings, 2),
                                       cap(count(b.close_points & ~own_reach), 2),
                                       cap(count(a.close_points & ~opp_reach), 2),
                                       static_cast<std::uint8_t>(milled(g, opp) == opp),
                                       cap(count(free_set & own_reach & opp_reach) / 3, 2)};
        for (std::size_t f = 0; f < geo.size(); ++f) geo[f].values[i] = values[f];
        const Stones room = kAllPoints & ~own;
        const std::uint32_t packed = extract_portable(opp, room);
        const auto link = [&](std::size_t l, std::uint64_t to) {
            if (to >= from && to < e) links[l][i] = to;
        };
        if (e > from) link(0, e - 1);
        if (e > from + 1) link(1, e - 2);
        std::size_t k = 0;
        for (std::uint32_t rest = packed; rest && k < 5; rest &= rest - 1, ++k) {
            const std::uint32_t stone = rest & (~rest + 1);
            if (stone > 1 && !(packed & (stone >> 1)))
                link(2 + k, row_start + ranks.rank(packed ^ stone ^ (stone >> 1)));
        }
        // Moves of the other side along an edge, nearest first.
        std::vector<std::uint64_t> moves;
        for (Stones rest = opp; rest; rest &= rest - 1) {
            const Stones stone = rest & (~rest + 1);
            for (Stones to = g.neighbours[static_cast<std::size_t>(std::countr_zero(stone))] & free_set; to;
                 to &= to - 1) {
                const Stones other = (opp ^ stone) | (to & (~to + 1));
                const std::uint64_t at = row_start + ranks.rank(extract_portable(other, room));
                if (at < e && at >= from) moves.push_back(at);
            }
        }
        std::sort(moves.begin(), moves.end(), std::greater<>());
        for (std::size_t m = 0; m < moves.size() && m < 8; ++m) link(7 + m, moves[m]);
    }

    // Outcomes.
    {
        std::vector<std::uint8_t> symbols(n);
        double counts[3] = {};
        for (std::size_t i = 0; i < n; ++i) {
            symbols[i] = static_cast<std::uint8_t>(t.code(entries[i]));
            ++counts[symbols[i]];
        }
        std::printf("draw %.3f win %.3f loss %.3f\n", counts[0] / static_cast<double>(n),
                    counts[1] / static_cast<double>(n), counts[2] / static_cast<double>(n));
        std::vector<Feature> all = geo, near;
        for (std::size_t l = 0; l < kLinks; ++l) {
            Feature f{link_names[l], std::vector<std::uint8_t>(n), 4};
            for (std::size_t i = 0; i < n; ++i)
                f.values[i] = links[l][i] == ~std::uint64_t{0}
                                  ? std::uint8_t{3}
                                  : static_cast<std::uint8_t>(t.code(links[l][i]));
            near.push_back(f);
            all.push_back(std::move(f));
        }
        // Outcomes among the moves' entries: none, unanimous, or the majority.
        for (const auto& [name, from, to] :
             {std::tuple{"vote1-8", 7, 15}, {"vote3-8", 9, 15}, {"vote4-8", 10, 15}, {"vote5-8", 11, 15}}) {
            Feature vote{name, std::vector<std::uint8_t>(n), 10};
            for (std::size_t i = 0; i < n; ++i) {
                int votes[3] = {}, known = 0;
                for (int l = from; l < to; ++l) {
                    const std::uint64_t at = links[static_cast<std::size_t>(l)][i];
                    if (at == ~std::uint64_t{0}) break;
                    ++votes[t.code(at)];
                    ++known;
                }
                const int best = static_cast<int>(std::max_element(votes, votes + 3) - votes);
                vote.values[i] = known == 0
                                     ? std::uint8_t{0}
                                     : static_cast<std::uint8_t>(1 + best + (votes[best] == known ? 3 : 0) +
                                                                 (votes[best] == known && known > 2 ? 3 : 0));
            }
            near.push_back(vote);
            all.push_back(std::move(vote));
        }
        const double tested = static_cast<double>(std::count(test.begin(), test.end(), true));
        if (argc > 6) {
            std::printf("wdl, both:\n");
            Model(symbols, test, tested).grow(all, 16, 300000);
            return 0;
        }
        std::printf("wdl, position only:\n");
        Model(symbols, test, tested).grow(geo, 12, 100000);
        std::printf("wdl, entries before only:\n");
        Model(symbols, test, tested).grow(near, 9, 100000);
        std::printf("wdl, both:\n");
        Model(symbols, test, tested).grow(all, 16, 100000);
    }

    const auto distances = [&](const char* what, auto&& value_of, bool with_dtz) {
        std::vector<std::size_t> decided;
        for (std::size_t i = 0; i < n; ++i)
            if (t.code(entries[i])) decided.push_back(i);
        const std::size_t d = decided.size();
        std::vector<std::uint8_t> symbols(d);
        std::vector<bool> chosen(d);
        for (std::size_t j = 0; j < d; ++j) {
            symbols[j] = cap(value_of(entries[decided[j]]), 255);
            chosen[j] = test[decided[j]];
        }
        std::vector<Feature> all;
        for (const Feature& f : geo) {
            Feature c{f.name, std::vector<std::uint8_t>(d), f.levels};
            for (std::size_t j = 0; j < d; ++j) c.values[j] = f.values[decided[j]];
            all.push_back(std::move(c));
        }
        Feature outcome{"outcome", std::vector<std::uint8_t>(d), 3};
        Feature depth{"dtz", std::vector<std::uint8_t>(d), 128};
        for (std::size_t j = 0; j < d; ++j) {
            outcome.values[j] = static_cast<std::uint8_t>(t.code(entries[decided[j]]));
            if (with_dtz) depth.values[j] = cap(t.dtz[entries[decided[j]]], 127);
        }
        for (std::size_t l = 0; l < kLinks; ++l) {
            Feature f{link_names[l], std::vector<std::uint8_t>(d), 129},
                w{std::string(link_names[l]) + ".wdl", std::vector<std::uint8_t>(d), 4};
            for (std::size_t j = 0; j < d; ++j) {
                const std::uint64_t to = links[l][decided[j]];
                w.values[j] =
                    to == ~std::uint64_t{0} ? std::uint8_t{3} : static_cast<std::uint8_t>(t.code(to));
                f.values[j] = w.values[j] == 3 || w.values[j] != outcome.values[j] ? std::uint8_t{128}
                                                                                   : cap(value_of(to), 127);
            }
            all.push_back(std::move(f));
            all.push_back(std::move(w));
        }
        // The nearest earlier entry of the same outcome (and DTZ).
        Feature same{"same", std::vector<std::uint8_t>(d), 129};
        for (std::size_t j = 0; j < d; ++j) {
            same.values[j] = 128;
            const std::uint64_t e = entries[decided[j]], from = std::max(e / size * size, e / chunk * chunk);
            for (std::size_t back = 1; back <= 32 && back <= j; ++back) {
                const std::uint64_t o = entries[decided[j - back]];
                if (o < from) break;
                if (t.code(o) != t.code(e) || (with_dtz && t.dtz[o] != t.dtz[e])) continue;
                same.values[j] = cap(value_of(o), 127);
                break;
            }
        }
        all.push_back(std::move(same));
        all.push_back(std::move(outcome));
        if (with_dtz) all.push_back(std::move(depth));
        const double tested = static_cast<double>(std::count(test.begin(), test.end(), true));
        std::printf("%s:\n", what);
        Model(symbols, chosen, tested).grow(all, 10, 30000);
    };
    if (metrics.dtz)
        distances(
            "dtz", [&](std::uint64_t i) { return int{t.dtz[i]}; }, false);
    if (metrics.dte)
        distances(
            "dte", [&](std::uint64_t i) { return int{t.dte[i]}; }, true);
    return 0;
}

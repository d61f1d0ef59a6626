#include "probe/tables/answers.h"

#include "rules/text.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <set>
#include <tuple>

namespace mill {

namespace {

struct Sides {
    Stones own, opp;
};
Sides sides(const Position& p) {
    return {p.stones[static_cast<std::size_t>(p.us())], p.stones[static_cast<std::size_t>(p.them())]};
}

/// Remaining budget of quiet plies, 0 = no limit.
int budget_of(const Ruleset& rules, const Position& p) {
    const int limit = draw_limit(rules, p);
    return limit == 0 ? 0 : limit - p.counter;
}

Answer ended(const Ending& end) {
    Answer a;
    a.outcome = end.outcome;
    a.ends = end.reason;
    if (end.outcome != Outcome::draw) a.dtz = a.dte = 0;
    return a;
}

/// A restricted position: over the turns, by the rules.
Answer answer_restricted(const TableSet& set, const Position& p, Wanted wanted, Stored::Read read) {
    const Stored stored(set, wanted.dte, read);
    const Value v = evaluate(set.rules(), p, budget_of(set.rules(), p), stored);
    Answer a;
    a.outcome = v.outcome;
    if (v.outcome == Outcome::draw) return a;
    if (wanted.dte && stored.known_dte()) a.dte = v.dte;
    if (wanted.dtz) {
        const Depth d = evaluate_depth(set.rules(), p, stored);
        if (stored.known_dtz()) a.dtz = d.dtz;
    }
    return a;
}

/// Order of DESIGN section 8. Where DTE is unknown to one of them both go by DTZ: the order must stay one.
bool ranks_before(const TurnAnswer& a, const TurnAnswer& b, bool by_dte) {
    const auto key = [by_dte](const TurnAnswer& t) {
        const int distance = by_dte ? t.dte : t.dtz;
        const int order = t.outcome == Outcome::win ? 0 : t.outcome == Outcome::draw ? 1 : 2;
        return std::pair(order, order == 0 ? distance : order == 2 ? -distance : 0);
    };
    const auto ka = key(a), kb = key(b);
    if (ka != kb) return ka < kb;
    return to_text(a.turn) < to_text(b.turn);
}

/// Whether probing p looks at its turns: it is restricted, or a half set without its tables.
bool expanded(const TableSet& set, const Position& p) {
    if (detail::restricted(p)) return true;
    const Subspace s = subspace_of(p);
    return !set.has(s, Metric::wdl) && set.derives(s);
}

/// Calls visit(position) for every position without restrictions that evaluating the turns of p comes to.
template <class Visit> void visit_turns(const Ruleset& rules, const Position& p, Visit& visit) {
    TurnList turns;
    generate_turns(rules, p, turns);
    for (const Turn t : turns) {
        const Position child = apply_turn(rules, p, t);
        if (judge(rules, child).reason != Reason::none) continue;
        if (detail::restricted(child)) visit_turns(rules, child, visit);
        else visit(child);
    }
}

} // namespace

Position checked(const Ruleset& rules, const Position& p) {
    validate(rules, p);
    Position q = detail::restricted(p) ? drop_dead_restrictions(rules, p) : p;
    if (draw_limit(rules, q) == 0) q.counter = 0;
    return q;
}

Answer answer(const TableSet& set, const Position& p, Wanted wanted, Stored::Read read) {
    if (const Ending end = judge(set.rules(), p); end.reason != Reason::none) return ended(end);
    if (detail::restricted(p)) return answer_restricted(set, p, wanted, read);
    const auto [own, opp] = sides(p);
    const StoredAnswer s =
        Stored(set, wanted.dte, read).answer(subspace_of(p), own, opp, budget_of(set.rules(), p), wanted);
    return {s.outcome, s.dtz, s.dte, Reason::none};
}

bool cached(const TableSet& set, const Position& p, Wanted wanted) {
    if (judge(set.rules(), p).reason != Reason::none || detail::restricted(p)) return true;
    const SubspaceTables* t = set.find(subspace_of(p));
    if (!t || !t->table(Metric::wdl)) return true; // not a question of the cache
    const auto [own, opp] = sides(p);
    const std::uint64_t index = t->index.index(own, opp);
    const bool partial = t->limit > 0 && p.counter > 0;
    const auto here = [&](Metric m, bool needed) {
        const OpenTable* table = needed ? t->table(m) : nullptr;
        return !table || set.cache().contains(table->key(table->block_of(index)));
    };
    return here(Metric::wdl, true) && here(Metric::dtz, wanted.dtz || partial) &&
           here(Metric::dte, wanted.dte);
}

std::vector<TurnAnswer> rank_turns(const TableSet& set, const Position& p, Wanted wanted, Stored::Read read) {
    const Ruleset& rules = set.rules();
    TurnList turns;
    if (judge(rules, p).reason == Reason::none) generate_turns(rules, p, turns);
    const int budget = budget_of(rules, p);
    std::vector<TurnAnswer> out;
    out.reserve(static_cast<std::size_t>(turns.size()));
    for (const Turn t : turns) {
        TurnAnswer a;
        a.turn = t;
        const CounterEffect effect = counter_effect(rules, p, t);
        a.zeroing = effect == CounterEffect::reset;
        const Position child = apply_turn(rules, p, t);
        const Ending end = judge(rules, child);
        if (end.reason != Reason::none) {
            a.ends = end.reason;
            a.outcome = after_turn({end.outcome, 0}).outcome;
            if (a.outcome != Outcome::draw) a.dtz = a.dte = 1;
        } else if (effect == CounterEffect::advance && budget == 1) {
            const bool endgame = rules.in_endgame(count(child.stones[0]), count(child.stones[1]),
                                                  child.reserve[0], child.reserve[1]);
            a.ends = endgame ? Reason::endgame_limit : Reason::quiet_limit;
        } else {
            const Stored stored(set, wanted.dte, read);
            const Value v =
                after_turn(evaluate(rules, child, detail::child_budget(rules, p, t, child, budget), stored));
            a.outcome = v.outcome;
            if (v.outcome != Outcome::draw) {
                if (wanted.dte && stored.known_dte()) a.dte = v.dte;
                if (wanted.dtz) {
                    const Depth d = evaluate_turn_depth(rules, p, t, stored);
                    if (stored.known_dtz()) a.dtz = d.dtz;
                }
            }
        }
        out.push_back(a);
    }
    bool by_dte = wanted.dte;
    for (const TurnAnswer& a : out) by_dte = by_dte && (a.outcome == Outcome::draw || a.dte >= 0);
    std::sort(out.begin(), out.end(),
              [by_dte](const TurnAnswer& a, const TurnAnswer& b) { return ranks_before(a, b, by_dte); });
    return out;
}

Answer answer_from_turns(const std::vector<TurnAnswer>& turns) {
    Answer a;
    if (turns.empty()) return a;
    a.outcome = turns.front().outcome;
    if (a.outcome == Outcome::draw) return a;
    // A win takes its shortest way, a loss its longest; one unknown among them makes the result unknown.
    const bool win = a.outcome == Outcome::win;
    const auto best = [&](int TurnAnswer::*distance) {
        int chosen = -1;
        for (const TurnAnswer& t : turns) {
            if (t.outcome != a.outcome) continue;
            if (t.*distance < 0) return -1;
            if (chosen < 0 || (win ? t.*distance < chosen : t.*distance > chosen)) chosen = t.*distance;
        }
        return chosen;
    };
    a.dtz = best(&TurnAnswer::dtz);
    a.dte = best(&TurnAnswer::dte);
    return a;
}

std::vector<Turn> best_line(const TableSet& set, const Position& start, std::size_t max_turns) {
    std::vector<Turn> line;
    Position p = start;
    while (line.size() < max_turns) {
        const std::vector<TurnAnswer> turns = rank_turns(set, p, {false, true});
        if (turns.empty() || turns.front().outcome == Outcome::draw) break;
        for (const TurnAnswer& t : turns) {
            if (t.outcome == Outcome::draw || t.dte >= 0) continue;
            // Play by another metric could go round in circles. Name the first table that lacks.
            const Position child = apply_turn(set.rules(), p, t.turn);
            std::set<Subspace> needed;
            std::function<void(const Position&)> note = [&](const Position& q) {
                if (expanded(set, q)) visit_turns(set.rules(), q, note);
                else needed.insert(subspace_of(q));
            };
            note(child);
            for (const Subspace s : needed)
                if (!set.has(s, Metric::dte)) set.throw_missing(s, Metric::dte);
        }
        line.push_back(turns.front().turn);
        p = apply_turn(set.rules(), p, line.back());
    }
    return line;
}

std::vector<std::pair<int, int>> profile(const TableSet& set, const Position& p) {
    const Ruleset& rules = set.rules();
    const int limit = draw_limit(rules, p);
    if (limit == 0 || judge(rules, p).reason != Reason::none) return {};
    const Stored stored(set, true);
    if (!expanded(set, p)) {
        const auto [own, opp] = sides(p);
        return stored.profile(subspace_of(p), own, opp);
    }
    const Depth d = evaluate_depth(rules, p, stored);
    std::vector<std::pair<int, int>> steps;
    if (d.outcome == Outcome::draw || !stored.known_dtz()) return steps;
    for (int r = std::max(d.dtz, 1); r <= limit; ++r) {
        const Value v = evaluate(rules, p, r, stored);
        if (!stored.known_dte()) return {};
        if (steps.empty() || steps.back().second != v.dte) steps.emplace_back(r, v.dte);
    }
    return steps;
}

std::vector<Subspace> missing_subspaces(const TableSet& set, const Position& p) {
    const Ruleset& rules = set.rules();
    if (judge(rules, p).reason != Reason::none) return {};
    const auto there = [&](Subspace s) {
        const bool limited = rules.limit(s.own, s.opp, s.own_reserve, s.opp_reserve) > 0;
        return set.has(s, Metric::wdl) && (!limited || set.has(s, Metric::dtz));
    };
    std::set<Subspace> missing, followed;
    auto note = [&](const Position& q) {
        const Subspace s = subspace_of(q);
        if (!expanded(set, q)) {
            if (!there(s)) missing.insert(s);
            return;
        }
        if (!followed.insert(s).second) return; // much the same for all positions of a subspace
        // What a half set lacks is what it follows from; where nothing of that is there either, it is no half set.
        std::set<Subspace> lacking;
        bool some = false;
        auto look = [&](const Position& child) {
            const Subspace c = subspace_of(child);
            if (there(c)) some = true;
            else if (!expanded(set, child)) lacking.insert(c);
        };
        visit_turns(rules, q, look);
        if (!lacking.empty() && !some) lacking = {s};
        missing.insert(lacking.begin(), lacking.end());
    };
    visit_turns(rules, p, note);
    return {missing.begin(), missing.end()};
}

void prefetch(const TableSet& set, const Position& p, Wanted wanted) {
    if (detail::restricted(p) || judge(set.rules(), p).reason != Reason::none) return;
    std::set<std::uint64_t> hinted; // turns of one position share most blocks
    const auto hint = [&](const Position& q, bool depths) {
        const SubspaceTables* t = set.find(subspace_of(q));
        if (!t) return;
        const auto [own, opp] = sides(q);
        const std::uint64_t index = t->index.index(own, opp);
        const auto want = [&](Metric m, bool needed) {
            const OpenTable* table = needed ? t->table(m) : nullptr;
            if (!table) return;
            const std::uint32_t block = table->block_of(index);
            if (!set.cache().contains(table->key(block)) && hinted.insert(table->key(block)).second)
                table->reader().prefetch(block);
        };
        want(Metric::wdl, true);
        want(Metric::dtz, wanted.dtz || (t->limit > 0 && depths));
        want(Metric::dte, wanted.dte);
    };
    if (!expanded(set, p)) return hint(p, p.counter > 0);
    auto visit = [&](const Position& child) { hint(child, true); };
    visit_turns(set.rules(), p, visit);
}

std::vector<std::size_t> probing_order(const TableSet& set, const std::vector<Position>& positions) {
    struct Key {
        std::uint64_t subspace, index;
        auto operator<=>(const Key&) const = default;
    };
    std::vector<Key> keys(positions.size());
    for (std::size_t i = 0; i < positions.size(); ++i) {
        const Subspace s = subspace_of(positions[i]);
        keys[i].subspace = std::uint64_t{s.own} << 24 | std::uint64_t{s.opp} << 16 |
                           std::uint64_t{s.own_reserve} << 8 | s.opp_reserve;
        const auto [own, opp] = sides(positions[i]);
        if (const SubspaceTables* t = set.find(s); t) keys[i].index = t->index.index(own, opp);
    }
    std::vector<std::size_t> order(positions.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return std::tie(keys[a], a) < std::tie(keys[b], b); });
    return order;
}

} // namespace mill

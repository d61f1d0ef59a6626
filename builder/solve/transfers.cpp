#include "builder/solve/transfers.h"

#include "rules/error.h"

#include <algorithm>
#include <array>
#include <bit>

namespace mill::builder {

namespace {

/// Values as numbers that compare: wins by distance down, 0 for draws, losses by distance up.
constexpr int kWon = 0x10000;
constexpr int kUnknown = -kWon - 1; ///< less than any
constexpr int score_of(Value v) {
    return v.outcome == Outcome::win ? kWon - v.dte : v.outcome == Outcome::loss ? v.dte - kWon : 0;
}
constexpr Value value_of(int score) {
    if (score == 0) return {};
    return score > 0 ? Value{Outcome::win, static_cast<std::uint16_t>(kWon - score)}
                     : Value{Outcome::loss, static_cast<std::uint16_t>(score + kWon)};
}
/// Score of a turn from that of the position that it leads to.
constexpr int turned(int child, int ply) { return child > 0 ? ply - child : child < 0 ? -child - ply : 0; }
/// The least score of a child whose turn is worth no more than `goal`: turned(c) <= goal where c >= it.
constexpr int refuting(int goal, int ply) { return goal > 0 ? -goal - ply : goal < 0 ? ply - goal : 0; }
static_assert(turned(refuting(kWon - 7, 1), 1) == kWon - 7 && turned(refuting(9 - kWon, 1), 1) == 9 - kWon);

} // namespace

/// A position in which the side that waits is restricted; budget as in MemoryTable::at().
struct TransferEvaluator::Restricted {
    Subspace subspace;
    Stones own, opp;
    Restriction restriction; ///< of the side that waits
    int budget;
};

TransferEvaluator::TransferEvaluator(const Ruleset& rules, Subspace s, TableSource source, bool distances)
    : rules_(rules), values_(dependencies(rules, s), std::move(source)), ply_(distances ? 1 : 0),
      short_limit_((rules.quiet_limit > 0 && rules.quiet_limit <= 2) ||
                   (rules.endgame_limit > 0 && rules.endgame_limit <= 2)),
      classes_(kSubspaceNumbers) {
    if (rules.mill_return == MillReturn::free) return;
    for (const Subspace d : dependencies(rules, s))
        classes_[number_of(d)] = std::make_unique<TurnClasses>(rules, d);
}

const TurnClasses& TransferEvaluator::turns(Subspace s) const { return *classes_[number_of(s)]; }

int TransferEvaluator::stored(Subspace s, Stones own, Stones opp, int budget) const {
    return score_of(values_.value(s, own, opp, budget));
}

Value TransferEvaluator::best(Subspace s, Stones own, Stones opp, int from, int to, int budget) const {
    // Where the plies searched can reach the limit, a last ply that blocks would need a look of its own.
    if (opp == 0 || short_limit_) return best_by_rules(s, own, opp, from, to, budget);
    const Subspace child{static_cast<std::uint8_t>(s.opp - 1), s.own, s.opp_reserve, s.own_reserve};
    const Stones after = (own & ~bit(from)) | bit(to);
    const int limit = turns(child).limit;
    // Without the restriction the mover can do no worse: the best bounds first.
    struct Capture {
        int unrestricted;
        Stones left;
    };
    std::array<Capture, 12> captures;
    std::size_t n = 0;
    for (Stones rest = capturable(rules_.geo(), opp); rest; rest &= rest - 1) {
        const Stones left = opp & ~(rest & (~rest + 1));
        captures[n++] = {stored(child, left, after, 0), left};
    }
    std::sort(captures.begin(), captures.begin() + n,
              [](const Capture& a, const Capture& b) { return a.unrestricted < b.unrestricted; });
    const Restriction r{static_cast<std::int8_t>(from), static_cast<std::int8_t>(to)};
    int best = kUnknown;
    for (std::size_t i = 0; i < n && turned(captures[i].unrestricted, ply_) > best; ++i) {
        // Replies worth this much make the capture no better than what is known.
        const int enough = best < -kWon ? kWon + 1 : refuting(best, ply_);
        int score = captures[i].unrestricted;
        if (score < enough) score = reply({child, captures[i].left, after, r, limit}, score, enough);
        best = std::max(best, turned(score, ply_));
    }
    return value_of(best);
}

/// Value for the side to move, which is at least `least`, its value if nobody were restricted. Exact
/// unless it reaches `enough`. Turns of others than the restricted side are worth more than they would
/// be only if every good answer to them is forbidden, so one answer that is not settles a turn.
int TransferEvaluator::reply(const Restricted& p, int least, int enough) const {
    const Geometry& g = rules_.geo();
    const TurnClasses& t = turns(p.subspace);
    const Stones empty = kAllPoints & ~(p.own | p.opp);
    int best = least;
    Turn refutation{-1, -1, -1}; // what answered the last turn often answers the next

    // Whether the restriction may forbid anything once own has moved: surely not if this is false.
    auto binds = [&](Stones own, Stones opp) {
        const int at = p.restriction.from;
        if ((own | opp) & bit(at)) return false;
        if (rules_.mill_return == MillReturn::no_reverse)
            return (opp & bit(p.restriction.to)) && in_mill(g, opp & ~bit(p.restriction.to), at);
        return in_mill(g, opp, at);
    };
    auto look = [&](int from, int to, int taken, Subspace child, int budget) {
        const Stones own = (from < 0 ? p.own : p.own & ~bit(from)) | bit(to);
        const Stones opp = taken < 0 ? p.opp : p.opp & ~bit(taken);
        if (!binds(own, opp)) return;
        const bool transfers =
            from >= 0 && in_mill(g, p.own & ~bit(from), from) && in_mill(g, p.own & ~bit(from), to);
        const int goal = refuting(best, ply_);
        // What a side answers to one that is restricted as well is worth at least as much as stored.
        const int score = answer({child, opp, own, p.restriction, budget}, goal, !transfers, refutation);
        if (score >= goal) return;
        if (!transfers && score != kUnknown) {
            best = std::max(best, turned(score, ply_));
            return;
        }
        Position c = make_position(p.subspace, p.own, p.opp);
        c.restriction[1] = p.restriction;
        const Turn turn{static_cast<std::int8_t>(from), static_cast<std::int8_t>(to),
                        static_cast<std::int8_t>(taken)};
        Value v = evaluate_turn(rules_, c, turn, p.budget, values_);
        if (ply_ == 0) v.dte = 0;
        best = std::max(best, score_of(v));
    };
    auto arrive = [&](int from, int to, Stones others, const TurnClass& capture, const Subspace& quiet_child,
                      bool quiet_ends, int quiet_budget) {
        if (t.captures && in_mill(g, others, to)) {
            if (capture.kind != TurnClass::Kind::table) return; // ends the game, whatever is restricted
            const int limit = turns(capture.child).limit;
            for (Stones rest = capturable(g, p.opp); rest && best < enough; rest &= rest - 1)
                look(from, to, std::countr_zero(rest), capture.child, limit);
        } else if (!quiet_ends) look(from, to, -1, quiet_child, quiet_budget);
    };
    if (t.moves) {
        const bool last = p.budget == 1;
        for (Stones stones = p.own; stones; stones &= stones - 1) {
            const int from = std::countr_zero(stones);
            for (Stones rest = t.flies ? empty : empty & g.neighbours[static_cast<std::size_t>(from)];
                 rest && best < enough; rest &= rest - 1)
                arrive(from, std::countr_zero(rest), p.own & ~bit(from), t.move_capture,
                       p.subspace.mirrored(), last, p.budget ? p.budget - 1 : 0);
        }
    }
    if (t.places) {
        const bool open = t.place.kind == TurnClass::Kind::table;
        const bool advances = t.place_effect == PlacementEffect::advance;
        int budget = p.budget;
        if (open && t.place_effect == PlacementEffect::constant) budget = turns(t.place.child).limit;
        if (advances && budget) --budget;
        for (Stones rest = empty; rest && best < enough; rest &= rest - 1)
            arrive(-1, std::countr_zero(rest), p.own, t.place_capture, t.place.child,
                   !open || (advances && p.budget == 1), budget);
    }
    return best;
}

/// Value for the side to move, which is restricted while the other is not: exact if below `goal` and
/// `to_the_end`, else a lower bound; kUnknown (below every goal) if it has no turn. `first` is the movement to
/// look at first, and becomes the one that reached the goal.
int TransferEvaluator::answer(const Restricted& p, int goal, bool to_the_end, Turn& first) const {
    const Geometry& g = rules_.geo();
    const TurnClasses& t = turns(p.subspace);
    const Stones empty = kAllPoints & ~(p.own | p.opp);
    int best = kUnknown;
    std::array<Turn, 64> transfers; // looked at last: they restrict anew
    std::size_t transfer_count = 0;

    Position q = make_position(p.subspace, p.own, p.opp);
    q.restriction[0] = p.restriction;
    auto forbids = [&](int from, int to) {
        return to == p.restriction.from &&
               forbidden(rules_, q, {static_cast<std::int8_t>(from), static_cast<std::int8_t>(to), -1});
    };
    auto take = [&](int score) { best = std::max(best, score); };
    auto captures = [&](const TurnClass& turn, Stones after) {
        if (turn.kind == TurnClass::Kind::wins) take(kWon - ply_);
        if (turn.kind == TurnClass::Kind::loses) take(ply_ - kWon);
        if (turn.kind != TurnClass::Kind::table) return;
        for (Stones rest = capturable(g, p.opp); rest && best < goal; rest &= rest - 1)
            take(turned(stored(turn.child, p.opp & ~(rest & (~rest + 1)), after, 0), ply_));
    };

    if (t.moves) {
        const MemoryTable& quiet = values_.table(p.subspace.mirrored());
        const SubspaceIndex::Row row = quiet.index.row(p.opp);
        const int budget = p.budget ? p.budget - 1 : 0;
        auto destinations = [&](int from) {
            return t.flies ? empty : empty & g.neighbours[static_cast<std::size_t>(from)];
        };
        auto move = [&](int from, int to, bool leaves) {
            if (forbids(from, to)) return;
            const Stones others = p.own & ~bit(from), after = others | bit(to);
            if (in_mill(g, others, to)) {
                if (leaves) { // at most 48: five stones or more do not fly
                    transfers[transfer_count++] = {static_cast<std::int8_t>(from),
                                                   static_cast<std::int8_t>(to), -1};
                    return;
                }
                if (t.captures) return captures(t.move_capture, after);
            }
            take(p.budget == 1 ? 0 : turned(score_of(quiet.at(quiet.index.index(row, after), budget)), ply_));
        };
        if (first.from >= 0 && (p.own & bit(first.from)) && (destinations(first.from) & bit(first.to))) {
            move(first.from, first.to, in_mill(g, p.own & ~bit(first.from), first.from));
            if (best >= goal) return best;
            transfer_count = 0; // it comes again
        }
        for (Stones stones = p.own; stones; stones &= stones - 1) {
            const int from = std::countr_zero(stones);
            const bool leaves = in_mill(g, p.own & ~bit(from), from);
            for (Stones rest = destinations(from); rest; rest &= rest - 1) {
                const int to = std::countr_zero(rest);
                move(from, to, leaves);
                if (best < goal) continue;
                first = {static_cast<std::int8_t>(from), static_cast<std::int8_t>(to), -1};
                return best;
            }
        }
    }
    if (t.places)
        for (Stones rest = empty; rest; rest &= rest - 1) {
            const int to = std::countr_zero(rest);
            if (forbids(-1, to)) continue;
            const Stones after = p.own | bit(to);
            if (t.captures && in_mill(g, p.own, to)) captures(t.place_capture, after);
            else if (t.place.kind == TurnClass::Kind::wins) take(kWon - ply_);
            else if (t.place.kind == TurnClass::Kind::loses) take(ply_ - kWon);
            else if (t.place_effect == PlacementEffect::advance && p.budget == 1) take(0);
            else {
                const int budget = t.place_effect == PlacementEffect::constant ? turns(t.place.child).limit
                                   : t.place_effect == PlacementEffect::advance && p.budget ? p.budget - 1
                                                                                            : p.budget;
                take(turned(stored(t.place.child, p.opp, after, budget), ply_));
            }
            if (best >= goal) return best;
        }
    if (!to_the_end) return best;
    for (std::size_t i = 0; i < transfer_count; ++i) {
        const int from = transfers[i].from, to = transfers[i].to;
        const Stones after = (p.own & ~bit(from)) | bit(to);
        if (t.captures && t.move_capture.kind != TurnClass::Kind::table) {
            captures(t.move_capture, after);
            continue;
        }
        Value v;
        if (t.captures) v = this->best(p.subspace, p.own, p.opp, from, to, p.budget);
        else v = best_by_rules(p.subspace, p.own, p.opp, from, to, p.budget);
        if (ply_ == 0) v.dte = 0;
        take(score_of(v));
        if (best >= goal) return best;
    }
    return best;
}

Value TransferEvaluator::best_by_rules(Subspace s, Stones own, Stones opp, int from, int to,
                                       int budget) const {
    const Position p = make_position(s, own, opp);
    Turn t{static_cast<std::int8_t>(from), static_cast<std::int8_t>(to), -1};
    if (opp == 0) return evaluate_turn(rules_, p, t, budget, values_);
    Value best{Outcome::loss, 0};
    bool first = true;
    for (Stones rest = capturable(rules_.geo(), opp); rest; rest &= rest - 1) {
        t.capture = static_cast<std::int8_t>(std::countr_zero(rest));
        const Value v = evaluate_turn(rules_, p, t, budget, values_);
        if (first || better(v, best)) best = v;
        first = false;
    }
    return best;
}

} // namespace mill::builder

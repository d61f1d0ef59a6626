#include "probe/index/turn_classes.h"

#include <algorithm>
#include <set>

namespace mill {

namespace {

TurnClass classify(const Ruleset& rules, Subspace child) {
    TurnClass c;
    c.child = child;
    switch (state_of(rules, child)) {
    case SubspaceState::own_lost:
    case SubspaceState::both_lost: c.kind = TurnClass::Kind::wins; break; // the opponent is judged first
    case SubspaceState::opp_lost: c.kind = TurnClass::Kind::loses; break;
    case SubspaceState::open: c.kind = TurnClass::Kind::table; break;
    }
    return c;
}

std::uint8_t less(std::uint8_t v) { return static_cast<std::uint8_t>(v - 1); }
std::uint8_t more(std::uint8_t v) { return static_cast<std::uint8_t>(v + 1); }

} // namespace

TurnClasses::TurnClasses(const Ruleset& rules, Subspace s) : subspace(s) {
    limit = rules.limit(s.own, s.opp, s.own_reserve, s.opp_reserve);
    captures = s.opp > 0;
    moves = s.own > 0 && rules.may_move(s.own_reserve, s.opp_reserve);
    flies = moves && rules.flies(s.own, s.own_reserve);
    places = s.own_reserve > 0;
    full_board_draw = rules.full_board == FullBoard::draw && s.own + s.opp == kPoints;
    if (moves && captures && s.own >= 3)
        move_capture = classify(rules, {less(s.opp), s.own, s.opp_reserve, s.own_reserve});
    if (places) {
        const Subspace child{s.opp, more(s.own), s.opp_reserve, less(s.own_reserve)};
        place = classify(rules, child);
        if (captures && s.own >= 2)
            place_capture = classify(rules, {less(s.opp), more(s.own), s.opp_reserve, less(s.own_reserve)});
        if (rules.quiet_reset == QuietReset::placement_and_capture ||
            rules.in_endgame(child.own, child.opp, child.own_reserve, child.opp_reserve))
            place_effect = PlacementEffect::constant;
        else place_effect = rules.placement_counts ? PlacementEffect::advance : PlacementEffect::keep;
    }
    // A transfer takes three stones of the old mill (one of which moves) and two more of the new one.
    transfers = rules.mill_return != MillReturn::free && moves && s.own >= 5 &&
                (!captures || move_capture.kind == TurnClass::Kind::table);
}

bool TurnClasses::reads_depths() const {
    return limit > 0 && (moves || (places && place_effect != PlacementEffect::constant));
}

std::vector<Subspace> TurnClasses::children() const {
    std::vector<Subspace> out;
    for (const TurnClass* c : {&move_capture, &place, &place_capture})
        if (c->kind == TurnClass::Kind::table && std::find(out.begin(), out.end(), c->child) == out.end())
            out.push_back(c->child);
    return out;
}

std::vector<Subspace> solve_group(const Ruleset& rules, Subspace s) {
    const Subspace m = s.mirrored();
    if (m == s || !(TurnClasses(rules, s).moves || TurnClasses(rules, m).moves)) return {s};
    return {std::min(s, m), std::max(s, m)};
}

std::vector<Subspace> dependencies(const Ruleset& rules, Subspace s) {
    std::set<Subspace> needed;
    // What the evaluation of restricted positions reads: a restriction lives for two plies, and a
    // restricted turn may transfer again, which restricts anew after one more capture. So every
    // descendant by captures can be read, as long as a side with five stones is there to transfer.
    std::set<Subspace> expanded;
    auto expand = [&](auto&& self, Subspace p) -> void {
        if (!expanded.insert(p).second) return;
        needed.insert(p);
        const TurnClasses t(rules, p);
        std::vector<Subspace> next = t.children();
        if (t.moves) next.push_back(p.mirrored());
        for (const Subspace c : next) {
            needed.insert(c);
            self(self, c);
        }
    };
    const std::vector<Subspace> group = solve_group(rules, s);
    for (const Subspace side : group) {
        const TurnClasses t(rules, side);
        for (const Subspace c : t.children()) needed.insert(c);
        if (t.transfers) {
            if (t.move_capture.kind == TurnClass::Kind::table) expand(expand, t.move_capture.child);
            if (!t.captures) expand(expand, side.mirrored());
        }
    }
    for (const Subspace side : group) needed.erase(side);
    return {needed.begin(), needed.end()};
}

} // namespace mill

#include "probe/index/subspace.h"

#include "rules/error.h"

#include <charconv>

namespace mill {

std::string to_text(Subspace s) {
    return std::to_string(s.own) + "-" + std::to_string(s.opp) + "+" + std::to_string(s.own_reserve) + "-" +
           std::to_string(s.opp_reserve);
}

Subspace parse_subspace(std::string_view text) {
    const char* at = text.data();
    const char* const end = at + text.size();
    bool good = true;
    auto number = [&] {
        unsigned v = 99;
        const auto [next, error] = std::from_chars(at, end, v);
        good = good && error == std::errc{} && v <= 12;
        at = next;
        return static_cast<std::uint8_t>(v);
    };
    auto sign = [&](char c) {
        good = good && at != end && *at == c;
        if (good) ++at;
    };
    Subspace s;
    s.own = number();
    sign('-');
    s.opp = number();
    if (good && at != end) {
        sign('+');
        s.own_reserve = number();
        sign('-');
        s.opp_reserve = number();
    }
    if (!good || at != end)
        throw Error(ErrorCode::bad_argument, "subspace '" + std::string(text) +
                                                 "': expected own-opp+ownReserve-oppReserve such as 5-4+0-0, "
                                                 "each number 0 to 12");
    return s;
}

Subspace subspace_of(const Position& p) {
    const auto us = static_cast<std::size_t>(p.us()), them = static_cast<std::size_t>(p.them());
    return {static_cast<std::uint8_t>(count(p.stones[us])), static_cast<std::uint8_t>(count(p.stones[them])),
            p.reserve[us], p.reserve[them]};
}

Position make_position(Subspace s, Stones own, Stones opp) {
    Position p;
    p.stones = {own, opp};
    p.reserve = {s.own_reserve, s.opp_reserve};
    return p;
}

SubspaceState state_of(const Ruleset& rules, Subspace s) {
    const bool own = rules.has_too_few(s.own, s.own_reserve, s.opp_reserve);
    const bool opp = rules.has_too_few(s.opp, s.opp_reserve, s.own_reserve);
    if (own && opp) return SubspaceState::both_lost;
    return own ? SubspaceState::own_lost : opp ? SubspaceState::opp_lost : SubspaceState::open;
}

bool can_exist(const Ruleset& rules, Subspace s) {
    if (s.own + s.own_reserve > rules.pieces || s.opp + s.opp_reserve > rules.pieces) return false;
    if (rules.movement == Movement::after_placing && s.own_reserve != s.opp_reserve &&
        s.own_reserve != s.opp_reserve + 1)
        return false;
    return state_of(rules, s) != SubspaceState::both_lost;
}

} // namespace mill

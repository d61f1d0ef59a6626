// libFuzzer target: text of positions, turns and rulesets. The first byte chooses what is read. Whatever
// is accepted must be writable and readable again, and its turns must be playable.
#include "rules/error.h"
#include "rules/game.h"
#include "rules/text.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <vector>

namespace {

using namespace mill;

void require(bool holds) {
    if (!holds) std::abort();
}

const std::vector<Ruleset>& rulesets() {
    static const std::vector<Ruleset> all = [] {
        std::vector<Ruleset> loaded;
        for (const std::string& name : preset_names()) loaded.push_back(load_ruleset(name));
        Ruleset free_mix = load_ruleset("lg10"); // the corners that no preset has
        free_mix.set("mill_return=no-reform");
        free_mix.set("flying=three-in-total");
        free_mix.set("too_few=after-placing");
        loaded.push_back(free_mix);
        return loaded;
    }();
    return all;
}

void try_position(const Ruleset& rules, std::string_view text) {
    const Position p = parse_position(rules, text);
    require(parse_position(rules, to_text(p)) == p);
    draw_board(rules, p);
    TurnList turns;
    generate_turns(rules, p, turns);
    require(count_turns(rules, p) == turns.size());
    for (const Turn t : turns) {
        require(parse_turn(to_text(t)) == t);
        judge(rules, apply_turn(rules, p, t));
    }
    Game game(rules, p);
    if (game.result() == Result::open && !turns.empty()) game.play(turns[0]);
}

// A turn that parses is given to a game: it is played or refused with a reason.
void try_turn(const Ruleset& rules, std::string_view text) {
    const Turn t = parse_turn(text);
    require(to_text(t) == text);
    Game game(rules);
    game.play(t);
}

void try_ruleset(std::string_view text) {
    const Ruleset rules = parse_ruleset(text, "fuzz");
    require(parse_ruleset(rules.to_ini(), "again") == rules);
    rules.folder_name();
    Game game(rules);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
    // Letters from 'a' choose a ruleset for a position, from 'A' for a turn; anything else reads a ruleset.
    const std::size_t n = rulesets().size();
    try {
        if (data[0] >= 'a' && data[0] < 'a' + n) try_position(rulesets()[data[0] - std::size_t{'a'}], text);
        else if (data[0] >= 'A' && data[0] < 'A' + n) try_turn(rulesets()[data[0] - std::size_t{'A'}], text);
        else try_ruleset(text);
    } catch (const Error&) {
        // refusing is fine; crashing is not
    }
    return 0;
}

// The generator against a second one that shares nothing with it, on random positions of every preset.
#include "rules/error.h"
#include "rules/text.h"
#include "tests/rules/naive_generator.h"
#include "tests/rules/random_positions.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <tuple>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define MILL_SANITIZED
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define MILL_SANITIZED
#endif
#endif

namespace mill {
namespace {

using testing::Random;

/// A million positions per preset where the build is fast, fewer where checks slow it down;
/// MILL_RANDOM_POSITIONS overrides.
int positions_per_ruleset() {
    if (const char* asked = std::getenv("MILL_RANDOM_POSITIONS")) return std::atoi(asked);
#if defined(MILL_SANITIZED)
    return 10'000;
#elif defined(NDEBUG)
    return 1'000'000;
#else
    return 50'000;
#endif
}

bool before(Turn a, Turn b) {
    return std::tuple(a.from, a.to, a.capture) < std::tuple(b.from, b.to, b.capture);
}

/// Empty if both generators agree about the position and about what one random turn leads to.
std::string disagreement(const Ruleset& rules, const Position& p, Random& random) {
    TurnList turns;
    generate_turns(rules, p, turns);
    std::vector<Turn> mine(turns.begin(), turns.end()), other = naive::turns(rules, p);
    std::sort(mine.begin(), mine.end(), before);
    std::sort(other.begin(), other.end(), before);
    if (mine != other) return std::to_string(mine.size()) + " turns, naive " + std::to_string(other.size());
    if (count_turns(rules, p) != turns.size()) return "count_turns " + std::to_string(count_turns(rules, p));
    if (turns.empty()) return {};
    const Turn t = testing::random_turn(turns, random);
    const Position next = naive::play(rules, p, t);
    const Position ours = apply_turn(rules, p, t);
    if (ours != next) return to_text(t) + " leads to " + to_text(ours) + ", naive " + to_text(next);
    return {};
}

void compare(const Ruleset& rules) {
    Random random(20240607);
    int restricted = 0;
    const int positions = positions_per_ruleset();
    for (int i = 0; i < positions; ++i) {
        const Position p = testing::random_position(rules, random);
        restricted += p.restriction[static_cast<std::size_t>(p.us())].active();
        const std::string wrong = disagreement(rules, p, random);
        ASSERT_EQ(wrong, "") << to_text(p);
    }
    if (rules.mill_return != MillReturn::free) {
        EXPECT_GT(restricted, positions / 1000);
    }
}

class EveryPreset : public ::testing::TestWithParam<std::string> {};

TEST_P(EveryPreset, GeneratesWhatTheNaiveGeneratorDoes) { compare(load_ruleset(GetParam())); }

// Positions as they come up in play, where restrictions arise and lapse by themselves.
TEST_P(EveryPreset, AgreesWithTheNaiveGeneratorAlongRandomGames) {
    const Ruleset rules = load_ruleset(GetParam());
    Random random(7);
    for (int game = 0; game < 200; ++game) {
        Position p = initial_position(rules);
        for (int ply = 0; ply < 120; ++ply) {
            ASSERT_EQ(disagreement(rules, p, random), "") << to_text(p);
            TurnList turns;
            generate_turns(rules, p, turns);
            if (turns.empty()) break;
            p = apply_turn(rules, p, testing::random_turn(turns, random));
        }
    }
}

TEST_P(EveryPreset, WritesPositionsThatItReadsBack) {
    const Ruleset rules = load_ruleset(GetParam());
    Random random(11);
    for (int i = 0; i < 5'000; ++i) {
        Position p = testing::random_position(rules, random);
        if (draw_limit(rules, p) == 0) p.counter = 0;
        ASSERT_EQ(parse_position(rules, to_text(p)), p) << to_text(p);
        TurnList turns;
        generate_turns(rules, p, turns);
        for (const Turn t : turns) ASSERT_EQ(parse_turn(to_text(t)), t) << to_text(t);
    }
}

/// A restriction of the side that has just moved, with its stone on `to` and `from` empty as it must be.
Position with_pending_restriction(const Ruleset& rules, Random& random) {
    while (true) {
        Position p = testing::random_position(rules, random);
        const auto them = static_cast<std::size_t>(p.them());
        const Stones own = p.stones[them], empty = kAllPoints & ~p.occupied();
        const bool placing =
            rules.movement == Movement::after_placing && (p.reserve[0] > 0 || p.reserve[1] > 0);
        if (own == 0 || empty == 0 || placing) continue;
        const auto pick = [&](Stones among) {
            for (auto skip = random() % static_cast<std::uint64_t>(count(among)); skip > 0; --skip)
                among &= among - 1;
            return static_cast<std::int8_t>(std::countr_zero(among));
        };
        p.restriction[them] = {pick(empty), pick(own)};
        return p;
    }
}

// Dropping what can never bind must not change what is legal after any reply.
class RestrictedPreset : public ::testing::TestWithParam<std::string> {};

TEST_P(RestrictedPreset, DropsOnlyRestrictionsThatNeverBind) {
    const Ruleset rules = load_ruleset(GetParam());
    Random random(5);
    int kept = 0;
    const int positions = positions_per_ruleset() / 50;
    for (int i = 0; i < positions; ++i) {
        const Position p = with_pending_restriction(rules, random);
        const Position dropped = drop_dead_restrictions(rules, p);
        kept += dropped.restriction[static_cast<std::size_t>(p.them())].active();
        TurnList turns;
        generate_turns(rules, p, turns);
        for (const Turn t : turns) {
            Position reply = naive::play(rules, p, t);
            ASSERT_EQ(naive::turns(rules, reply), naive::turns(rules, apply_turn(rules, dropped, t)))
                << to_text(p) << " " << to_text(t);
        }
    }
    EXPECT_GT(kept, positions / 200);
}

std::string test_name(const ::testing::TestParamInfo<std::string>& test) {
    std::string name = test.param;
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
}

INSTANTIATE_TEST_SUITE_P(Rules, EveryPreset, ::testing::ValuesIn(preset_names()), test_name);
INSTANTIATE_TEST_SUITE_P(Rules, RestrictedPreset, ::testing::Values("lg12", "twelve-tournament"), test_name);

// No preset has these; small games are built with --set, and the pieces must fit together.
TEST(OtherRulesets, GenerateWhatTheNaiveGeneratorDoes) {
    for (const char* movement : {"after-placing", "anytime"})
        for (const char* flying : {"off", "three-on-board", "three-in-total"})
            for (const char* mill_return : {"no-reverse", "no-reform"})
                for (const char* board : {"plain", "diagonal"}) {
                    Ruleset rules = load_ruleset("lg9");
                    rules.set("movement", movement);
                    rules.set("flying", flying);
                    rules.set("mill_return", mill_return);
                    rules.set("board", board);
                    rules.set("too_few", "after-placing");
                    Random random(3);
                    const int positions = positions_per_ruleset() / 100;
                    for (int i = 0; i < positions; ++i) {
                        const Position p = testing::random_position(rules, random);
                        ASSERT_EQ(disagreement(rules, p, random), "") << rules.to_ini() << to_text(p);
                    }
                }
}

} // namespace
} // namespace mill

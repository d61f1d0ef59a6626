// Placing, moving and flying.
#include "tests/rules/set_up.h"

#include <gtest/gtest.h>

namespace mill {
namespace {

using testing::is_legal, testing::legal, testing::set_up;

Ruleset with(const char* preset, const char* assignment) {
    Ruleset rules = load_ruleset(preset);
    rules.set(assignment);
    return rules;
}

const Ruleset lg9 = load_ruleset("lg9");
const Ruleset lg10 = load_ruleset("lg10");
const Ruleset solved10 = load_ruleset("solved10");

// GameFinder: "already placed counters do not move during this stage".
TEST(Movement, StonesDoNotMoveWhilePlacing) {
    for (const char* name : {"lg9", "lg12", "app9", "twelve", "gf9", "solved9", "solved12"})
        EXPECT_TRUE(legal(load_ruleset(name), set_up(Color::white, "a7 f4", "d5 g1", 3, 3), "a7-").empty())
            << name;
}

// Little Golem on Lasker Morris: every turn may place or move; "there is no separate placement phase".
TEST(Movement, LaskerStonesMoveFromTheStart) {
    const Position p = set_up(Color::white, "a7", "d5", 9, 9);
    EXPECT_EQ(legal(lg10, p, "a7-"), (std::set<std::string>{"a7-a4", "a7-d7"}));
    EXPECT_TRUE(is_legal(lg10, p, "g1"));
}

// Little Golem: "A player with exactly three stones may instead fly to any vacant point."
TEST(Flying, OnlyWithExactlyThreeStones) {
    const Position three = set_up(Color::white, "a7 f4 c3", "d5 g1 b2 e3");
    EXPECT_TRUE(is_legal(lg9, three, "a7-g4"));
    EXPECT_EQ(legal(lg9, three, "a7-").size(), 24u - 7u);
    const Position four = set_up(Color::white, "a7 f4 c3 d1", "d5 g1 b2 e3");
    EXPECT_FALSE(is_legal(lg9, four, "a7-g4"));
}

// Rulebook: against more than three men "only the player with three men is allowed to fly".
TEST(Flying, OnlyForTheSideWithThree) {
    const Ruleset twelve = load_ruleset("twelve");
    EXPECT_FALSE(is_legal(twelve, set_up(Color::black, "a7 f4 c3", "d5 g1 b2 e4"), "d5-g4"));
    EXPECT_TRUE(is_legal(twelve, set_up(Color::black, "a7 f4 c3", "d5 g1 b2"), "d5-g4"));
}

// Little Golem on Lasker Morris: flying needs "your own reserve is empty", though the opponent's need not be.
TEST(Flying, ALaskerSideWithAStoneInHandDoesNotFly) {
    EXPECT_FALSE(is_legal(lg10, set_up(Color::white, "a7 f4 c3", "d5 g1 b2 e3", 1, 0), "a7-g4"));
    EXPECT_TRUE(is_legal(lg10, set_up(Color::white, "a7 f4 c3", "d5 g1 b2 e3", 0, 4), "a7-g4"));
}

// The published solutions count board and hand together: two on the board and one in hand fly.
TEST(Flying, TwoOnTheBoardAndOneInHandFlyOnlyUnderThreeInTotal) {
    const Position p = set_up(Color::white, "a7 f4", "d5 g1 b2 e3", 1, 0);
    EXPECT_FALSE(is_legal(lg10, p, "a7-g4"));
    EXPECT_TRUE(is_legal(solved10, p, "a7-g4"));
    EXPECT_TRUE(is_legal(solved10, p, "g4"));
    // Three on the board and one in hand are four in total.
    EXPECT_FALSE(is_legal(solved10, set_up(Color::white, "a7 f4 c3", "d5 g1 b2 e3", 1, 0), "a7-g4"));
}

// The app: flying "is on by default and can be turned off".
TEST(Flying, CanBeTurnedOff) {
    const Position p = set_up(Color::white, "a7 f4 c3", "d5 g1 b2 e3");
    EXPECT_TRUE(is_legal(load_ruleset("app9"), p, "a7-g4"));
    EXPECT_FALSE(is_legal(with("app9", "flying=off"), p, "a7-g4"));
    EXPECT_TRUE(is_legal(with("app9", "flying=off"), p, "a7-a4"));
}

// Little Golem: White starts in 9 and 10, "Dark starts" in Morabaraba.
TEST(Start, TheRightSideBegins) {
    EXPECT_EQ(to_text(initial_position(lg9)), "3/3/3/6/3/3/3 w 9,9 - 0");
    EXPECT_EQ(to_text(initial_position(lg10)), "3/3/3/6/3/3/3 w 10,10 - 0");
    EXPECT_EQ(to_text(initial_position(load_ruleset("lg12"))), "3/3/3/6/3/3/3 b 12,12 - 0");
    EXPECT_EQ(to_text(initial_position(load_ruleset("app3"))), "3/3/3/6/3/3/3 w 3,3 - 0");
}

} // namespace
} // namespace mill

// Mills and what they take. Each test cites the rule that it checks.
#include "tests/rules/set_up.h"

#include <gtest/gtest.h>

namespace mill {
namespace {

using testing::after, testing::legal, testing::set_up;
using Texts = std::set<std::string>;

const Ruleset lg9 = load_ruleset("lg9");
const Ruleset lg12 = load_ruleset("lg12");
const Ruleset app9 = load_ruleset("app9");
const Ruleset gf9 = load_ruleset("gf9");

// Little Golem: "Even if the action completes two mills, it earns only one capture."
TEST(Captures, ADoubleMillTakesOneStone) {
    const Position p = set_up(Color::white, "d7 d5 b6 f6", "a1 a4 g1 g4", 5, 5);
    EXPECT_EQ(legal(lg9, p, "d6"), (Texts{"d6xa1", "d6xa4", "d6xg1", "d6xg4"}));
    EXPECT_EQ(count(after(lg9, p, "d6xa1").stones[1]), 3);
}

// Little Golem: choose a stone outside opposing mills whenever there is one.
TEST(Captures, StonesInMillsAreProtectedWhileOneStandsOutside) {
    const Position p = set_up(Color::white, "d7 g7", "a1 d1 g1 b4", 5, 5);
    EXPECT_EQ(legal(lg9, p, "a7"), (Texts{"a7xb4"}));
}

// Little Golem: with every opposing stone in a mill, "any opposing stone may be removed".
TEST(Captures, AnyStoneMayGoIfAllAreInMills) {
    const Position p = set_up(Color::white, "d7 g7", "a1 d1 g1 g4 e4 f4", 3, 3);
    EXPECT_EQ(legal(lg9, p, "a7"), (Texts{"a7xa1", "a7xd1", "a7xe4", "a7xf4", "a7xg1", "a7xg4"}));
}

// Little Golem: a mill by "a placement or movement" is paid in the same turn; it must be.
TEST(Captures, PlacementsAndMovementsCompleteMills) {
    const Position placing = set_up(Color::white, "d7 g7", "a1 d2 e3", 4, 4);
    EXPECT_EQ(legal(lg9, placing, "a7"), (Texts{"a7xa1", "a7xd2", "a7xe3"}));
    const Position moving = set_up(Color::white, "d7 g7 a4 f2", "a1 d2 e3 g1");
    EXPECT_EQ(legal(lg9, moving, "a4-a7"), (Texts{"a4-a7xa1", "a4-a7xd2", "a4-a7xe3", "a4-a7xg1"}));
}

// GameFinder: three in a row count only on a line that is drawn: a7-b6-c5 "is not a mill on our board".
TEST(Captures, DiagonalsAreLinesOnTheDiagonalBoardOnly) {
    const Position p = set_up(Color::white, "a7 b6", "d1 g4 f4", 5, 5);
    EXPECT_EQ(legal(gf9, p, "c5"), (Texts{"c5"}));
    EXPECT_EQ(legal(lg12, p, "c5"), (Texts{"c5xd1", "c5xf4", "c5xg4"}));
}

// The app: "a mill is closed by the piece that arrives", so other moves beside a standing mill take nothing.
TEST(Captures, LeavingAMillOrMovingBesideOneTakesNothing) {
    const Position p = set_up(Color::white, "a7 d7 g7 f2", "a1 c3 e4 d5");
    EXPECT_EQ(legal(app9, p, "a7-"), (Texts{"a7-a4"}));
    EXPECT_EQ(legal(app9, p, "f2-f4"), (Texts{"f2-f4"}));
}

// The app: moving back in "closes the mill again and takes another piece".
TEST(Captures, AMillIsOpenedAndClosedAgainWhereMillReturnIsFree) {
    Game game(app9, set_up(Color::white, "a7 d7 g7 f2", "a1 c3 e4 d5 g1"));
    testing::play(game, {"a7-a4", "e4-e5", "a4-a7xa1", "e5-e4", "a7-a4", "e4-e5"});
    EXPECT_NO_THROW(game.play(parse_turn("a4-a7xc3")));
}

// The app: "if the point you left is part of the line you have just completed, it is not a mill".
TEST(Captures, SlidingAlongALineNeverCompletesIt) {
    const Position step = set_up(Color::white, "a7 d7 b2 f4", "a1 c3 e4 d5");
    EXPECT_EQ(legal(app9, step, "d7-g7"), (Texts{"d7-g7"}));
    const Position flight = set_up(Color::white, "a7 d7 f4", "a1 c3 e4 d5");
    EXPECT_EQ(legal(app9, flight, "a7-g7"), (Texts{"a7-g7"}));
}

// The app: where nothing is left to take, "the mill simply goes unpaid"; the turn is complete.
TEST(Captures, AMillGoesUnpaidWithoutAnOpposingStone) {
    for (const Ruleset* rules : {&lg9, &lg12, &app9, &gf9}) {
        const Position p = set_up(Color::white, "a7 d7", "", 5, 5);
        EXPECT_EQ(legal(*rules, p, "g7"), (Texts{"g7"}));
        const Position next = after(*rules, p, "g7");
        EXPECT_EQ(next.side, Color::black);
        EXPECT_EQ(judge(*rules, next).reason, Reason::none);
    }
}

// Little Golem: placement and required capture are one completed turn; only then do stones start to move.
TEST(Captures, AMillOnTheLastPlacementCapturesBeforeThePhaseChanges) {
    const Position p = set_up(Color::black, "a7 d7 b4 f4 c3", "a1 d1 b2 e5", 0, 1);
    EXPECT_EQ(legal(lg9, p, "g1"), (Texts{"g1xa7", "g1xb4", "g1xc3", "g1xd7", "g1xf4"}));
    const Position next = after(lg9, p, "g1xf4");
    EXPECT_EQ(next.reserve, (std::array<std::uint8_t, 2>{0, 0}));
    EXPECT_EQ(next.stones[0], testing::stones("a7 d7 b4 c3"));
    for (const std::string& turn : legal(lg9, next)) EXPECT_NE(turn.find('-'), std::string::npos) << turn;
}

// Little Golem: "Captured stones never return to the reserve."
TEST(Captures, CapturedStonesAreGone) {
    const Position p = set_up(Color::white, "d7 g7", "a1 d2 e3", 4, 4);
    const Position next = after(lg9, p, "a7xd2");
    EXPECT_EQ(next.reserve, (std::array<std::uint8_t, 2>{3, 4}));
    EXPECT_EQ(next.stones[1], testing::stones("a1 e3"));
}

} // namespace
} // namespace mill

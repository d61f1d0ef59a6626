// Mill return. Little Golem's Morabaraba (no-reverse): after a transfer from one mill into another "you may
// not immediately reverse that transfer on your next turn to form a mill again". The rulebook's tournament
// rule (no-reform): a mill broken to form a new one "can't be formed again on the next move".
#include "tests/rules/set_up.h"

#include <gtest/gtest.h>

namespace mill {
namespace {

using testing::after, testing::is_legal, testing::legal, testing::play, testing::set_up, testing::transfer;
using Texts = std::set<std::string>;

const Ruleset lg12 = load_ruleset("lg12");
const Ruleset tournament = load_ruleset("twelve-tournament");
const Ruleset twelve = load_ruleset("twelve");

// White's stone on a7 can leave the mill a7-d7-g7 for a4-b4-c4. b6 is a spare stone next to a7.
const char* const kFive = "a7 d7 g7 b4 c4";
const char* const kSix = "a7 d7 g7 b4 c4 b6";
const char* const kBlack = "d1 g1 f4 e3 b2";

TEST(MillReturn, ATransferRestrictsItsOwner) {
    const Position p = after(lg12, set_up(Color::white, kFive, kBlack), "a7-a4xb2");
    EXPECT_EQ(p.restriction[0], transfer("a7", "a4"));
    EXPECT_EQ(to_text(p), "1WW/3/3/WWW1B1/2B/3/1BB b 0,0 Wa7-a4 0");
}

TEST(MillReturn, MovingBackIntoTheMillIsForbidden) {
    for (const Ruleset* rules : {&lg12, &tournament}) {
        Game game(*rules, set_up(Color::white, kFive, kBlack));
        play(game, {"a7-a4xb2", "f4-f6"});
        EXPECT_TRUE(legal(*rules, game.position(), "a4-a7").empty());
        EXPECT_THROW(game.play(parse_turn("a4-a7xd1")), Error);
        EXPECT_TRUE(is_legal(*rules, game.position(), "a4-a1")); // every other turn stays legal
    }
    Game game(twelve, set_up(Color::white, kFive, kBlack));
    play(game, {"a7-a4xb2", "f4-f6"});
    EXPECT_TRUE(is_legal(twelve, game.position(), "a4-a7xd1"));
}

// "at five stones or more": more stones change nothing.
TEST(MillReturn, ForbiddenWithMoreThanFiveStones) {
    Game game(lg12, set_up(Color::white, "a7 d7 g7 b4 c4 e5 f2", kBlack));
    play(game, {"a7-a4xb2", "f4-f6"});
    EXPECT_TRUE(legal(lg12, game.position(), "a4-a7").empty());
}

// Little Golem "applies this restriction during flying too". By geometry a flying side cannot make a
// transfer, so this takes a set-up.
TEST(MillReturn, FlyingBackIsForbidden) {
    Position p = set_up(Color::white, "d1 d7 g7", "g1 f4 e3 b2");
    p.restriction[0] = transfer("a7", "d1");
    EXPECT_EQ(drop_dead_restrictions(lg12, p), p);
    EXPECT_TRUE(legal(lg12, p, "d1-a7").empty());
    EXPECT_TRUE(is_legal(lg12, p, "d1-a4"));
    EXPECT_TRUE(is_legal(lg12, set_up(Color::white, "d1 d7 g7", "g1 f4 e3 b2"), "d1-a7xg1"));
}

// Forbidden is only a return that forms a mill: once d7 is taken, a4-a7 is an ordinary move.
TEST(MillReturn, GoingBackIsAllowedWhenItFormsNoMill) {
    Game game(lg12, set_up(Color::white, kFive, "d1 g1 f2 e4 b2"));
    play(game, {"a7-a4xb2", "e4-e3xd7"}); // g1-f2-e3 is a diagonal mill
    EXPECT_FALSE(game.position().restriction[0].active());
    EXPECT_NE(to_text(game.position()).find(" - "), std::string::npos);
    EXPECT_TRUE(is_legal(lg12, game.position(), "a4-a7"));
}

TEST(MillReturn, AnotherStoneMayRestoreTheMillUnderNoReverseOnly) {
    const auto reply = [](const Ruleset& rules) {
        Game game(rules, set_up(Color::white, kSix, kBlack));
        play(game, {"a7-a4xb2", "f4-f6"});
        return legal(rules, game.position(), "b6-a7");
    };
    EXPECT_EQ(reply(lg12), (Texts{"b6-a7xd1", "b6-a7xe3", "b6-a7xf6", "b6-a7xg1"}));
    EXPECT_EQ(reply(tournament), Texts{});
}

// With every white stone in a mill, Black may take the very stone that was transferred.
TEST(MillReturn, CaptureOfTheStoneVoidsNoReverseAndNotNoReform) {
    const auto game_of = [](const Ruleset& rules) {
        Game game(rules, set_up(Color::white, "a7 d7 g7 b4 c4 d6 d5 g4 g1 b6 b2", "c3 d3 e4 f2 a1"));
        play(game, {"a7-a4xa1", "e4-e3xa4"});
        return game.position();
    };
    const Position no_reverse = game_of(lg12);
    EXPECT_FALSE(no_reverse.restriction[0].active());
    EXPECT_EQ(legal(lg12, no_reverse, "b6-a7"), (Texts{"b6-a7xf2"}));
    const Position no_reform = game_of(tournament);
    EXPECT_EQ(no_reform.restriction[0], transfer("a7", "a4"));
    EXPECT_EQ(legal(tournament, no_reform, "b6-a7"), Texts{});
}

// "on your next turn": after one other turn the way back is open.
TEST(MillReturn, ExpiresAfterOneTurn) {
    for (const Ruleset* rules : {&lg12, &tournament}) {
        Game game(*rules, set_up(Color::white, kSix, kBlack));
        play(game, {"a7-a4xb2", "f4-f6", "b6-d6", "f6-f4"});
        EXPECT_FALSE(game.position().restriction[0].active());
        EXPECT_TRUE(is_legal(*rules, game.position(), "a4-a7xd1"));
    }
}

// Opening a mill to no new mill, or closing one from outside any, is no transfer.
TEST(MillReturn, OnlyAMoveFromMillToMillRestricts) {
    EXPECT_FALSE(after(lg12, set_up(Color::white, kFive, kBlack), "d7-d6").restriction[0].active());
    const Position closing = set_up(Color::white, "a4 d7 g7 f2 e5", kBlack);
    EXPECT_FALSE(after(lg12, closing, "a4-a7xd1").restriction[0].active());
}

// A mill closed by a stone that came from no mill is an ordinary mill.
TEST(MillReturn, TheOldMillMustHaveBeenCompleteWithTheStone) {
    const Position p = set_up(Color::white, "a7 d7 b4 c4 f2", kBlack); // no mill at a7
    EXPECT_FALSE(after(lg12, p, "a7-a4xb2").restriction[0].active());
}

// Both sides can be restricted at once.
TEST(MillReturn, BothSidesAtOnce) {
    Position p = set_up(Color::black, "a4 b4 c4 d7 g7", "a1 d1 g1 d3 b2 f2 e5");
    p.restriction[0] = transfer("a7", "a4");
    Game both(lg12, p);
    play(both, {"d1-d2xd7"});
    EXPECT_EQ(both.position().restriction[1], transfer("d1", "d2"));
    EXPECT_FALSE(both.position().restriction[0].active()); // d7 is gone, so White's forbids nothing
    Game still(lg12, [] {
        Position q = set_up(Color::black, "a4 b4 c4 d7 g7 e4", "a1 d1 g1 d3 b2 f2 e5");
        q.restriction[0] = transfer("a7", "a4");
        return q;
    }());
    play(still, {"d1-d2xe4"});
    EXPECT_EQ(to_text(still.position()), "1WW/3/2B/WWW3/1B1/BBB/B1B w 0,0 Wa7-a4,Bd1-d2 0");
}

// "a player whose only turns are forbidden has no legal turn and has lost". Under no-reverse a partner in
// the old mill can always step to the empty point, so this needs no-reform: with two old mills through a7
// every arrival there restores one of them.
TEST(MillReturn, ASideWhoseOnlyTurnsAreForbiddenHasLost) {
    const Position p = set_up(Color::white, "a7 d7 g7 b6 c5 b4 c4", "d6 f6 d5 a1 b2 c3 f4 d1");
    Game forbidden_game(tournament, p);
    play(forbidden_game, {"a7-a4xd1", "f4-g4"});
    EXPECT_EQ(to_text(forbidden_game.result()), "black");
    EXPECT_EQ(forbidden_game.reason(), Reason::blocked);
    Game free_game(twelve, p);
    play(free_game, {"a7-a4xd1", "f4-g4"});
    EXPECT_EQ(free_game.result(), Result::open);
    EXPECT_FALSE(legal(twelve, free_game.position()).empty());
    Game reverse_game(lg12, p);
    play(reverse_game, {"a7-a4xd1", "f4-g4"});
    EXPECT_EQ(reverse_game.result(), Result::open);
    EXPECT_TRUE(is_legal(lg12, reverse_game.position(), "d7-a7xg4"));
}

// Under no-reform a line that contains the new place was not complete before, so it may be completed.
TEST(MillReturn, NoReformAllowsANewLineThroughTheOldPlace) {
    // a7 left a7-b6-c5 for a4-b4-c4. The line a7-a4-a1 holds `to`: closing it at a7 is new.
    Position p = set_up(Color::white, "a4 b4 c4 a1 d7 b6", "d1 g1 f4 e3");
    p.restriction[0] = transfer("a7", "a4");
    EXPECT_TRUE(is_legal(tournament, p, "d7-a7xd1"));
    p.stones[0] |= testing::stones("c5");
    EXPECT_TRUE(legal(tournament, p, "d7-a7").empty());
}

// A placement can restore a mill, too: possible only where stones move before all are placed.
TEST(MillReturn, NoReformForbidsPlacements) {
    Ruleset rules = load_ruleset("lg10");
    rules.set("mill_return=no-reform");
    Game game(rules, set_up(Color::white, kFive, kBlack, 2, 2));
    play(game, {"a7-a4xb2", "e5"});
    EXPECT_TRUE(legal(rules, game.position(), "a7").empty());
    EXPECT_TRUE(is_legal(rules, game.position(), "b6"));
    rules.set("mill_return=no-reverse");
    Game reverse(rules, set_up(Color::white, kFive, kBlack, 2, 2));
    play(reverse, {"a7-a4xb2", "e5"});
    EXPECT_TRUE(is_legal(rules, reverse.position(), "a7xd1"));
}

// A transfer that goes unpaid for want of an opposing stone restricts like any other.
TEST(MillReturn, AnUnpaidTransferRestricts) {
    Ruleset rules = load_ruleset("lg10");
    rules.set("mill_return=no-reverse");
    const Position p = after(rules, set_up(Color::white, kFive, "", 2, 3), "a7-a4");
    EXPECT_EQ(p.restriction[0], transfer("a7", "a4"));
}

// Generation does not rely on dead restrictions having been dropped.
TEST(MillReturn, ADeadRestrictionThatWasNotDroppedForbidsNothing) {
    Position p = set_up(Color::white, "a4 b4 c4 d7 f2", "d1 g1 f4 e3"); // no mill to return to
    p.restriction[0] = transfer("a7", "a4");
    EXPECT_FALSE(forbidden(lg12, p, parse_turn("a4-a7")));
    EXPECT_TRUE(is_legal(lg12, p, "a4-a7"));
    EXPECT_FALSE(forbidden(tournament, p, parse_turn("a4-a7")));
    EXPECT_TRUE(is_legal(tournament, p, "a4-a7"));
}

// A set-up restriction of the side that has just moved is kept only if it can still come to bind.
TEST(MillReturn, DeadRestrictionsOfEitherSideAreDropped) {
    const auto kept = [](const Ruleset& rules, const char* white, Color side) {
        Position p = set_up(side, white, "d1 g1 f4 e3");
        p.restriction[0] = transfer("a7", "a4");
        validate(rules, p);
        return drop_dead_restrictions(rules, p).restriction[0].active();
    };
    for (const Color side : {Color::white, Color::black}) {
        EXPECT_TRUE(kept(lg12, "a4 b4 c4 d7 g7", side));
        EXPECT_FALSE(kept(lg12, "a4 b4 c4 d7 g4", side)); // no mill to return to
        EXPECT_FALSE(kept(lg12, "a7 b4 c4 d7 g7", side)); // the stone is back, or was never gone
        EXPECT_FALSE(kept(lg12, "b6 b4 c4 d7 g7", side)); // the stone is gone
    }
    EXPECT_TRUE(kept(tournament, "b6 b4 c4 d7 g7", Color::white));  // taken by Black's turn
    EXPECT_FALSE(kept(tournament, "b6 b4 c4 d7 g7", Color::black)); // Black has not moved yet
}

} // namespace
} // namespace mill

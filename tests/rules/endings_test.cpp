// How games end: too few stones, blocked, full board, limits, repetition.
#include "tests/rules/set_up.h"

#include <gtest/gtest.h>

namespace mill {
namespace {

using testing::after, testing::legal, testing::play, testing::set_up, testing::transfer;

const Ruleset lg9 = load_ruleset("lg9");
const Ruleset lg10 = load_ruleset("lg10");
const Ruleset lg12 = load_ruleset("lg12");
const Ruleset gf9 = load_ruleset("gf9");

Position counted(Position p, int counter) {
    p.counter = static_cast<std::uint8_t>(counter);
    return p;
}

void expect_end(const Game& game, Result result, Reason reason) {
    EXPECT_EQ(to_text(game.result()), to_text(result));
    EXPECT_EQ(to_text(game.reason()), to_text(reason));
}

// Black's four stones are shut in once White stands on d6, g4, b4 and a1.
const Position shutting_in = set_up(Color::white, "d6 g4 b4 d1", "a7 d7 g7 a4");

// Little Golem: leaving the opponent "with no legal action" wins.
TEST(Blocked, TheOpponentOfTheLastTurnLoses) {
    Game game(lg9, shutting_in);
    play(game, {"d1-a1"});
    expect_end(game, Result::white, Reason::blocked);
    EXPECT_THROW(game.play(parse_turn("a4-a1")), Error);
}

// Little Golem: "A win takes precedence over a draw."
TEST(Blocked, WinsOnTheThresholdPly) {
    Game win(lg9, counted(shutting_in, 49));
    play(win, {"d1-a1"});
    expect_end(win, Result::white, Reason::blocked);
    Game draw(lg9, counted(shutting_in, 49));
    play(draw, {"d1-g1"});
    expect_end(draw, Result::draw, Reason::quiet_limit);
}

// Little Golem: being unable to move "is not defeat if a legal placement remains available".
TEST(Blocked, NotWhileAStoneCanBePlaced) {
    const Position p = set_up(Color::black, "d6 g4 b4 a1", "a7 d7 g7 a4", 0, 1);
    EXPECT_EQ(judge(lg10, p).reason, Reason::none);
    Position empty_hand = p;
    empty_hand.reserve[1] = 0;
    EXPECT_EQ(judge(lg10, empty_hand).reason, Reason::blocked);
}

// Little Golem: a win by leaving "fewer than three stones available for play", board and reserve together.
TEST(TooFew, BoardAndReserveCountTogetherAndAtOnce) {
    Game placing(lg9, set_up(Color::white, "d7 g7", "a1 d2", 1, 1));
    play(placing, {"a7xa1"});
    expect_end(placing, Result::white, Reason::too_few_stones);
    Game enough(lg9, set_up(Color::white, "d7 g7", "a1 d2 e3", 1, 1));
    play(enough, {"a7xa1"});
    expect_end(enough, Result::open, Reason::none);
    Game moving(lg9, set_up(Color::white, "d7 g7 a4 f2", "a1 d2 e3"));
    play(moving, {"a4-a7xa1"});
    expect_end(moving, Result::white, Reason::too_few_stones);
}

// The app: two pieces lose, but "only once their hand is empty".
TEST(TooFew, WaitsForTheOwnHandInTheApp) {
    const Ruleset app = load_ruleset("app9");
    Game game(app, set_up(Color::white, "d7 g7", "a1 d2", 1, 1));
    play(game, {"a7xa1"});
    expect_end(game, Result::open, Reason::none);
}

// Under hand-empty the last stone placed can leave its own side with two, while the other still places.
TEST(TooFew, TheLastStoneOfTwoLosesForItsOwnSideUnderHandEmpty) {
    Game game(load_ruleset("app3"), set_up(Color::white, "a1", "d7 g4", 1, 1));
    play(game, {"g1"});
    expect_end(game, Result::black, Reason::too_few_stones);
}

// GameFinder judges "after placement": the last stone of all decides, also against its own side.
TEST(TooFew, TheLastStoneOfTwoLosesForItsOwnSideUnderAfterPlacing) {
    Game waits(gf9, set_up(Color::white, "a1", "d7 g4 b2", 1, 1));
    play(waits, {"g1"});
    expect_end(waits, Result::open, Reason::none);
    play(waits, {"f4"});
    expect_end(waits, Result::black, Reason::too_few_stones);
    Game own(gf9, set_up(Color::black, "a1 g1 e3", "d7", 0, 1));
    play(own, {"f4"});
    expect_end(own, Result::white, Reason::too_few_stones);
}

// Both sides are judged after the whole turn, the opponent first: two against two is won by the mover.
TEST(TooFew, TheOpponentIsJudgedFirst) {
    Game game(gf9, set_up(Color::black, "a1 g1", "d7", 0, 1));
    play(game, {"f4"});
    expect_end(game, Result::black, Reason::too_few_stones);
}

// The last of 24 stones, no mill: nobody can move. Little Golem has no exception, so the mover has lost;
// the published solutions of Morabaraba count it as a draw.
TEST(FullBoard, LosesAtLittleGolemAndDrawsInThePublishedSolution) {
    const Position p =
        set_up(Color::white, "f6 c5 e5 b4 e4 g4 d3 b2 f2 d1 g1", "d7 b6 a4 g7 d6 d5 c4 f4 c3 e3 d2 a1", 1, 0);
    Game loses(lg12, p);
    play(loses, {"a7"});
    expect_end(loses, Result::white, Reason::full_board);
    Game draws(load_ruleset("solved12"), p);
    play(draws, {"a7"});
    expect_end(draws, Result::draw, Reason::full_board);
}

const Position quiet_four = set_up(Color::white, "a7 g7 b2 f4", "d1 g4 c5 e3");

// Little Golem: "two players moving once each count as two moves"; 50 of them draw.
TEST(QuietLimit, FiftyPliesDraw) {
    Game game(lg9, counted(quiet_four, 48));
    play(game, {"a7-a4"});
    expect_end(game, Result::open, Reason::none);
    play(game, {"c5-c4"});
    expect_end(game, Result::draw, Reason::quiet_limit);
}

// Little Golem: "A capture on the threshold turn resets the counter instead of causing a draw."
TEST(QuietLimit, ACaptureOnTheThresholdTurnResets) {
    Game game(lg9, counted(set_up(Color::white, "d7 g7 a4 f2", "a1 d2 e3 g1 c5"), 49));
    play(game, {"a4-a7xa1"});
    expect_end(game, Result::open, Reason::none);
    EXPECT_EQ(game.position().counter, 0);
}

// Little Golem: "In Lasker Morris, movement while reserve stones remain also counts"; a placement resets.
TEST(QuietLimit, ALaskerMovementCountsWhileReservesRemain) {
    const Position p = counted(set_up(Color::white, "a7 g7", "d1 g4", 5, 5), 3);
    EXPECT_EQ(after(lg10, p, "a7-a4").counter, 4);
    EXPECT_EQ(after(lg10, p, "a4").counter, 0);
    Game game(lg10, counted(p, 49));
    play(game, {"a7-a4"});
    expect_end(game, Result::draw, Reason::quiet_limit);
}

// The app counts plies "each with nothing taken", through the placing phase.
TEST(QuietLimit, TheAppCountsPlacements) {
    const Ruleset app = load_ruleset("app9");
    const Position p = counted(set_up(Color::white, "a7 g7", "d1 g4", 5, 5), 2);
    EXPECT_EQ(after(app, p, "b2").counter, 3);
    Game game(app, counted(quiet_four, 99));
    play(game, {"a7-a4"});
    expect_end(game, Result::draw, Reason::quiet_limit);
}

// GameFinder: "100 individual movement turns without a capture": placements neither count nor reset.
TEST(QuietLimit, GameFinderCountsMovementsOnly) {
    const Position p = counted(set_up(Color::white, "a7 g7", "d1 g4", 5, 5), 2);
    EXPECT_EQ(after(gf9, p, "b2").counter, 2);
    EXPECT_EQ(after(gf9, counted(quiet_four, 2), "a7-a4").counter, 3);
    EXPECT_EQ(draw_limit(gf9, quiet_four), 100);
}

// Little Golem on Morabaraba: the turn that first enters the endgame "sets the counter to zero; the next
// quiet turn counts as one".
TEST(EndgameLimit, TheTurnThatEntersSetsZero) {
    Game game(lg12, counted(set_up(Color::white, "d7 g7 a4 f2 e4", "a1 d2 d3 g1"), 30));
    play(game, {"a4-a7xa1"});
    EXPECT_EQ(game.position().counter, 0);
    EXPECT_EQ(draw_limit(lg12, game.position()), 10);
    play(game, {"d2-b6"});
    EXPECT_EQ(game.position().counter, 1);
}

// The same where the entering turn would not reset by itself: the last placement, with captures alone
// resetting.
TEST(EndgameLimit, AQuietTurnThatEntersSetsZero) {
    Ruleset rules = lg12;
    rules.set("quiet_reset=capture");
    const Position p = counted(set_up(Color::white, "d7 g4", "a1 d2 d3 g1", 1, 0), 7);
    const Turn last = parse_turn("b4");
    EXPECT_EQ(counter_effect(rules, p, last), CounterEffect::reset);
    EXPECT_EQ(apply_turn(rules, p, last).counter, 0);
    EXPECT_EQ(counter_effect(rules, set_up(Color::white, "d7 g4 f4", "a1 d2 d3 g1", 1, 0), last),
              CounterEffect::advance);
}

// Little Golem on Morabaraba: with either player at three, "10 subsequent individual moves" draw.
TEST(EndgameLimit, TenPliesDraw) {
    Game game(lg12, counted(set_up(Color::white, "a7 g7 b2 f4", "d1 g4 c5"), 8));
    play(game, {"a7-a4"});
    expect_end(game, Result::open, Reason::none);
    play(game, {"c5-e3"});
    expect_end(game, Result::draw, Reason::endgame_limit);
}

// Little Golem: "This ten-move limit does not apply to variants 9 or 10."
TEST(EndgameLimit, OnlyInMorabaraba) {
    const Position p = set_up(Color::white, "a7 g7 b2 f4", "d1 g4 c5");
    EXPECT_EQ(draw_limit(lg9, p), 50);
    EXPECT_EQ(draw_limit(lg10, p), 50);
    EXPECT_EQ(draw_limit(lg12, p), 10);
    EXPECT_EQ(draw_limit(load_ruleset("twelve"), p), 10);
    EXPECT_EQ(draw_limit(load_ruleset("twelve"), quiet_four), 0);
}

// Little Golem: it begins "once both reserves are empty".
TEST(EndgameLimit, NotWhileAReserveIsLeft) {
    EXPECT_EQ(draw_limit(lg12, set_up(Color::white, "a7 g7 b2 f4", "d1 g4 c5", 1, 0)), 50);
    EXPECT_EQ(draw_limit(lg12, set_up(Color::white, "a7 g7 b2", "d1 g4 c5", 1, 1)), 50);
}

// Little Golem: "including the initial position", "the three occurrences need not be consecutive".
TEST(Repetition, ThirdOccurrenceDrawsTheInitialPositionCounted) {
    Game game(lg9, quiet_four);
    play(game, {"a7-a4", "c5-c4", "a4-a7", "c4-c5"}); // back with one stone each
    play(game, {"g7-d7", "e3-d3", "d7-g7"});          // and then with others
    expect_end(game, Result::open, Reason::none);
    play(game, {"d3-e3"});
    expect_end(game, Result::draw, Reason::repetition);
    EXPECT_EQ(game.plies(), 8);
}

// The same stones with the other side to move are another position.
TEST(Repetition, TheSideToMoveMatters) {
    Game game(lg9, set_up(Color::white, "a7 b2 f4", "d1 g4 c5 e3"));
    // White loses a tempo by going round in three flights, so the stones return with Black to move.
    play(game, {"a7-a4", "c5-c4", "a4-d7", "c4-c5", "d7-a7"});
    expect_end(game, Result::open, Reason::none);
    play(game, {"c5-c4", "a7-a4", "c4-c5", "a4-a7"}); // second time with Black to move
    expect_end(game, Result::open, Reason::none);
    play(game, {"c5-c4", "a7-a4", "c4-c5", "a4-a7"});
    expect_end(game, Result::draw, Reason::repetition);
}

// Little Golem: "Rotations and reflections do not count as identical."
TEST(Repetition, MirrorImagesAreDifferentPositions) {
    Game game(lg9, set_up(Color::white, "a7 b4 f4", "b2 f2 d1"));
    play(game, {"a7-d5", "d1-d7", "d5-g7", "d7-d1"}); // the mirror image of the start
    play(game,
         {"g7-d5", "d1-d7", "d5-a7", "d7-d1"}); // the start again: third of its class, second of its own
    expect_end(game, Result::open, Reason::none);
}

// Little Golem: identical positions have the same "restrictions affecting legal moves".
TEST(Repetition, ALiveRestrictionMakesAnotherPosition) {
    Position p = set_up(Color::white, "a4 b4 c4 d7 g7", "d1 g1 f4 e3");
    const auto quiet = [](Game& game) { play(game, {"d7-d6", "f4-e4", "d6-d7", "e4-f4"}); };
    Game without(lg12, p);
    quiet(without);
    quiet(without);
    expect_end(without, Result::draw, Reason::repetition);

    p.restriction[0] = transfer("a7", "a4");
    Game with(lg12, p);
    ASSERT_TRUE(with.position().restriction[0].active());
    quiet(with);
    quiet(with);
    expect_end(with, Result::open, Reason::none);
    play(with, {"d7-d6"}); // the restriction had lapsed with White's first turn, so this is the third time
    expect_end(with, Result::draw, Reason::repetition);
}

// A dead restriction forbids nothing, so it does not make another position.
TEST(Repetition, ADeadRestrictionDoesNot) {
    Position p = set_up(Color::white, "a4 b4 c4 d7 e5", "d1 g1 f4 e3");
    p.restriction[0] = transfer("a7", "a4");
    Game game(lg12, p);
    EXPECT_FALSE(game.position().restriction[0].active());
}

// The rulebook and the published solutions know no repetition.
TEST(Repetition, NoneWhereTheRulesHaveNone) {
    Game game(load_ruleset("solved9"), quiet_four);
    for (int i = 0; i < 30; ++i) play(game, {"a7-a4", "c5-c4", "a4-a7", "c4-c5"});
    expect_end(game, Result::open, Reason::none);
}

// A finished set-up is no error: it is answered with its outcome.
TEST(Endings, AFinishedPositionIsAcceptedAndJudged) {
    Game lost(lg9, set_up(Color::white, "a7 d7", "d1 g4 c5"));
    expect_end(lost, Result::black, Reason::too_few_stones);
    Game won(lg9, set_up(Color::black, "a7 d7", "d1 g4 c5"));
    expect_end(won, Result::black, Reason::too_few_stones);
    EXPECT_EQ(judge(lg9, won.position()).outcome, Outcome::win);
    EXPECT_TRUE(legal(lg9, won.position()).empty());
}

// The referee says which rule an illegal turn breaks, and leaves the game as it was.
TEST(Referee, SaysWhyATurnIsIllegal) {
    const auto why = [](const Position& p, const char* turn) {
        Game game(lg9, p);
        try {
            game.play(parse_turn(turn));
        } catch (const Error& e) {
            EXPECT_EQ(e.code(), ErrorCode::illegal_turn);
            EXPECT_EQ(game.plies(), 0);
            EXPECT_EQ(game.position(), p);
            return std::string(e.what());
        }
        return std::string("legal");
    };
    const Position p = set_up(Color::white, "d7 g7 a4 f2", "a1 d1 g1 e3");
    EXPECT_NE(why(p, "a4-a7").find("must capture"), std::string::npos);
    EXPECT_NE(why(p, "a4-a7xd1").find("protected"), std::string::npos);
    EXPECT_NE(why(p, "a4-a7xd2").find("no opposing stone"), std::string::npos);
    EXPECT_NE(why(p, "f2-f4xe3").find("completes no mill"), std::string::npos);
    EXPECT_NE(why(p, "a4-a1").find("occupied"), std::string::npos);
    EXPECT_NE(why(p, "a4-c5").find("does not fly"), std::string::npos);
    EXPECT_NE(why(p, "a1-a7").find("White has no stone on a1"), std::string::npos);
    EXPECT_NE(why(p, "b4").find("no stone left to place"), std::string::npos);
    EXPECT_NE(why(set_up(Color::white, "d7 g7", "a1 d1", 3, 3), "d7-a7").find("before all are placed"),
              std::string::npos);
    EXPECT_EQ(why(p, "a4-a7xe3"), "legal");
}

} // namespace
} // namespace mill

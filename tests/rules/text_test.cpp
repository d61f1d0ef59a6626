// Position and turn text, both ways, and errors that name the field.
#include "tests/rules/set_up.h"

#include <gtest/gtest.h>

namespace mill {
namespace {

using testing::set_up;

const Ruleset lg9 = load_ruleset("lg9");
const Ruleset lg10 = load_ruleset("lg10");
const Ruleset lg12 = load_ruleset("lg12");
const Ruleset solved9 = load_ruleset("solved9");

struct Refusal {
    ErrorCode code = ErrorCode::ok;
    std::string what;
    bool names(const char* part) const { return what.find(part) != std::string::npos; }
};

Refusal refusal(const Ruleset& rules, const std::string& text) {
    try {
        parse_position(rules, text);
    } catch (const Error& e) {
        return {e.code(), e.what()};
    }
    return {};
}

void expect_refused(const Ruleset& rules, const std::string& text, ErrorCode code, const char* field) {
    const Refusal r = refusal(rules, text);
    EXPECT_EQ(r.code, code) << text << ": " << r.what;
    EXPECT_EQ(r.what.find(field), 0u) << text << ": " << r.what;
    EXPECT_TRUE(r.names("expected")) << text << ": " << r.what;
}

TEST(PositionText, ReadsAndWritesEveryField) {
    const char* text = "1WW/3/3/WWW1B1/2B/3/1BB b 0,0 Wa7-a4 0";
    const Position p = parse_position(lg12, text);
    EXPECT_EQ(p.stones[0], testing::stones("d7 g7 a4 b4 c4"));
    EXPECT_EQ(p.stones[1], testing::stones("f4 e3 d1 g1"));
    EXPECT_EQ(p.side, Color::black);
    EXPECT_EQ(p.restriction[0], testing::transfer("a7", "a4"));
    EXPECT_EQ(to_text(p), text);
    EXPECT_EQ(parse_position(lg9, "WB1/3/3/2W3/B2/3/W2 w 3,3 - 0").reserve,
              (std::array<std::uint8_t, 2>{3, 3}));
    EXPECT_EQ(parse_position(lg9, "WB1/3/3/2W3/B2/3/W1B w 0,0 - 49").counter, 49);
}

TEST(PositionText, TheLastTwoFieldsMayBeOmitted) {
    EXPECT_EQ(to_text(parse_position(lg9, "3/3/3/6/3/3/3 w 9,9")), "3/3/3/6/3/3/3 w 9,9 - 0");
    EXPECT_EQ(to_text(parse_position(lg9, "  3/3/3/6/3/3/3\tw 9,9 -\r")), "3/3/3/6/3/3/3 w 9,9 - 0");
}

TEST(PositionText, BothRestrictionsInEitherOrder) {
    const char* text = "1WW/3/2B/WWW3/1B1/BBB/B1B w 0,0 Wa7-a4,Bd1-d2 0";
    EXPECT_EQ(to_text(parse_position(lg12, text)), text);
    EXPECT_EQ(to_text(parse_position(lg12, "1WW/3/2B/WWW3/1B1/BBB/B1B w 0,0 Bd1-d2,Wa7-a4 0")), text);
}

TEST(PositionText, ADeadRestrictionIsDropped) {
    EXPECT_EQ(to_text(parse_position(lg12, "WW1/3/3/WWW3/2B/3/BB1 w 0,0 Wa7-a4 0")),
              "WW1/3/3/WWW3/2B/3/BB1 w 0,0 - 0");
}

TEST(PositionText, ACounterWithoutALimitIsAcceptedAndIgnored) {
    EXPECT_EQ(parse_position(solved9, "WB1/3/3/2W3/B2/3/W1B w 0,0 - 77").counter, 0);
    EXPECT_EQ(parse_position(solved9, "WB1/3/3/2W3/B2/3/W1B w 0,0 - 1234").counter, 0);
}

TEST(PositionText, BadTextNamesTheField) {
    const ErrorCode bad = ErrorCode::bad_position;
    expect_refused(lg9, "", bad, "position");
    expect_refused(lg9, "   ", bad, "position");
    expect_refused(lg9, "3/3/3/6/3/3/3", bad, "position");
    expect_refused(lg9, "3/3/3/6/3/3/3 w", bad, "position");
    expect_refused(lg9, "3/3/3/6/3/3/3 w 9,9 - 0 0", bad, "position");
    expect_refused(lg9, "3/3/3/6/3/3 w 9,9", bad, "board");
    expect_refused(lg9, "3/3/3/6/3/3/3/3 w 9,9", bad, "board");
    expect_refused(lg9, "3/3/3/5/3/3/3 w 9,9", bad, "board, row 4");
    expect_refused(lg9, "4/3/3/6/3/3/3 w 9,9", bad, "board, row 7");
    expect_refused(lg9, "3/WWWW/3/6/3/3/3 w 9,9", bad, "board, row 6");
    expect_refused(lg9, "3/3/3/6/3/3/2w w 9,9", bad, "board, row 1");
    expect_refused(lg9, "3/3/3/6/3/3/0 w 9,9", bad, "board, row 1");
    expect_refused(lg9, "3/3/3/6/3/3/3 x 9,9", bad, "side");
    expect_refused(lg9, "3/3/3/6/3/3/3 white 9,9", bad, "side");
    for (const char* reserves : {"9", "9,", ",9", "9,9,9", "9;9", "-1,9", "13,9", "9,+9", "99999999999,0"})
        expect_refused(lg9, std::string("3/3/3/6/3/3/3 w ") + reserves, bad, "reserves");
    for (const char* restrictions : {"a4-a7", "Wa4", "Wa4-a", "Wa4-a8", "Wa4a7", "Wa4-a7,", "Wa4-a7,Wa4-a7",
                                     "Wa4-a7Bd6-d7", "--", "Xa4-a7"})
        expect_refused(lg12, std::string("WB1/3/3/2W3/B2/3/W1B w 0,0 ") + restrictions, bad, "restrictions");
    for (const char* counter : {"x", "-1", "1.5", "+1", "99999999999"})
        expect_refused(lg9, std::string("WB1/3/3/2W3/B2/3/W1B w 0,0 - ") + counter, bad, "counter");
}

TEST(PositionText, ImpossibleStatesNameTheField) {
    const ErrorCode illegal = ErrorCode::illegal_position;
    expect_refused(lg9, "WWW/WWW/WWW/WBBB2/3/3/3 w 0,0", illegal, "board");
    expect_refused(lg9, "WWW/BBB/3/6/3/3/3 w 7,7", illegal, "reserves");
    // Where all stones are placed before any moves, the mover has as many left or one more.
    expect_refused(lg9, "W2/3/3/6/3/3/3 w 8,9", illegal, "reserves");
    expect_refused(lg9, "W2/3/3/6/3/3/3 w 9,7", illegal, "reserves");
    expect_refused(lg9, "WWW/BBB/3/6/3/3/3 b 1,0", illegal, "reserves");
    // A counter at its limit is a drawn game; while every turn resets it, it can only be 0.
    expect_refused(lg9, "WB1/3/3/2W3/B2/3/W1B w 0,0 - 50", illegal, "counter");
    expect_refused(lg12, "WB1/3/3/2W3/B2/3/W1B w 0,0 - 10", illegal, "counter");
    expect_refused(lg9, "WB1/3/3/2W3/B2/3/3 w 5,5 - 1", illegal, "counter");
    expect_refused(lg10, "1B1/3/3/6/B2/3/3 w 5,5 - 1", illegal, "counter");
    expect_refused(lg9, "WW1/3/3/6/3/3/1WW b 0,0 Wa4-a7", illegal, "restrictions");
    expect_refused(lg12, "WW1/3/3/BBB3/3/3/1WW b 0,0 Wa7-a7", illegal, "restrictions");
    expect_refused(lg9, "WW1/3/3/6/3/3/1BB w 0,0", illegal, "board");
    expect_refused(solved9, "3/3/3/6/3/3/3 w 0,0", illegal, "board");
}

TEST(PositionText, WhatIsPossibleIsAccepted) {
    for (const char* text : {"3/3/3/6/3/3/3 w 9,9", "3/3/3/6/3/3/3 b 9,9", "W2/3/3/6/3/3/3 b 8,9",
                             "B2/3/3/6/3/3/3 w 9,8", "WW1/3/3/6/3/3/1WB w 0,0", "WW1/3/3/6/3/3/BBB w 0,0"})
        EXPECT_EQ(refusal(lg9, text).code, ErrorCode::ok) << text << ": " << refusal(lg9, text).what;
    // Lasker: any reserves; a counter while stones can move.
    EXPECT_EQ(refusal(lg10, "W2/3/3/6/B2/3/3 w 2,9 - 1").what, "");
    // Few stones on the board are enough with the reserve.
    EXPECT_EQ(refusal(lg9, "W2/3/3/6/B2/3/3 w 2,2").what, "");
}

TEST(PositionText, AStructWithOverlapOrStrayBitsIsRefused) {
    EXPECT_THROW(validate(lg9, set_up(Color::white, "a7 d7 g7", "a7 b6 c5")), Error);
    Position p = set_up(Color::white, "a7 d7 g7", "b6 c5 a1");
    EXPECT_NO_THROW(validate(lg9, p));
    p.stones[0] |= Stones{1} << 24;
    EXPECT_THROW(validate(lg9, p), Error);
    Position q = set_up(Color::white, "a7 d7 g7", "b6 c5 a1");
    q.restriction[0].from = 3;
    EXPECT_THROW(validate(lg12, q), Error);
    q.restriction[0] = {24, 3};
    EXPECT_THROW(validate(lg12, q), Error);
}

TEST(PositionText, MessagesStayShortAndPrintable) {
    const Refusal r = refusal(lg9, std::string(10'000, '\x01') + " w 9,9");
    EXPECT_LT(r.what.size(), 300u);
    for (const char c : r.what) EXPECT_TRUE(c >= ' ' && c <= '~');
}

TEST(TurnText, ReadsAndWritesTheFourForms) {
    for (const char* text : {"d6", "a4-b4", "d6xg7", "a4-b4xg7"}) EXPECT_EQ(to_text(parse_turn(text)), text);
    EXPECT_EQ(parse_turn("a7-g1xd6"), (Turn{0, 23, 4}));
    EXPECT_EQ(parse_turn("a7"), (Turn{-1, 0, -1}));
}

TEST(TurnText, BadTextIsRefused) {
    for (const char* text : {"", "d", "d4", "D6", "d66", "d6-", "d6-d4", "d6x", "d6xd4", "d6-d6", "d6-d7-g7",
                             "d6xg7xa7", "xg7", "-d6", "d6 ", " d6", "d6Xg7", "d6-b6x"}) {
        try {
            parse_turn(text);
            ADD_FAILURE() << text;
        } catch (const Error& e) {
            EXPECT_EQ(e.code(), ErrorCode::bad_turn);
            EXPECT_NE(std::string(e.what()).find("expected"), std::string::npos);
        }
    }
}

TEST(Words, AreThoseOfTheDesign) {
    EXPECT_EQ(to_text(Reason::none), "");
    EXPECT_EQ(to_text(Reason::too_few_stones), "too few stones");
    EXPECT_EQ(to_text(Reason::blocked), "blocked");
    EXPECT_EQ(to_text(Reason::full_board), "full board");
    EXPECT_EQ(to_text(Reason::quiet_limit), "quiet limit");
    EXPECT_EQ(to_text(Reason::endgame_limit), "endgame limit");
    EXPECT_EQ(to_text(Reason::repetition), "repetition");
    EXPECT_EQ(to_text(Outcome::win), "win");
    EXPECT_EQ(to_text(Outcome::draw), "draw");
    EXPECT_EQ(to_text(Outcome::loss), "loss");
    EXPECT_EQ(to_text(Result::open), "open");
}

TEST(Drawing, ShowsStonesAndTheLinesOfTheBoard) {
    const Position p = set_up(Color::white, "a7 e5", "g1");
    EXPECT_EQ(draw_board(lg9, p), "7  W-----------.-----------.\n"
                                  "   |           |           |\n"
                                  "6  |   .-------.-------.   |\n"
                                  "   |   |       |       |   |\n"
                                  "5  |   |   .---.---W   |   |\n"
                                  "   |   |   |       |   |   |\n"
                                  "4  .---.---.       .---.---.\n"
                                  "   |   |   |       |   |   |\n"
                                  "3  |   |   .---.---.   |   |\n"
                                  "   |   |       |       |   |\n"
                                  "2  |   .-------.-------.   |\n"
                                  "   |           |           |\n"
                                  "1  .-----------.-----------B\n"
                                  "   a   b   c   d   e   f   g\n");
    EXPECT_NE(draw_board(lg12, p).find("   | \\         |         / |\n"), std::string::npos);
}

} // namespace
} // namespace mill

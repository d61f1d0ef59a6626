// Sanmill's FEN: 17 fields, rings from the inside out, each from its top midpoint clockwise.
#include "tests/rules/set_up.h"

#include <gtest/gtest.h>

namespace mill {
namespace {

const Ruleset lg9 = load_ruleset("lg9");
const Ruleset lg12 = load_ruleset("lg12");

void expect_refused(const Ruleset& rules, const std::string& text, const char* part) {
    try {
        parse_position(rules, text);
        ADD_FAILURE() << text;
    } catch (const Error& e) {
        EXPECT_TRUE(e.code() == ErrorCode::bad_position || e.code() == ErrorCode::illegal_position);
        EXPECT_NE(std::string(e.what()).find(part), std::string::npos) << e.what();
    }
}

TEST(Sanmill, TheStart) {
    EXPECT_EQ(to_text(parse_position(lg9, "********/********/******** w p p 0 9 0 9 0 0 0 0 0 0 0 0 1")),
              "3/3/3/6/3/3/3 w 9,9 - 0");
}

TEST(Sanmill, EveryPointIsWhereItBelongs) {
    const char* const order[] = {"d5", "e5", "e4", "e3", "d3", "c3", "c4", "c5", "d6", "f6", "f4", "f2",
                                 "d2", "b2", "b4", "b6", "d7", "g7", "g4", "g1", "d1", "a1", "a4", "a7"};
    for (std::size_t i = 0; i < 24; ++i) {
        std::string board = "********/********/********";
        board[i + i / 8] = 'O'; // the separators count
        const Position p = parse_position(lg9, board + " b p p 1 8 0 9 0 0 0 0 0 0 0 0 1");
        EXPECT_EQ(p.stones[0], bit(point_of(order[i]))) << order[i];
        EXPECT_EQ(p.stones[1], 0u);
    }
}

TEST(Sanmill, AMovingPositionWithItsCounter) {
    const Position p = parse_position(lg9, "O*O*****/**@*@***/O***@*** w m s 3 0 3 0 0 0 0 0 0 0 0 7 15");
    EXPECT_EQ(p.stones[0], testing::stones("d5 e4 d7"));
    EXPECT_EQ(p.stones[1], testing::stones("f4 d2 d1"));
    EXPECT_EQ(p.side, Color::white);
    EXPECT_EQ(p.counter, 7);
}

// The last mill of a side is a restriction where mill return is restricted, and nothing elsewhere.
TEST(Sanmill, TheLastMillIsARestriction) {
    // White: a4 b4 c4 and d7 g7; the stone on a4 came from a7 (31 to 30).
    const char* text = "***@**O*/**@***O*/OO*@@*O* b m s 5 0 4 0 0 0 31 30 0 0 0 0 20";
    EXPECT_EQ(to_text(parse_position(lg12, text)), "1WW/3/3/WWW1B1/2B/3/1BB b 0,0 Wa7-a4 0");
    EXPECT_EQ(to_text(parse_position(lg9, text)), "1WW/3/3/WWW1B1/2B/3/1BB b 0,0 - 0");
}

TEST(Sanmill, APendingRemovalIsRefusedAsMidTurn) {
    expect_refused(lg9, "********/********/OOO***** w p r 3 6 0 9 1 0 0 0 0 0 0 0 3", "middle of a turn");
    expect_refused(lg9, "********/********/OOO***** w p p 3 6 0 9 1 0 0 0 0 0 0 0 3", "middle of a turn");
    expect_refused(lg9, "********/********/OOO***** w p p 3 6 0 9 0 1 0 0 0 0 0 0 3", "middle of a turn");
}

TEST(Sanmill, ErrorsNameTheField) {
    expect_refused(lg9, "********/********/******* w p p 0 9 0 9 0 0 0 0 0 0 0 0 1", "board");
    expect_refused(lg9, "********/********/*******X w p p 0 9 0 9 0 0 0 0 0 0 0 0 1", "board");
    expect_refused(lg9, "********/********/******** w p p 0 9 0 9 0 0 0 0 0 0 0 0", "17");
    expect_refused(lg9, "********/********/******** w", "17");
    expect_refused(lg9, "********/********/******** x p p 0 9 0 9 0 0 0 0 0 0 0 0 1", "side");
    expect_refused(lg9, "********/********/******** w z p 0 9 0 9 0 0 0 0 0 0 0 0 1", "phase");
    expect_refused(lg9, "********/********/******** w p z 0 9 0 9 0 0 0 0 0 0 0 0 1", "action");
    expect_refused(lg9, "********/********/******** w p p 1 9 0 9 0 0 0 0 0 0 0 0 1",
                   "White's stones on board");
    expect_refused(lg9, "********/********/******** w p p 0 9 1 9 0 0 0 0 0 0 0 0 1",
                   "Black's stones on board");
    expect_refused(lg9, "********/********/******** w p p 0 x 0 9 0 0 0 0 0 0 0 0 1", "in hand");
    expect_refused(lg9, "********/********/******** w p p 0 9 0 9 0 0 7 0 0 0 0 0 1", "last mill");
    expect_refused(lg9, "********/********/******** w p p 0 9 0 9 0 0 0 32 0 0 0 0 1", "last mill");
    expect_refused(lg9, "********/********/******** w p p 0 9 0 9 0 0 0 0 0 0 x 0 1", "mills");
    expect_refused(lg9, "********/********/******** w p p 0 9 0 9 0 0 0 0 0 0 0 x 1", "counter");
    expect_refused(lg9, "********/********/******** w p p 0 9 0 9 0 0 0 0 0 0 0 0 x", "full move");
    expect_refused(lg9, "********/********/******** w p p 0 10 0 10 0 0 0 0 0 0 0 0 1", "reserves");
}

} // namespace
} // namespace mill

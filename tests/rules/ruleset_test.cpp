// Rulesets as data: presets, keys and their errors, canonical text and fingerprint.
#include "rules/error.h"
#include "rules/ruleset.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <set>

namespace mill {
namespace {

/// What set() says when it refuses, after checking the code.
std::string refusal(const char* assignment) {
    Ruleset rules = load_ruleset("lg9");
    const Ruleset before = rules;
    try {
        rules.set(assignment);
    } catch (const Error& e) {
        EXPECT_EQ(e.code(), ErrorCode::bad_ruleset);
        EXPECT_EQ(rules, before) << assignment;
        return e.what();
    }
    return "accepted";
}

std::string parse_error(const char* ini) {
    try {
        parse_ruleset(ini, "here.ini");
    } catch (const Error& e) {
        EXPECT_EQ(e.code(), ErrorCode::bad_ruleset);
        return e.what();
    }
    return "accepted";
}

bool has(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

TEST(Presets, AreTheTwelveOfTheDesign) {
    EXPECT_EQ(preset_names(),
              (std::vector<std::string>{"lg9", "lg10", "lg12", "app9", "app6", "app3", "twelve",
                                        "twelve-tournament", "gf9", "solved9", "solved10", "solved12"}));
    for (const std::string& name : preset_names()) EXPECT_EQ(load_ruleset(name).name, name);
}

// The table of the design, key by key.
TEST(Presets, HaveTheKeysOfTheDesign) {
    const char* const little_golem_nine =
        "board=plain\nmovement=after-placing\nflying=three-on-board\nmill_return=free\nquiet_limit=50\n"
        "quiet_reset=placement+capture\nplacement_counts=yes\nendgame_limit=0\ntoo_few=in-total\nfull_board=loss\n";
    EXPECT_EQ(load_ruleset("lg9").canonical_text(), little_golem_nine);

    Ruleset r = load_ruleset("lg10");
    EXPECT_TRUE(r.board == Board::plain && r.pieces == 10 && r.first == Color::white &&
                r.movement == Movement::anytime && r.flying == Flying::three_on_board &&
                r.quiet_limit == 50 && r.endgame_limit == 0 && r.repetition == 3);
    r = load_ruleset("lg12");
    EXPECT_TRUE(r.board == Board::diagonal && r.pieces == 12 && r.first == Color::black &&
                r.mill_return == MillReturn::no_reverse && r.quiet_limit == 50 && r.endgame_limit == 10 &&
                r.full_board == FullBoard::loss && r.repetition == 3);
    for (const int pieces : {9, 6, 3}) {
        r = load_ruleset("app" + std::to_string(pieces));
        EXPECT_TRUE(r.board == Board::plain && r.pieces == pieces && r.quiet_limit == 100 &&
                    r.quiet_reset == QuietReset::capture && r.placement_counts &&
                    r.too_few == TooFew::hand_empty && r.repetition == 3 &&
                    r.mill_return == MillReturn::free);
    }
    for (const char* name : {"twelve", "twelve-tournament"}) {
        r = load_ruleset(name);
        EXPECT_TRUE(r.board == Board::diagonal && r.pieces == 12 && r.first == Color::white &&
                    r.quiet_limit == 0 && r.endgame_limit == 10 && r.too_few == TooFew::in_total &&
                    r.repetition == 0 && r.full_board == FullBoard::loss);
    }
    EXPECT_EQ(load_ruleset("twelve").mill_return, MillReturn::free);
    EXPECT_EQ(load_ruleset("twelve-tournament").mill_return, MillReturn::no_reform);
    r = load_ruleset("gf9");
    EXPECT_TRUE(r.board == Board::plain && r.pieces == 9 && r.quiet_limit == 100 &&
                r.quiet_reset == QuietReset::capture && !r.placement_counts &&
                r.too_few == TooFew::after_placing && r.repetition == 3);
    for (const char* name : {"solved9", "solved10", "solved12"}) {
        r = load_ruleset(name);
        EXPECT_TRUE(r.flying == Flying::three_in_total && r.mill_return == MillReturn::free &&
                    r.quiet_limit == 0 && r.endgame_limit == 0 && r.repetition == 0 &&
                    r.too_few == TooFew::in_total && r.full_board == FullBoard::draw &&
                    r.first == Color::white);
    }
    EXPECT_EQ(load_ruleset("solved10").movement, Movement::anytime);
    EXPECT_EQ(load_ruleset("solved12").board, Board::diagonal);
}

TEST(Presets, PrintWhatReadsBackEqual) {
    for (const std::string& name : preset_names()) {
        const Ruleset rules = load_ruleset(name);
        EXPECT_EQ(parse_ruleset(rules.to_ini(), name), rules) << name;
    }
}

TEST(Presets, AnUnknownNameListsThem) {
    try {
        load_ruleset("lg11");
        FAIL();
    } catch (const Error& e) {
        EXPECT_EQ(e.code(), ErrorCode::bad_ruleset);
        EXPECT_TRUE(has(e.what(), "'lg11'") && has(e.what(), "lg9") && has(e.what(), "solved12")) << e.what();
    }
}

TEST(Presets, APathIsReadAsAFile) {
    const std::string path =
        (std::filesystem::temp_directory_path() / ("mill-" + std::to_string(std::random_device{}()) + ".ini"))
            .string();
    Ruleset rules = load_ruleset("lg12");
    rules.set("name=mine");
    rules.set("pieces=4");
    std::ofstream(path) << rules.to_ini();
    EXPECT_EQ(load_ruleset(path), rules);
    std::filesystem::remove(path);
    try {
        load_ruleset(path);
        FAIL();
    } catch (const Error& e) {
        EXPECT_EQ(e.code(), ErrorCode::io);
    }
    EXPECT_THROW(load_ruleset("/"), Error);                             // a directory
    std::ofstream(path) << rules.to_ini() << std::string(1 << 16, '#'); // more than anybody writes by hand
    try {
        load_ruleset(path);
        FAIL();
    } catch (const Error& e) {
        EXPECT_EQ(e.code(), ErrorCode::bad_ruleset);
    }
    std::filesystem::remove(path);
}

TEST(RulesetKeys, TitlesAreUtf8) {
    Ruleset rules = load_ruleset("lg9");
    for (const char* good :
         {"M\u00fchle", "\u20ac", "\U0001f600", "\u07ff\u0800\xed\x9f\xbf\xee\x80\x80\U0010ffff"}) {
        rules.set("title", good);
        EXPECT_EQ(parse_ruleset(rules.to_ini(), "here.ini").title, good);
    }
    // Latin-1, stray and missing bytes, overlong forms, a surrogate, more than there are points.
    for (const char* bad : {"M\xfchle", "\x80", "a\xc3", "\xc3(", "\xe2\x82", "\xf0\x9f\x98", "\xc0\xaf",
                            "\xe0\x80\xaf", "\xf0\x80\x80\xaf", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xff"})
        EXPECT_THROW(rules.set("title", bad), Error) << bad;
}

TEST(RulesetKeys, ErrorsNameKeyValueAndWhatIsAllowed) {
    const std::string board = refusal("board=round");
    EXPECT_TRUE(has(board, "board") && has(board, "'round'") && has(board, "plain or diagonal")) << board;
    const std::string flying = refusal("flying=yes");
    EXPECT_TRUE(has(flying, "flying") && has(flying, "off, three-on-board or three-in-total")) << flying;
    const std::string pieces = refusal("pieces=13");
    EXPECT_TRUE(has(pieces, "pieces") && has(pieces, "'13'") && has(pieces, "3 to 12")) << pieces;
    EXPECT_TRUE(has(refusal("placement_counts=maybe"), "yes or no"));
    EXPECT_TRUE(has(refusal("quiet_limit=251"), "0 to 250"));
    EXPECT_TRUE(has(refusal("colour=red"), "'colour'"));
    EXPECT_TRUE(has(refusal("colour=red"), "mill_return")); // lists the keys
    EXPECT_TRUE(has(refusal("pieces"), "key=value"));
}

TEST(RulesetKeys, EveryKeyRefusesNonsense) {
    for (const char* bad : {"name=",
                            "name=a/b",
                            "name=..",
                            "name=-x",
                            "title=two\nlines",
                            "source= x",
                            "board=",
                            "pieces=2",
                            "pieces=9 ",
                            "pieces=+9",
                            "pieces=-1",
                            "pieces=0x9",
                            "pieces=99999999999",
                            "first=red",
                            "movement=never",
                            "mill_return=",
                            "quiet_limit=-1",
                            "quiet_reset=placement",
                            "endgame_limit=1e1",
                            "too_few=2",
                            "full_board=win",
                            "repetition=1",
                            "repetition=251",
                            "=",
                            "=5"})
        EXPECT_NE(refusal(bad), "accepted") << bad;
}

TEST(RulesetKeys, LimitsReachTheirEnds) {
    for (const char* good : {"quiet_limit=0", "quiet_limit=250", "endgame_limit=250", "repetition=0",
                             "repetition=2", "pieces=3", "pieces=12"})
        EXPECT_EQ(refusal(good), "accepted") << good;
}

TEST(RulesetFile, CommentsBlanksAndLineEnds) {
    const Ruleset rules =
        parse_ruleset("# a comment\r\n; another\r\n\r\n  name=x \r\nboard =plain\r\npieces= 4", "here.ini");
    EXPECT_EQ(rules.name, "x");
    EXPECT_EQ(rules.pieces, 4);
    EXPECT_EQ(rules.repetition, 3); // absent keys keep their defaults
    EXPECT_EQ(parse_ruleset("name=x\nboard=plain\npieces=4\ntitle=a = b", "here.ini").title, "a = b");
}

TEST(RulesetFile, ErrorsNameOriginAndLine) {
    EXPECT_EQ(parse_error("name=x\nboard=round\n").find("here.ini, line 2: board"), 0u);
    EXPECT_TRUE(has(parse_error("name=x\nname=y\n"), "line 2"));
    EXPECT_TRUE(has(parse_error("name x\n"), "key = value"));
    EXPECT_TRUE(has(parse_error("name=x\nboard=plain\n"), "'pieces' is missing"));
    EXPECT_TRUE(has(parse_error("board=plain\npieces=9\n"), "'name' is missing"));
    EXPECT_TRUE(has(parse_error(""), "missing"));
}

TEST(Fingerprint, IgnoresWhatValuesDoNotDependOn) {
    const Ruleset lg9 = load_ruleset("lg9");
    for (const char* other : {"name=x", "title=x", "source=x", "first=black", "repetition=0", "pieces=3"}) {
        Ruleset rules = lg9;
        rules.set(other);
        EXPECT_EQ(rules.fingerprint(), lg9.fingerprint()) << other;
    }
}

TEST(Fingerprint, ChangesWithEveryOtherKey) {
    std::set<std::uint64_t> different = {load_ruleset("lg9").fingerprint()};
    for (const char* other : {"board=diagonal", "movement=anytime", "flying=off", "flying=three-in-total",
                              "mill_return=no-reverse", "mill_return=no-reform", "quiet_limit=49",
                              "quiet_reset=capture", "placement_counts=no", "endgame_limit=10",
                              "too_few=hand-empty", "too_few=after-placing", "full_board=draw"}) {
        Ruleset rules = load_ruleset("lg9");
        rules.set(other);
        EXPECT_TRUE(different.insert(rules.fingerprint()).second) << other;
    }
}

// Tables carry these numbers: a change here makes every existing table useless.
TEST(Fingerprint, IsStable) {
    const Ruleset lg12 = load_ruleset("lg12");
    EXPECT_EQ(lg12.fingerprint(), 0x7dd00445470f9628u);
    EXPECT_EQ(lg12.folder_name(), "lg12-7dd00445");
}

} // namespace
} // namespace mill

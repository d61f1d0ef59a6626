// The board: counts, lines by name, and symmetries that keep lines and edges.
#include "rules/position.h"
#include "tests/rules/random_positions.h"
#include "tests/rules/set_up.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace mill {
namespace {

using testing::stones;

int edge_count(const Geometry& g) {
    int ends = 0;
    for (const Stones n : g.neighbours) ends += count(n);
    return ends / 2;
}

std::set<Stones> lines_of(const Geometry& g) { return {g.lines.begin(), g.lines.begin() + g.line_count}; }

TEST(Geometry, CountsOfBothBoards) {
    EXPECT_EQ(kPlain.line_count, 16);
    EXPECT_EQ(edge_count(kPlain), 32);
    EXPECT_EQ(kDiagonal.line_count, 20);
    EXPECT_EQ(edge_count(kDiagonal), 40);
}

TEST(Geometry, PointNamesAreInReadingOrder) {
    EXPECT_EQ(point_of("a7"), 0);
    EXPECT_EQ(point_of("a4"), 9);
    EXPECT_EQ(point_of("g1"), 23);
    EXPECT_EQ(point_of("d4"), -1); // the hole in the middle
    EXPECT_EQ(point_of("A7"), -1);
    EXPECT_EQ(point_of(""), -1);
}

TEST(Geometry, DiagonalLinesAreTheFourCorners) {
    std::set<Stones> expected = lines_of(kPlain);
    for (const char* line : {"a7 b6 c5", "g7 f6 e5", "a1 b2 c3", "g1 f2 e3"}) expected.insert(stones(line));
    EXPECT_EQ(lines_of(kDiagonal), expected);
    EXPECT_EQ(expected.size(), 20u);
}

// The centre of the board is no point: the middle row and column are two lines each.
TEST(Geometry, TheCentralHoleSplitsTheMiddleLines) {
    const std::set<Stones> lines = lines_of(kPlain);
    for (const char* line : {"a4 b4 c4", "e4 f4 g4", "d7 d6 d5", "d3 d2 d1"})
        EXPECT_TRUE(lines.contains(stones(line))) << line;
    EXPECT_FALSE(kPlain.neighbours[static_cast<std::size_t>(point_of("c4"))] & bit(point_of("e4")));
    EXPECT_FALSE(kPlain.neighbours[static_cast<std::size_t>(point_of("d5"))] & bit(point_of("d3")));
}

TEST(Geometry, AdjacencyIsMutualAndPartnersMatchLines) {
    for (const Geometry* g : {&kPlain, &kDiagonal})
        for (std::size_t p = 0; p < kPoints; ++p) {
            for (std::size_t q = 0; q < kPoints; ++q)
                EXPECT_EQ((g->neighbours[p] >> q) & 1, (g->neighbours[q] >> p) & 1);
            for (int i = 0; i < g->lines_at[p]; ++i)
                EXPECT_TRUE(lines_of(*g).contains(g->partners[p][static_cast<std::size_t>(i)] |
                                                  bit(static_cast<int>(p))));
        }
}

TEST(Symmetry, SixteenDifferentPermutationsThatKeepLinesAndEdges) {
    std::set<std::array<std::uint8_t, kPoints>> different(kSymmetryMaps.begin(), kSymmetryMaps.end());
    EXPECT_EQ(different.size(), 16u);
    for (int s = 0; s < kSymmetries; ++s) {
        EXPECT_EQ(transform(kAllPoints, s), kAllPoints);
        for (const Geometry* g : {&kPlain, &kDiagonal}) {
            for (const Stones line : lines_of(*g)) EXPECT_TRUE(lines_of(*g).contains(transform(line, s)));
            for (std::size_t p = 0; p < kPoints; ++p)
                EXPECT_EQ(transform(g->neighbours[p], s),
                          g->neighbours[kSymmetryMaps[static_cast<std::size_t>(s)][p]]);
        }
    }
    EXPECT_EQ(transform(stones("a7 e5"), 0), stones("a7 e5"));
    EXPECT_EQ(transform(stones("a7 d6"), 8),
              stones("c5 d6")); // symmetry 8 swaps the outer and the inner ring
}

TEST(Symmetry, TheSixteenFormAGroup) {
    const auto image = [](int s, std::size_t p) {
        return static_cast<std::size_t>(kSymmetryMaps[static_cast<std::size_t>(s)][p]);
    };
    std::set<std::array<std::uint8_t, kPoints>> all(kSymmetryMaps.begin(), kSymmetryMaps.end());
    for (int s = 0; s < kSymmetries; ++s)
        for (int t = 0; t < kSymmetries; ++t) {
            std::array<std::uint8_t, kPoints> product{};
            for (std::size_t p = 0; p < kPoints; ++p)
                product[p] = static_cast<std::uint8_t>(image(t, image(s, p)));
            EXPECT_TRUE(all.contains(product));
        }
}

// A symmetric position has the images of the turns, and they lead to the images of the positions.
TEST(Symmetry, TurnsOfAnImageAreImagesOfTheTurns) {
    testing::Random random(13);
    for (const char* name : {"lg9", "lg10", "lg12", "twelve-tournament"}) {
        const Ruleset rules = load_ruleset(name);
        for (int i = 0; i < 5'000; ++i) {
            const Position p = testing::random_position(rules, random);
            const std::size_t s = random() % kSymmetries;
            const auto image_of = [&](std::int8_t point) {
                return point < 0
                           ? point
                           : static_cast<std::int8_t>(kSymmetryMaps[s][static_cast<std::size_t>(point)]);
            };
            const auto image = [&](Position q) {
                for (std::size_t side = 0; side < 2; ++side) {
                    q.stones[side] = transform(q.stones[side], static_cast<int>(s));
                    q.restriction[side] = {image_of(q.restriction[side].from),
                                           image_of(q.restriction[side].to)};
                }
                return q;
            };
            TurnList turns, images;
            generate_turns(rules, p, turns);
            generate_turns(rules, image(p), images);
            ASSERT_EQ(turns.size(), images.size()) << to_text(p);
            for (const Turn t : turns) {
                const Turn u{image_of(t.from), image_of(t.to), image_of(t.capture)};
                ASSERT_NE(std::find(images.begin(), images.end(), u), images.end())
                    << to_text(p) << " " << to_text(t);
                ASSERT_EQ(apply_turn(rules, image(p), u), image(apply_turn(rules, p, t)));
            }
        }
    }
}

} // namespace
} // namespace mill

// Turn counts against the golden figures, which come from another program's generator.
#include "rules/perft.h"
#include "rules/ruleset.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>

namespace mill {
namespace {

/// Counts by listing down to the last ply, so that it does not lean on count_turns().
std::uint64_t perft_by_listing(const Ruleset& rules, const Position& p, int depth) {
    if (depth == 0) return 1;
    TurnList turns;
    generate_turns(rules, p, turns);
    std::uint64_t total = 0;
    for (const Turn t : turns) total += perft_by_listing(rules, apply_turn(rules, p, t), depth - 1);
    return total;
}

TEST(Perft, EqualsTheGoldenFigures) {
    std::ifstream file(std::string(MILL_DATA_DIR) + "/golden/perft.tsv");
    ASSERT_TRUE(file) << "data/golden/perft.tsv";
    int checked = 0;
    for (std::string line; std::getline(file, line);) {
        if (line.empty() || line[0] == '#') continue;
        std::istringstream fields(line);
        std::string name;
        int depth = 0;
        std::uint64_t turns = 0;
        ASSERT_TRUE(fields >> name >> depth >> turns) << line;
        const Ruleset rules = load_ruleset(name);
        EXPECT_EQ(perft(rules, initial_position(rules), depth), turns) << line;
        ++checked;
    }
    EXPECT_EQ(checked, 15);
}

TEST(Perft, CountingEqualsListing) {
    for (const std::string& name : preset_names()) {
        const Ruleset rules = load_ruleset(name);
        EXPECT_EQ(perft(rules, initial_position(rules), 4),
                  perft_by_listing(rules, initial_position(rules), 4))
            << name;
    }
}

// The same figure that Sanmill's generator gives.
TEST(Perft, NineMensMorrisAtDepthSix) {
    const Ruleset rules = load_ruleset("lg9");
    EXPECT_EQ(perft(rules, initial_position(rules), 6), 99'274'176u);
}

TEST(Perft, DepthZeroIsOne) {
    const Ruleset rules = load_ruleset("lg9");
    EXPECT_EQ(perft(rules, initial_position(rules), 0), 1u);
}

} // namespace
} // namespace mill

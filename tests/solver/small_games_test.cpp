// The solver against the brute force: every board of small complete games, all metrics, every budget.
#include "tests/brute/golden.h"
#include "tests/solver/against_brute.h"

#include <gtest/gtest.h>

namespace mill::testing {
namespace {

struct Game {
    const char* name;
    const char* rules; ///< preset and settings
};
void PrintTo(const Game& game, std::ostream* out) { *out << game.rules; }
std::string name_of(const ::testing::TestParamInfo<Game>& game) { return game.param.name; }

/// All subspaces of a game with three pieces a side, reachable or not.
class CompleteGame : public ::testing::TestWithParam<Game> {};

TEST_P(CompleteGame, EveryBoardAtEveryBudget) {
    const Ruleset rules = ruleset_of(GetParam().rules);
    compare_with_brute(rules, all_subspaces(rules));
}

constexpr Game kPresets[] = {
    {"lg9", "lg9 pieces=3"},           {"lg10", "lg10 pieces=3"},
    {"lg12", "lg12 pieces=3"},         {"app3", "app3"},
    {"gf9", "gf9 pieces=3"},           {"twelve", "twelve pieces=3"},
    {"solved9", "solved9 pieces=3"},   {"solved10", "solved10 pieces=3"},
    {"solved12", "solved12 pieces=3"},
};
INSTANTIATE_TEST_SUITE_P(Presets, CompleteGame, ::testing::ValuesIn(kPresets), name_of);

constexpr Game kUnusual[] = {
    {"lasker_placements_count", "lg10 pieces=3 quiet_limit=12 quiet_reset=capture"},
    {"lasker_placements_keep", "lg10 pieces=3 quiet_limit=12 quiet_reset=capture placement_counts=no"},
    {"lasker_hand_empty", "lg10 pieces=3 quiet_limit=9 too_few=hand-empty"},
    {"lasker_after_placing_counts", "lg10 pieces=3 quiet_limit=9 too_few=after-placing quiet_reset=capture"},
    {"lasker_after_placing_keep",
     "lg10 pieces=3 quiet_limit=7 too_few=after-placing quiet_reset=capture placement_counts=no"},
    {"lasker_three_in_total_limit", "solved10 pieces=3 quiet_limit=11 quiet_reset=capture"},
    {"lasker_three_in_total_unlimited", "solved10 pieces=3 quiet_reset=capture placement_counts=no"},
    {"lasker_diagonal_no_flying",
     "lg10 pieces=3 board=diagonal flying=off quiet_limit=8 quiet_reset=capture"},
    {"lasker_endgame", "lg10 pieces=3 quiet_limit=9 endgame_limit=4 quiet_reset=capture"},
    {"endgame_reset_by_capture", "lg9 pieces=3 quiet_limit=20 endgame_limit=10 quiet_reset=capture"},
    {"endgame_placements_keep",
     "app3 board=diagonal quiet_limit=5 endgame_limit=7 placement_counts=no full_board=draw"},
    {"app_no_flying", "app3 flying=off quiet_limit=50"},
};
INSTANTIATE_TEST_SUITE_P(Unusual, CompleteGame, ::testing::ValuesIn(kUnusual), name_of);

/// Three stones against three under every set of movement rules.
class ThreeAgainstThree : public ::testing::TestWithParam<Game> {};

TEST_P(ThreeAgainstThree, EveryBoardAtEveryBudget) {
    compare_with_brute(ruleset_of(GetParam().rules), {parse_subspace("3-3")});
}

constexpr Game kMovementRules[] = {
    {"plain_flying_5", "lg9 quiet_limit=5"},
    {"plain_walking_0", "lg9 flying=off quiet_limit=0"},
    {"plain_walking_5", "lg9 flying=off quiet_limit=5"},
    {"plain_walking_50", "lg9 flying=off quiet_limit=50"},
    {"diagonal_flying_5", "solved12 quiet_limit=5"},
    {"diagonal_walking_0", "twelve flying=off endgame_limit=0"},
    {"diagonal_walking_5", "twelve flying=off endgame_limit=5"},
    {"diagonal_walking_50", "twelve-tournament flying=off quiet_limit=50 endgame_limit=0"},
};
INSTANTIATE_TEST_SUITE_P(MovementRules, ThreeAgainstThree, ::testing::ValuesIn(kMovementRules), name_of);

} // namespace
} // namespace mill::testing

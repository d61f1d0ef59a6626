// The solver against the brute force on larger games: hours on a busy machine, minutes on an idle one.
#include "tests/brute/golden.h"
#include "tests/solver/against_brute.h"

#include <gtest/gtest.h>

namespace mill::testing {
namespace {

struct Game {
    const char* name;
    const char* rules;
    std::vector<const char*> subspaces; ///< empty: the complete game
};
void PrintTo(const Game& game, std::ostream* out) { *out << game.rules; }

class SlowGame : public ::testing::TestWithParam<Game> {};

TEST_P(SlowGame, EveryBoardAtEveryBudget) {
    const Ruleset rules = ruleset_of(GetParam().rules);
    std::vector<Subspace> subspaces;
    for (const char* s : GetParam().subspaces) subspaces.push_back(parse_subspace(s));
    compare_with_brute(rules, subspaces.empty() ? all_subspaces(rules) : subspaces);
}

/// Complete games with four pieces a side: 4-4, 4-3 and 3-4 among them, and all that leads there.
const Game kFourPieces[] = {
    {"lg9", "lg9 pieces=4", {}},
    {"lg10", "lg10 pieces=4", {}},
    {"lg12", "lg12 pieces=4", {}},
    {"app", "app9 pieces=4", {}},
    {"gf9", "gf9 pieces=4", {}},
    {"twelve", "twelve pieces=4", {}},
    {"solved9", "solved9 pieces=4", {}},
    {"solved10", "solved10 pieces=4", {}},
    {"solved12", "solved12 pieces=4", {}},
    {"lasker_placements_keep", "lg10 pieces=4 quiet_limit=9 quiet_reset=capture placement_counts=no", {}},
    {"lasker_after_placing_counts",
     "lg10 pieces=4 quiet_limit=9 quiet_reset=capture too_few=after-placing",
     {}},
};
INSTANTIATE_TEST_SUITE_P(FourPieces, SlowGame, ::testing::ValuesIn(kFourPieces),
                         [](const auto& game) { return std::string(game.param.name); });

/// Four against four where nobody flies.
const Game kWalking[] = {
    {"plain_50", "lg9 flying=off", {"4-4"}},
    {"plain_unlimited", "lg9 flying=off quiet_limit=0", {"4-4"}},
    {"diagonal_50", "lg12 flying=off", {"4-4"}},
    {"lasker_in_hand", "solved10 flying=off quiet_limit=30", {"4-3+0-1"}},
};
INSTANTIATE_TEST_SUITE_P(Walking, SlowGame, ::testing::ValuesIn(kWalking),
                         [](const auto& game) { return std::string(game.param.name); });

/// Captures by transfers of five stones. The opponent has a stone on the board and one in hand, and loses once it
/// has placed that: it moves instead, and the restriction binds.
const Game kTransfers[] = {
    {"no_reverse", "lg10 too_few=hand-empty flying=off quiet_limit=4 mill_return=no-reverse", {"5-2+0-1"}},
    {"no_reform", "lg10 too_few=hand-empty flying=off quiet_limit=4 mill_return=no-reform", {"5-2+0-1"}},
};
INSTANTIATE_TEST_SUITE_P(Transfers, SlowGame, ::testing::ValuesIn(kTransfers),
                         [](const auto& game) { return std::string(game.param.name); });

} // namespace
} // namespace mill::testing

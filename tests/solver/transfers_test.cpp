// Mill return in subspaces that the brute force can reach: five stones against a side that still has stones in
// hand while stones move. A mill made while the opponent has no stone on the board goes unpaid: such a transfer
// is quiet, and its value depends on the budget.
#include "tests/brute/golden.h"
#include "tests/solver/against_brute.h"

#include <gtest/gtest.h>

namespace mill::testing {
namespace {

struct Game {
    const char* name;
    const char* rules;
};
void PrintTo(const Game& game, std::ostream* out) { *out << game.rules; }
std::string name_of(const ::testing::TestParamInfo<Game>& game) { return game.param.name; }

class QuietTransfers : public ::testing::TestWithParam<Game> {};

/// The opponent has two stones in hand and places them one by one; it loses once its hand is empty.
TEST_P(QuietTransfers, EveryBoardAtEveryBudget) {
    compare_with_brute(ruleset_of(GetParam().rules), {parse_subspace("5-0+0-2")});
}

constexpr Game kQuiet[] = {
    {"no_reverse", "lg10 too_few=hand-empty quiet_limit=8 mill_return=no-reverse"},
    {"no_reform_diagonal", "lg10 too_few=hand-empty quiet_limit=8 mill_return=no-reform board=diagonal"},
    {"no_reform_placements_keep",
     "lg10 too_few=hand-empty quiet_limit=8 quiet_reset=capture placement_counts=no mill_return=no-reform"},
    {"no_reverse_unlimited", "lg10 too_few=after-placing quiet_limit=0 mill_return=no-reverse"},
};
INSTANTIATE_TEST_SUITE_P(Lasker, QuietTransfers, ::testing::ValuesIn(kQuiet), name_of);

} // namespace
} // namespace mill::testing

// Tables do not depend on how they are made: threads, kernels of the processor, metrics asked for.
#include "tests/brute/golden.h"
#include "tests/solver/built_tables.h"

#include "builder/rows/kernels.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <map>

namespace mill::testing {
namespace {

using builder::MemoryTable;

/// Chooses the kernels by the environment for a scope.
class KernelChoice {
public:
    explicit KernelChoice(const char* name) { ::setenv(kVariable, name, 1); }
    KernelChoice(const KernelChoice&) = delete;
    KernelChoice& operator=(const KernelChoice&) = delete;
    ~KernelChoice() { ::unsetenv(kVariable); }

private:
    static constexpr const char* kVariable = "MILLWRIGHT_KERNELS";
};

bool has_kernels([[maybe_unused]] const std::string& name) {
#if defined(__x86_64__)
    const KernelChoice choice(name.c_str());
    return &builder::best_kernels() == (name == "avx512" ? &builder::kAvx512Kernels : &builder::kAvx2Kernels);
#else
    return false;
#endif
}

/// The subspaces named, each with all that it depends on.
BuiltTables build(const Ruleset& rules, const std::vector<const char*>& subspaces, bool dte, int threads) {
    BuiltTables tables(rules, dte, threads);
    for (const char* s : subspaces) tables.need(parse_subspace(s));
    return tables;
}

void expect_same(const BuiltTables& a, const BuiltTables& b, const std::string& what) {
    ASSERT_EQ(a.all().size(), b.all().size()) << what;
    for (const auto& [s, table] : a.all()) {
        const MemoryTable& other = *b.get(s);
        EXPECT_TRUE(table->wdl == other.wdl) << to_text(s) << ": outcomes, " << what;
        EXPECT_TRUE(table->dtz == other.dtz) << to_text(s) << ": dtz, " << what;
        EXPECT_TRUE(table->dte == other.dte) << to_text(s) << ": dte, " << what;
        EXPECT_TRUE(table->steps == other.steps) << to_text(s) << ": profiles, " << what;
    }
}

struct Selection {
    const char* name;
    const char* rules;
    std::vector<const char*> subspaces;
};
void PrintTo(const Selection& s, std::ostream* out) { *out << s.rules; }

class SameBytes : public ::testing::TestWithParam<Selection> {};

TEST_P(SameBytes, HoweverTheyAreMade) {
    {
        const KernelChoice choice("portable");
        ASSERT_EQ(&builder::best_kernels(), &builder::kPortableKernels);
    }
    const Ruleset rules = ruleset_of(GetParam().rules);
    const auto made = [&](const char* kernels, int threads, bool dte) {
        const KernelChoice choice(kernels);
        return build(rules, GetParam().subspaces, dte, threads);
    };
    std::map<bool, BuiltTables> expected;
    for (const bool dte : {true, false}) {
        const BuiltTables& plain = expected.emplace(dte, made("portable", 1, dte)).first->second;
        expect_same(plain, made("portable", 2, dte), "2 threads against one");
        if (has_kernels("avx2")) expect_same(plain, made("avx2", 7, dte), "avx2 and 7 threads");
        if (has_kernels("avx512")) expect_same(plain, made("avx512", 2, dte), "avx512");
    }
    // The faster path without distances comes to the same outcomes and DTZ.
    for (const auto& [s, table] : expected.at(true).all()) {
        EXPECT_TRUE(table->wdl == expected.at(false).get(s)->wdl) << to_text(s) << ": outcomes";
        EXPECT_TRUE(table->dtz == expected.at(false).get(s)->dtz) << to_text(s) << ": dtz";
    }
}

const Selection kSelections[] = {
    {"lg9", "lg9", {"4-4", "5-3"}},
    {"lg12", "lg12", {"4-4", "3-3+1-0"}},
    {"lg10", "lg10", {"2-3+2-0"}},
    {"gf9", "gf9", {"3-3+1-0"}},
    {"lasker_keeping", "lg10 quiet_reset=capture placement_counts=no quiet_limit=12", {"2-3+1-1"}},
    {"solved10", "solved10", {"3-3+0-1"}},
    {"walking", "lg9 flying=off quiet_limit=20", {"3-3"}},
};
INSTANTIATE_TEST_SUITE_P(Selections, SameBytes, ::testing::ValuesIn(kSelections),
                         [](const auto& selection) { return std::string(selection.param.name); });

/// From five stones on there are transfers, and several partitions.
const Selection kSlowSelections[] = {
    {"lg12", "lg12", {"5-5"}},
    {"tournament", "twelve-tournament", {"5-5"}},
    {"lg9", "lg9", {"6-4"}},
    {"lg10", "lg10", {"4-4+0-1"}},
};
INSTANTIATE_TEST_SUITE_P(SlowSelections, SameBytes, ::testing::ValuesIn(kSlowSelections),
                         [](const auto& selection) { return std::string(selection.param.name); });

} // namespace
} // namespace mill::testing

// The index: a numbering of positions up to symmetry, the same on every processor.
#include "probe/index/index.h"

#include <gtest/gtest.h>

#include <random>

namespace mill {
namespace {

Stones random_set(std::mt19937_64& random, int n, Stones among) {
    Stones set = 0;
    while (count(set) < n) {
        const Stones point = bit(static_cast<int>(random() % kPoints));
        if (among & point) set |= point;
    }
    return set;
}

TEST(Index, RankAndUnrankAreInverse) {
    for (int size = 0; size <= 24; ++size) {
        const std::uint32_t total = kBinomial[24][static_cast<std::size_t>(size)];
        for (std::uint32_t rank = 0; rank < total; rank += 1 + total / 997) {
            const std::uint32_t set = unrank(size, rank);
            ASSERT_EQ(std::popcount(set), size);
            ASSERT_EQ(rank_table(size).rank(set), rank);
        }
    }
}

TEST(Index, RanksAscendWithTheSet) {
    for (std::uint32_t rank = 1; rank < kBinomial[24][5]; rank += 7)
        ASSERT_LT(unrank(5, rank - 1), unrank(5, rank));
}

TEST(Index, FastTransformIsTransform) {
    std::mt19937_64 random(1);
    for (int i = 0; i < 20000; ++i) {
        const Stones set = static_cast<Stones>(random()) & kAllPoints;
        const int s = static_cast<int>(random() % kSymmetries);
        ASSERT_EQ(fast_transform(set, s), transform(set, s));
    }
}

TEST(Index, PortableBitsAreThoseOfBmi2) {
    if (!has_bmi2()) GTEST_SKIP() << "this processor has no BMI2";
#if defined(__x86_64__)
    std::mt19937_64 random(2);
    for (int i = 0; i < 200000; ++i) {
        const auto value = static_cast<std::uint32_t>(random()), mask = static_cast<std::uint32_t>(random());
        ASSERT_EQ(extract_portable(value, mask), extract_bmi2(value, mask));
        ASSERT_EQ(deposit_portable(value, mask), deposit_bmi2(value, mask));
    }
#endif
}

TEST(Index, RepresentativesAreTheSmallestOfTheirOrbitsAndCountAllSets) {
    for (int size = 0; size <= 12; ++size) {
        const OrbitTable& orbits = orbit_table(size);
        std::uint64_t sets = 0;
        for (std::uint32_t o = 0; o < orbits.count(); ++o) {
            sets += static_cast<std::uint64_t>(orbits.orbit_size(o));
            if (o > 0) {
                ASSERT_LT(orbits.representative(o - 1), orbits.representative(o));
            }
            if (o % 101) continue;
            for (int s = 0; s < kSymmetries; ++s) {
                const Stones image = transform(orbits.representative(o), s);
                ASSERT_GE(image, orbits.representative(o));
                ASSERT_EQ(OrbitTable::orbit(orbits.lookup(image)), o);
                ASSERT_EQ((orbits.stabiliser(o) >> s & 1) != 0, image == orbits.representative(o));
            }
        }
        ASSERT_EQ(sets, kBinomial[24][static_cast<std::size_t>(size)]);
    }
}

TEST(Index, PositionsComeBackUpToSymmetry) {
    std::mt19937_64 random(3);
    for (int own = 0; own <= 12; ++own)
        for (int opp = 0; opp <= 12; ++opp) {
            const SubspaceIndex index(own, opp);
            for (int i = 0; i < 50; ++i) {
                const Stones a = random_set(random, own, kAllPoints),
                             b = random_set(random, opp, kAllPoints & ~a);
                const std::uint64_t n = index.index(a, b);
                ASSERT_LT(n, index.size());
                const auto [c, d] = index.position(n);
                bool image = false;
                for (int s = 0; s < kSymmetries; ++s) image |= transform(a, s) == c && transform(b, s) == d;
                ASSERT_TRUE(image) << own << "-" << opp;
                ASSERT_EQ(index.index(c, d), n);
            }
        }
}

TEST(Index, EveryNumberIsAPosition) {
    const SubspaceIndex index(3, 3);
    for (std::uint64_t n = 0; n < index.size(); ++n) {
        const auto [own, opp] = index.position(n);
        ASSERT_EQ(own & opp, 0U);
        ASSERT_EQ(index.index(own, opp), n);
    }
    // 591,726,690 up to symmetry, and the equivalent entries in rows of sets with a stabiliser.
    EXPECT_EQ(SubspaceIndex(8, 8).size(), 603332730U);
}

TEST(Index, WeightsCountAllBoards) {
    const SubspaceIndex index(4, 3);
    std::uint64_t boards = 0;
    for (std::uint32_t row = 0; row < index.rows(); ++row)
        boards += static_cast<std::uint64_t>(index.row_weight(row)) * index.row_size();
    EXPECT_EQ(boards, index.boards());
}

} // namespace
} // namespace mill

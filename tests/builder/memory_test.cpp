// Large arrays: zeroed and aligned whether they come from the heap, the system or memory that was given back.
#include "builder/machine/memory.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

namespace mill::builder {
namespace {

constexpr std::size_t kMiB = std::size_t{1} << 20;

template <class T> bool zeroed(const HugeArray<T>& a) {
    return std::all_of(a.begin(), a.end(), [](T v) { return v == 0; });
}

TEST(HugeArray, IsZeroedAndAlignedAtEverySize) {
    for (const std::size_t bytes :
         {std::size_t{1}, std::size_t{63}, kMiB - 1, kMiB, kMiB + 1, 5 * kMiB + 17}) {
        for (int round = 0; round < 2; ++round) { // the second takes what the first gave back
            HugeArray<std::uint8_t> a(bytes);
            ASSERT_EQ(a.size(), bytes);
            EXPECT_EQ(reinterpret_cast<std::uintptr_t>(a.data()) % 64, 0U);
            EXPECT_TRUE(zeroed(a)) << bytes << " bytes, round " << round;
            std::fill(a.begin(), a.end(), std::uint8_t{0xA5});
        }
    }
}

TEST(HugeArray, NothingOverlapsHoweverMemoryIsCutUp) {
    std::mt19937 random(3);
    std::vector<HugeArray<std::uint32_t>> live;
    for (int step = 0; step < 300; ++step) {
        if (live.size() < 12 && random() % 3) {
            const std::size_t n = kMiB / 8 + random() % (2 * kMiB);
            live.emplace_back(n, random() % 2 ? Fill::zero : Fill::none);
            std::fill(live.back().begin(), live.back().end(), static_cast<std::uint32_t>(live.back().size()));
        } else if (!live.empty()) {
            std::swap(live[random() % live.size()], live.back());
            const HugeArray<std::uint32_t>& last = live.back();
            ASSERT_TRUE(std::all_of(last.begin(), last.end(), [&](std::uint32_t v) {
                return v == last.size();
            })) << "another array wrote into this one";
            live.pop_back();
        }
        if (step % 50 == 49) release_spare_memory();
    }
}

TEST(HugeArray, GivenBackMemoryServesLargerArraysOnceNeighboursAreTogether) {
    release_spare_memory();
    const void* const at = HugeArray<std::uint8_t>(64 * kMiB).data();
    {
        std::vector<HugeArray<std::uint8_t>> parts;
        parts.reserve(8);
        for (int i = 0; i < 8; ++i) parts.emplace_back(8 * kMiB);
        EXPECT_EQ(parts[7].data(), at); // ranges are cut from behind
        std::swap(parts[1], parts[6]);  // given back in another order than taken
    }
    EXPECT_EQ(HugeArray<std::uint8_t>(64 * kMiB).data(), at);
    release_spare_memory();
}

TEST(PeakMemory, CountsWhatIsTouched) {
    reset_peak_memory();
    const std::uint64_t before = peak_memory();
    if (before == 0) GTEST_SKIP() << "the system does not tell how much memory is used";
    HugeArray<std::uint8_t> a(256 * kMiB);
    std::fill(a.begin(), a.end(), std::uint8_t{1});
    EXPECT_GE(peak_memory(), before + 200 * kMiB);
}

} // namespace
} // namespace mill::builder

// The block cache: bounded, live to resize, exact in what it counts.
#include "probe/tables/block_cache.h"

#include <gtest/gtest.h>

#include <thread>

namespace mill {
namespace {

void fill(BlockCache::Block& block, std::uint64_t key) {
    block.assign(1000, static_cast<std::uint8_t>(key * 7));
}

TEST(Cache, HitsMissesAndLimit) {
    BlockCache cache(100000);
    for (int round = 0; round < 2; ++round)
        for (std::uint64_t key = 0; key < 20; ++key)
            cache.get(
                key, [&](auto& b) { fill(b, key); },
                [&](BlockCache::Bytes b) { EXPECT_EQ(b[999], static_cast<std::uint8_t>(key * 7)); });
    EXPECT_EQ(cache.stats().hits, 20U);
    EXPECT_EQ(cache.stats().misses, 20U);
    EXPECT_EQ(cache.stats().blocks, 20U);
    for (std::uint64_t key = 0; key < 1000; ++key)
        cache.get(
            key, [&](auto& b) { fill(b, key); }, [](auto) {});
    EXPECT_LE(cache.stats().bytes, 100000U);
    EXPECT_GT(cache.stats().evictions, 900U);
    cache.set_limit(5000);
    EXPECT_LE(cache.stats().bytes, 5000U);
    cache.set_limit(0);
    EXPECT_EQ(cache.stats().blocks, 0U);
    EXPECT_EQ(cache.stats().bytes, 0U);
    cache.get(
        1, [&](auto& b) { fill(b, 1); }, [](BlockCache::Bytes b) { EXPECT_EQ(b.size(), 1000U); });
    EXPECT_EQ(cache.stats().blocks, 0U);
    cache.set_limit(100000);
    cache.get(
        1, [&](auto& b) { fill(b, 1); }, [](auto) {});
    EXPECT_EQ(cache.stats().blocks, 1U);
    cache.clear();
    EXPECT_EQ(cache.stats().blocks, 0U);
    EXPECT_EQ(cache.stats().bytes, 0U);
}

TEST(Cache, WhatLoadingThrowsIsNotKept) {
    BlockCache cache(100000);
    EXPECT_THROW(cache.get(
                     1, [](auto&) { throw 1; }, [](auto) {}),
                 int);
    EXPECT_FALSE(cache.contains(1));
    EXPECT_FALSE(cache.peek(1, [](auto) {}));
}

TEST(Cache, UsedBlocksStayLonger) {
    BlockCache cache(1000000); // some 880 blocks
    for (std::uint64_t key = 0; key < 5000; ++key) {
        cache.get(
            key + 100, [&](auto& b) { fill(b, key); }, [](auto) {});
        for (std::uint64_t hot = 0; hot < 10; ++hot)
            cache.get(
                hot, [&](auto& b) { fill(b, hot); }, [](auto) {});
    }
    for (std::uint64_t hot = 0; hot < 10; ++hot) EXPECT_TRUE(cache.contains(hot));
}

TEST(Cache, ManyThreads) {
    BlockCache cache(200000);
    std::vector<std::thread> threads;
    for (unsigned t = 0; t < 16; ++t)
        threads.emplace_back([&cache, t] {
            std::uint64_t key = t;
            for (int i = 0; i < 3000; ++i) {
                key = (key * 2862933555777941757U + 3037000493U);
                const std::uint64_t k = (key >> 33) % 300;
                cache.get(
                    k, [&](auto& b) { fill(b, k); },
                    [&](BlockCache::Bytes b) { ASSERT_EQ(b[0], static_cast<std::uint8_t>(k * 7)); });
                if (i % 500 == 0) cache.set_limit(t % 2 ? 50000 : 200000);
            }
        });
    for (auto& t : threads) t.join();
    cache.set_limit(50000);
    EXPECT_LE(cache.stats().bytes, 50000U);
    EXPECT_EQ(cache.stats().hits + cache.stats().misses, 48000U);
}

} // namespace
} // namespace mill

// Decoded blocks of tables, bounded in bytes. Sharded: a probe takes one short lock, and reads its few
// bytes under it, so that a warm probe neither copies a block nor counts references.
#pragma once

#include "mill/probe/table_reader.h"

#include <atomic>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

namespace mill {

struct CacheStatistics {
    std::uint64_t hits = 0, misses = 0, evictions = 0;
    std::uint64_t bytes = 0, blocks = 0; ///< now
    std::uint64_t limit = 0;             ///< bytes
};

class BlockCache {
public:
    explicit BlockCache(std::uint64_t bytes);

    /// Calls fn(raw bytes of the block) under the shard's lock, after reading and checking the block
    /// if it is not there. fn must be short and must not come back here. With `soft` a block that is
    /// not there is an Error(not_cached) instead. Throws what TableReader::read_block throws.
    template <class Fn>
    auto with_block(const TableReader& table, std::uint32_t number, std::uint32_t block, bool soft, Fn&& fn) {
        const std::uint64_t key = std::uint64_t{number} << 32 | block;
        Shard& shard = shard_of(key);
        {
            const std::lock_guard lock(shard.mutex);
            if (const Node* node = shard.touch(key)) {
                ++shard.hits;
                return fn(node->raw);
            }
        }
        if (soft) throw_not_cached();
        std::vector<std::uint8_t> raw;
        table.read_block(block, raw); // without the lock: others go on meanwhile
        const std::lock_guard lock(shard.mutex);
        ++shard.misses;
        return fn(shard.insert(key, std::move(raw), limit_.load(std::memory_order_relaxed) / kShards).raw);
    }

    /// Takes effect at once: blocks beyond the new limit are dropped.
    void set_limit(std::uint64_t bytes);
    CacheStatistics statistics() const;
    void clear();

private:
    static constexpr std::size_t kShards = 64;
    struct Node {
        std::uint64_t key;
        std::vector<std::uint8_t> raw;
    };
    struct alignas(64) Shard {
        mutable std::mutex mutex;
        std::list<Node> order; ///< most recently used first
        std::unordered_map<std::uint64_t, std::list<Node>::iterator> nodes;
        std::uint64_t bytes = 0, hits = 0, misses = 0, evictions = 0;

        const Node* touch(std::uint64_t key);
        const Node& insert(std::uint64_t key, std::vector<std::uint8_t> raw, std::uint64_t limit);
        void shrink(std::uint64_t limit, std::size_t keep);
    };
    Shard& shard_of(std::uint64_t key) { return shards_[(key * 0x9E3779B97F4A7C15ULL) >> 58]; }
    [[noreturn]] static void throw_not_cached();

    std::atomic<std::uint64_t> limit_;
    std::unique_ptr<Shard[]> shards_;
};

} // namespace mill

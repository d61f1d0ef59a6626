#include "mill/probe/block_cache.h"

#include "mill/error.h"

namespace mill {

namespace {
/// What a block costs beside its bytes: list node, map node, vector.
constexpr std::uint64_t kOverhead = 160;
} // namespace

BlockCache::BlockCache(std::uint64_t bytes) : limit_(bytes), shards_(std::make_unique<Shard[]>(kShards)) {}

const BlockCache::Node* BlockCache::Shard::touch(std::uint64_t key) {
    if (!order.empty() && order.front().key == key) return &order.front();
    const auto it = nodes.find(key);
    if (it == nodes.end()) return nullptr;
    order.splice(order.begin(), order, it->second);
    return &order.front();
}

const BlockCache::Node& BlockCache::Shard::insert(std::uint64_t key, std::vector<std::uint8_t> raw,
                                                  std::uint64_t limit) {
    if (const Node* there = touch(key)) return *there; // another thread was faster
    order.push_front({key, std::move(raw)});
    nodes.emplace(key, order.begin());
    bytes += order.front().raw.capacity() + kOverhead;
    shrink(limit, 1); // the new block is about to be read
    return order.front();
}

void BlockCache::Shard::shrink(std::uint64_t limit, std::size_t keep) {
    while (bytes > limit && order.size() > keep) {
        bytes -= order.back().raw.capacity() + kOverhead;
        nodes.erase(order.back().key);
        order.pop_back();
        ++evictions;
    }
}

void BlockCache::set_limit(std::uint64_t bytes) {
    limit_.store(bytes, std::memory_order_relaxed);
    for (std::size_t s = 0; s < kShards; ++s) {
        const std::lock_guard lock(shards_[s].mutex);
        shards_[s].shrink(bytes / kShards, 0);
    }
}

CacheStatistics BlockCache::statistics() const {
    CacheStatistics total;
    total.limit = limit_.load(std::memory_order_relaxed);
    for (std::size_t s = 0; s < kShards; ++s) {
        const Shard& shard = shards_[s];
        const std::lock_guard lock(shard.mutex);
        total.hits += shard.hits;
        total.misses += shard.misses;
        total.evictions += shard.evictions;
        total.bytes += shard.bytes;
        total.blocks += shard.order.size();
    }
    return total;
}

void BlockCache::clear() {
    for (std::size_t s = 0; s < kShards; ++s) {
        const std::lock_guard lock(shards_[s].mutex);
        shards_[s].shrink(0, 0);
    }
}

void BlockCache::throw_not_cached() { throw Error(ErrorCode::not_cached, "the block is not in the cache"); }

} // namespace mill

#include "probe/tables/block_cache.h"

namespace mill {

namespace {
// What a block costs beside its bytes: the slot, the hash entry, the allocator.
constexpr std::uint64_t kOverhead = 128;
} // namespace

std::uint64_t BlockCache::bytes_of(const Block& block) { return block.capacity() + kOverhead; }

bool BlockCache::contains(std::uint64_t key) const {
    const Shard& shard = shards_[(mix(key) >> 20) % kShards];
    const std::lock_guard lock(shard.mutex);
    return shard.places.contains(key);
}

void BlockCache::insert(std::uint64_t key, Block&& block) {
    const std::uint64_t bytes = bytes_of(block);
    if (bytes > limit_.load(std::memory_order_relaxed)) return;
    {
        Shard& shard = shard_of(key);
        const std::lock_guard lock(shard.mutex);
        const auto place = static_cast<std::uint32_t>(shard.slots.size());
        if (!shard.places.emplace(key, place).second) return; // another thread was faster
        shard.slots.push_back({key, std::move(block), true});
        bytes_.fetch_add(bytes, std::memory_order_relaxed);
    }
    shrink();
}

/// Second chance: the hand passes over blocks that were used since it last came by.
std::uint64_t BlockCache::evict_one(Shard& shard) {
    if (shard.slots.empty()) return 0;
    while (true) {
        if (shard.hand >= shard.slots.size()) shard.hand = 0;
        Slot& slot = shard.slots[shard.hand];
        if (!slot.used) break;
        slot.used = false;
        ++shard.hand;
    }
    Slot& victim = shard.slots[shard.hand];
    const std::uint64_t bytes = bytes_of(victim.block);
    shard.places.erase(victim.key);
    if (&victim != &shard.slots.back()) {
        victim = std::move(shard.slots.back());
        shard.places[victim.key] = static_cast<std::uint32_t>(shard.hand);
    }
    shard.slots.pop_back();
    ++shard.evictions;
    return bytes;
}

void BlockCache::shrink() {
    // Shards give in turn, so that none starves. All of them empty ends the loop, whatever the count says.
    std::size_t empty = 0;
    while (bytes_.load(std::memory_order_relaxed) > limit_.load(std::memory_order_relaxed) &&
           empty < kShards) {
        Shard& shard = shards_[next_victim_.fetch_add(1, std::memory_order_relaxed) % kShards];
        const std::lock_guard lock(shard.mutex);
        const std::uint64_t freed = evict_one(shard);
        bytes_.fetch_sub(freed, std::memory_order_relaxed);
        empty = freed ? 0 : empty + 1;
    }
}

void BlockCache::set_limit(std::uint64_t bytes) {
    limit_.store(bytes, std::memory_order_relaxed);
    shrink();
}

void BlockCache::clear() {
    for (Shard& shard : shards_) {
        const std::lock_guard lock(shard.mutex);
        for (const Slot& slot : shard.slots)
            bytes_.fetch_sub(bytes_of(slot.block), std::memory_order_relaxed);
        shard.slots.clear();
        shard.places.clear();
        shard.hand = 0;
    }
}

CacheStats BlockCache::stats() const {
    CacheStats total;
    for (const Shard& shard : shards_) {
        const std::lock_guard lock(shard.mutex);
        total.hits += shard.hits;
        total.misses += shard.misses;
        total.evictions += shard.evictions;
        total.blocks += shard.slots.size();
    }
    total.bytes = bytes_.load(std::memory_order_relaxed);
    total.limit = limit_.load(std::memory_order_relaxed);
    return total;
}

} // namespace mill

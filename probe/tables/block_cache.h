// Decompressed blocks, kept within a limit of bytes.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

namespace mill {

struct CacheStats {
    std::uint64_t hits = 0, misses = 0, evictions = 0;
    std::uint64_t blocks = 0, bytes = 0; ///< held now
    std::uint64_t limit = 0;
};

/// A cache from keys to blocks of bytes, for any number of threads.
///
/// Blocks are looked at under the lock of their shard and never handed out: looking takes a few
/// nanoseconds, less than the two atomic counts that sharing the ownership of a block would cost, and a
/// popular block has no counter that all threads fight for. Reading and decompressing happen without a lock;
/// two threads that miss the same block both read it, and one copy is kept.
class BlockCache {
public:
    using Block = std::vector<std::uint8_t>;
    using Bytes = std::span<const std::uint8_t>;

    explicit BlockCache(std::uint64_t limit) : limit_(limit) {}
    BlockCache(const BlockCache&) = delete;
    BlockCache& operator=(const BlockCache&) = delete;

    /// Calls look(Bytes) with the block if it is here. Returns whether it is.
    template <class Look> bool peek(std::uint64_t key, Look&& look) {
        Shard& shard = shard_of(key);
        const std::lock_guard lock(shard.mutex);
        const auto it = shard.places.find(key);
        if (it == shard.places.end()) {
            ++shard.misses;
            return false;
        }
        ++shard.hits;
        Slot& slot = shard.slots[it->second];
        slot.used = true;
        look(Bytes(slot.block));
        return true;
    }

    /// Whether a block is here; counts neither as a hit nor as a use.
    bool contains(std::uint64_t key) const;

    /// Calls look(Bytes) with the block, which load(Block&) makes if it is not here. What load throws
    /// goes to the caller, and nothing is kept.
    template <class Load, class Look> void get(std::uint64_t key, Load&& load, Look&& look) {
        if (peek(key, look)) return;
        Block block;
        load(block);
        look(Bytes(block));
        insert(key, std::move(block));
    }

    /// Changes the limit; blocks beyond it are dropped before this returns.
    void set_limit(std::uint64_t bytes);
    CacheStats stats() const;
    void clear();

private:
    struct Slot {
        std::uint64_t key;
        Block block;
        bool used; ///< since the hand last passed
    };
    struct Hash {
        std::size_t operator()(std::uint64_t key) const { return static_cast<std::size_t>(mix(key)); }
    };
    struct alignas(64) Shard {
        mutable std::mutex mutex;
        std::unordered_map<std::uint64_t, std::uint32_t, Hash> places; ///< key to number in `slots`
        std::vector<Slot> slots;
        std::size_t hand = 0;
        std::uint64_t hits = 0, misses = 0, evictions = 0;
    };
    static constexpr std::size_t kShards = 64;

    static std::uint64_t mix(std::uint64_t key) {
        key *= 0x9E3779B97F4A7C15U;
        return key ^ (key >> 32);
    }
    Shard& shard_of(std::uint64_t key) { return shards_[(mix(key) >> 20) % kShards]; }
    static std::uint64_t bytes_of(const Block& block);

    void insert(std::uint64_t key, Block&& block);
    void shrink();
    std::uint64_t evict_one(Shard& shard);

    std::atomic<std::uint64_t> limit_;
    std::atomic<std::uint64_t> bytes_{0};
    std::atomic<std::uint32_t> next_victim_{0}; ///< shard that gives up a block next
    std::array<Shard, kShards> shards_;
};

} // namespace mill

// Crossing between the two layouts: a position that is decided in one row is announced to a row of
// the other layout. Announcements are collected per thread and per partition of target rows and
// applied partition by partition, each by one thread: memory is written where it is cached, and no
// atomics are needed. What they say commutes, so results do not depend on threads.
#pragma once

#include "builder/machine/memory.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace mill::builder {

/// Most partitions of one target.
inline constexpr int kMaxPartitions = 512;

/// One thread's outgoing messages of type T (plain data). The hot path is push(); everything that
/// allocates lives in messages.cpp so that kernels compiled for other processors stay free of it.
template <class T> struct Sink {
    T* cursor[kMaxPartitions];
    T* limit[kMaxPartitions];
    int shift = 0;         ///< partition = key >> shift
    void* owner = nullptr; ///< the Messages object
    int thread = 0;
};

/// Opens a new chunk for a partition.
void grow(Sink<std::uint32_t>& sink, std::uint32_t partition);
void grow(Sink<std::uint64_t>& sink, std::uint32_t partition);

template <class T> class Messages {
public:
    static constexpr std::size_t kChunk = 16384 / sizeof(T);
    static constexpr std::size_t kChunksOfSlab = 128; ///< chunks are made by slabs of one huge page

    /// `shift`: partition of a key is key >> shift (key: the low 32 bits of a message).
    Messages(int threads, int shift, int partitions);

    Sink<T>& sink(int thread) { return sinks_[static_cast<std::size_t>(thread)]; }
    int partitions() const { return partitions_; }
    bool empty() const;

    /// Calls fn(const T* begin, const T* end) for every run of messages of a partition.
    template <class Fn> void each(int partition, Fn&& fn) const {
        for (std::size_t t = 0; t < sinks_.size(); ++t) {
            const auto& list = chunks_[t * kMaxPartitions + static_cast<std::size_t>(partition)];
            for (std::size_t c = 0; c < list.size(); ++c) {
                const T* begin = list[c];
                const T* end = c + 1 == list.size() ? sinks_[t].cursor[partition] : begin + kChunk;
                fn(begin, end);
            }
        }
    }
    /// Forgets all messages.
    void clear();

private:
    template <class U> friend void grow_in(Sink<U>&, std::uint32_t);

    int partitions_;
    std::vector<Sink<T>> sinks_;
    std::vector<std::vector<T*>> chunks_;         ///< [thread * kMaxPartitions + partition]
    std::vector<std::vector<HugeArray<T>>> pool_; ///< per thread: slabs of chunks
    std::vector<std::size_t> used_;               ///< per thread: chunks in use
};

extern template class Messages<std::uint32_t>;
extern template class Messages<std::uint64_t>;

} // namespace mill::builder

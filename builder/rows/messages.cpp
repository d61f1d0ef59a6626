#include "builder/rows/messages.h"

namespace mill::builder {

template <class T>
Messages<T>::Messages(int threads, int shift, int partitions)
    : partitions_(partitions), sinks_(static_cast<std::size_t>(threads)),
      chunks_(static_cast<std::size_t>(threads) * kMaxPartitions), pool_(static_cast<std::size_t>(threads)),
      used_(static_cast<std::size_t>(threads), 0) {
    for (int t = 0; t < threads; ++t) {
        Sink<T>& s = sinks_[static_cast<std::size_t>(t)];
        for (int p = 0; p < kMaxPartitions; ++p) s.cursor[p] = s.limit[p] = nullptr;
        s.shift = shift;
        s.owner = this;
        s.thread = t;
    }
}

template <class T> bool Messages<T>::empty() const {
    for (const auto& list : chunks_)
        if (!list.empty()) return false;
    return true;
}

template <class T> void Messages<T>::clear() {
    for (auto& list : chunks_) list.clear();
    for (auto& pool : pool_) pool.clear(); // the slabs stay at hand as spare memory
    for (auto& used : used_) used = 0;
    for (auto& s : sinks_)
        for (int p = 0; p < kMaxPartitions; ++p) s.cursor[p] = s.limit[p] = nullptr;
}

template <class T> void grow_in(Sink<T>& sink, std::uint32_t partition) {
    auto& m = *static_cast<Messages<T>*>(sink.owner);
    const auto t = static_cast<std::size_t>(sink.thread);
    auto& pool = m.pool_[t];
    const std::size_t slab = m.used_[t] / Messages<T>::kChunksOfSlab;
    if (slab == pool.size()) pool.emplace_back(Messages<T>::kChunksOfSlab * Messages<T>::kChunk, Fill::none);
    T* chunk = pool[slab].data() + m.used_[t]++ % Messages<T>::kChunksOfSlab * Messages<T>::kChunk;
    m.chunks_[t * kMaxPartitions + partition].push_back(chunk);
    sink.cursor[partition] = chunk;
    sink.limit[partition] = chunk + Messages<T>::kChunk;
}

void grow(Sink<std::uint32_t>& sink, std::uint32_t partition) { grow_in(sink, partition); }
void grow(Sink<std::uint64_t>& sink, std::uint32_t partition) { grow_in(sink, partition); }

template class Messages<std::uint32_t>;
template class Messages<std::uint64_t>;

} // namespace mill::builder

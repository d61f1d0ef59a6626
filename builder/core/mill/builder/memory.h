// Large zeroed arrays on huge pages.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

namespace mill::builder {

/// Maps `bytes` zeroed bytes, on huge pages where the system grants them. Throws Error(out_of_memory).
void* map_zeroed(std::size_t bytes);
void unmap(void* at, std::size_t bytes) noexcept;
/// Returns to the system what unmap() kept for reuse.
void release_spare_memory() noexcept;

/// Most resident memory of this process, bytes, since the last reset_peak_memory(); 0 where the system
/// does not tell.
std::uint64_t peak_memory();
void reset_peak_memory();

/// Owner of such an array of plain data.
template <class T> class HugeArray {
public:
    HugeArray() = default;
    explicit HugeArray(std::size_t count)
        : data_(static_cast<T*>(map_zeroed(count * sizeof(T)))), count_(count) {}
    HugeArray(HugeArray&& o) noexcept
        : data_(std::exchange(o.data_, nullptr)), count_(std::exchange(o.count_, 0)) {}
    HugeArray& operator=(HugeArray&& o) noexcept {
        std::swap(data_, o.data_);
        std::swap(count_, o.count_);
        return *this;
    }
    ~HugeArray() { unmap(data_, count_ * sizeof(T)); }

    T* data() { return data_; }
    const T* data() const { return data_; }
    std::size_t size() const { return count_; }
    T& operator[](std::size_t i) { return data_[i]; }
    const T& operator[](std::size_t i) const { return data_[i]; }

private:
    T* data_ = nullptr;
    std::size_t count_ = 0;
};

} // namespace mill::builder

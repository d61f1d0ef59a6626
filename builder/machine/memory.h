// Large arrays on huge pages.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

namespace mill::builder {

enum class Fill : std::uint8_t {
    zero,
    none ///< whatever was there: for arrays that are written before they are read
};

/// `bytes` bytes aligned for vectors, on huge pages where the system grants them; small amounts come from
/// the heap. Throws Error(out_of_memory).
void* map_memory(std::size_t bytes, Fill fill);
/// Gives back what map_memory() gave, for reuse.
void unmap(void* at, std::size_t bytes) noexcept;
/// Returns to the system what unmap() kept for reuse, if it is more than `keep` bytes.
void release_spare_memory(std::size_t keep = 0) noexcept;

/// What unmap() keeps for reuse, bytes.
std::uint64_t spare_memory();
/// Resident memory of this process, bytes; 0 where the system does not tell.
std::uint64_t resident_memory();
/// Most resident memory of this process, bytes, since the last reset_peak_memory(); 0 where the system
/// does not tell.
std::uint64_t peak_memory();
void reset_peak_memory();

/// Owner of such an array of plain data.
template <class T> class HugeArray {
public:
    HugeArray() = default;
    explicit HugeArray(std::size_t count, Fill fill = Fill::zero)
        : data_(static_cast<T*>(map_memory(count * sizeof(T), fill))), count_(count) {}
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
    bool empty() const { return count_ == 0; }
    T* begin() { return data_; }
    T* end() { return data_ + count_; }
    const T* begin() const { return data_; }
    const T* end() const { return data_ + count_; }
    T& operator[](std::size_t i) { return data_[i]; }
    const T& operator[](std::size_t i) const { return data_[i]; }

    friend bool operator==(const HugeArray& a, const HugeArray& b) {
        return a.count_ == b.count_ &&
               (a.count_ == 0 || std::memcmp(a.data_, b.data_, a.count_ * sizeof(T)) == 0);
    }

private:
    T* data_ = nullptr;
    std::size_t count_ = 0;
};

} // namespace mill::builder

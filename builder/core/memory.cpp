#include "mill/builder/memory.h"

#include "mill/error.h"

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <mutex>
#include <string>
#include <sys/mman.h>

namespace mill::builder {

namespace {

constexpr std::size_t kPage = std::size_t{2} << 20;
/// Less than this comes from the heap: games of few pieces have thousands of tables of some bytes.
constexpr std::size_t kSmallest = std::size_t{1} << 20;
std::size_t rounded(std::size_t bytes) { return (bytes + kPage - 1) / kPage * kPage; }

/// Mappings given back and not yet returned to the system: first touches cost more than clearing. A
/// fresh mapping first returns as much as it takes, so that the peak is that of the arrays in use.
/// Neighbours grow together, so that what was cut up serves large arrays again.
class Spare {
public:
    /// nullptr if there is none of that size.
    void* take(std::size_t size) {
        const std::lock_guard lock(mutex_);
        const auto it = by_size_.lower_bound(size);
        if (it == by_size_.end()) return nullptr;
        const Range r{it->second, it->first};
        forget(r);
        if (r.size > size) add({r.at + size, r.size - size});
        return r.at;
    }
    void give(char* at, std::size_t size) {
        const std::lock_guard lock(mutex_);
        Range r{at, size};
        auto next = by_place_.lower_bound(at);
        if (next != by_place_.begin()) {
            const auto before = std::prev(next);
            if (before->first + before->second == at) {
                const Range left{before->first, before->second};
                forget(left);
                r = {left.at, left.size + r.size};
                next = by_place_.lower_bound(at);
            }
        }
        if (next != by_place_.end() && next->first == r.at + r.size) {
            const Range right{next->first, next->second};
            forget(right);
            r.size += right.size;
        }
        add(r);
    }
    std::size_t bytes() {
        const std::lock_guard lock(mutex_);
        std::size_t sum = 0;
        for (const auto& [size, at] : by_size_) sum += size;
        return sum;
    }
    /// Returns at least `bytes` to the system, or all there is.
    void release(std::size_t bytes) {
        const std::lock_guard lock(mutex_);
        for (std::size_t freed = 0; freed < bytes && !by_size_.empty();) {
            const auto largest = std::prev(by_size_.end());
            const Range r{largest->second, largest->first};
            forget(r);
            munmap(r.at, r.size);
            freed += r.size;
        }
    }

private:
    struct Range {
        char* at;
        std::size_t size;
    };
    void add(Range r) {
        by_size_.emplace(r.size, r.at);
        by_place_.emplace(r.at, r.size);
    }
    void forget(Range r) {
        by_place_.erase(r.at);
        for (auto it = by_size_.lower_bound(r.size);; ++it)
            if (it->second == r.at) {
                by_size_.erase(it);
                return;
            }
    }

    std::mutex mutex_;
    std::multimap<std::size_t, char*> by_size_;
    std::map<char*, std::size_t> by_place_;
};
Spare& spare() {
    static Spare s;
    return s;
}

/// On all threads: clearing gigabytes on one is the longest serial part of a solve.
void clear(void* at, std::size_t size) {
    const auto pages = static_cast<std::ptrdiff_t>(size / kPage);
#pragma omp parallel for schedule(static) if (pages > 32)
    for (std::ptrdiff_t p = 0; p < pages; ++p)
        std::memset(static_cast<char*>(at) + static_cast<std::size_t>(p) * kPage, 0, kPage);
}

[[noreturn]] void fail(std::size_t bytes) {
    throw Error(ErrorCode::out_of_memory, "cannot allocate " + std::to_string(bytes) + " bytes");
}

} // namespace

void* map_memory(std::size_t bytes, Fill fill) {
    if (bytes == 0) return nullptr;
    if (bytes < kSmallest) {
        constexpr std::size_t kVector = 64; // kernels load whole vectors
        const std::size_t size = (bytes + kVector - 1) / kVector * kVector;
        void* at = std::aligned_alloc(kVector, size);
        if (!at) fail(size);
        if (fill == Fill::zero) std::memset(at, 0, size);
        return at;
    }
    const std::size_t size = rounded(bytes);
    if (void* at = spare().take(size)) {
        if (fill == Fill::zero) clear(at, size);
        return at;
    }
    spare().release(size);
    void* at = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (at == MAP_FAILED) fail(size);
    madvise(at, size, MADV_HUGEPAGE); // a hint: small pages work as well
    return at;
}

void unmap(void* at, std::size_t bytes) noexcept {
    if (!at) return;
    if (bytes < kSmallest) return std::free(at);
    try {
        spare().give(static_cast<char*>(at), rounded(bytes));
    } catch (...) { // no memory for the book-keeping
        munmap(at, rounded(bytes));
    }
}

void release_spare_memory(std::size_t keep) noexcept {
    try {
        if (spare().bytes() > keep) spare().release(~std::size_t{0});
    } catch (...) { // a mutex that cannot be locked: nothing is released
    }
}

std::uint64_t peak_memory() {
    std::ifstream status("/proc/self/status");
    for (std::string word; status >> word;)
        if (word == "VmHWM:") {
            std::uint64_t kib = 0;
            status >> kib;
            return kib << 10;
        }
    return 0;
}

void reset_peak_memory() {
    std::ofstream("/proc/self/clear_refs")
        << 5; // see proc(5); without it the peak is that of the process so far
}

} // namespace mill::builder

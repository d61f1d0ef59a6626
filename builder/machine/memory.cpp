#include "builder/machine/memory.h"

#include "rules/error.h"

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <sys/mman.h>

namespace mill::builder {

namespace {

constexpr std::size_t kPage = std::size_t{2} << 20;
/// Less than this comes from the heap: games of few pieces have thousands of tables of some bytes.
constexpr std::size_t kSmallest = std::size_t{1} << 20;
std::size_t rounded(std::size_t bytes) { return (bytes + kPage - 1) / kPage * kPage; }

/// Mappings given back and not yet returned to the system: first touches cost more than clearing. A
/// fresh mapping first returns as much as it takes, so that the peak is that of the arrays in use.
/// Neighbours grow together, so that what was cut up serves large arrays again; hence ranges are few, and
/// looking at all of them costs nothing beside the pages. Only give() may allocate, and fails before it
/// changes anything.
class Spare {
public:
    /// The smallest range of that size or more, cut; nullptr if there is none.
    void* take(std::size_t size) {
        const std::lock_guard lock(mutex_);
        auto best = ranges_.end();
        for (auto it = ranges_.begin(); it != ranges_.end(); ++it)
            if (it->second >= size && (best == ranges_.end() || it->second < best->second)) best = it;
        if (best == ranges_.end()) return nullptr;
        char* const end = best->first + best->second;
        best->second -= size;
        if (best->second == 0) ranges_.erase(best);
        return end - size;
    }
    void give(char* at, std::size_t size) {
        const std::lock_guard lock(mutex_);
        const auto next = ranges_.lower_bound(at);
        auto mine = ranges_.end();
        if (next != ranges_.begin() && std::prev(next)->first + std::prev(next)->second == at) {
            mine = std::prev(next);
            mine->second += size;
        } else mine = ranges_.emplace_hint(next, at, size);
        if (next == ranges_.end() || next->first != at + size) return;
        mine->second += next->second;
        ranges_.erase(next);
    }
    std::size_t bytes() {
        const std::lock_guard lock(mutex_);
        std::size_t sum = 0;
        for (const auto& [at, size] : ranges_) sum += size;
        return sum;
    }
    /// Returns at least `bytes` to the system, or all there is.
    void release(std::size_t bytes) {
        const std::lock_guard lock(mutex_);
        for (std::size_t freed = 0; freed < bytes && !ranges_.empty(); ranges_.erase(ranges_.begin())) {
            freed += ranges_.begin()->second;
            munmap(ranges_.begin()->first, ranges_.begin()->second);
        }
    }

private:
    std::mutex mutex_;
    std::map<char*, std::size_t> ranges_; ///< by place: size
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

namespace {

/// A line of /proc/self/status, bytes.
std::uint64_t status_of_process(std::string_view line) {
    std::ifstream status("/proc/self/status");
    for (std::string word; status >> word;)
        if (word == line) {
            std::uint64_t kib = 0;
            status >> kib;
            return kib << 10;
        }
    return 0;
}

} // namespace

std::uint64_t spare_memory() { return spare().bytes(); }
std::uint64_t resident_memory() { return status_of_process("VmRSS:"); }
std::uint64_t peak_memory() { return status_of_process("VmHWM:"); }

void reset_peak_memory() {
    std::ofstream("/proc/self/clear_refs")
        << 5; // see proc(5); without it the peak is that of the process so far
}

} // namespace mill::builder

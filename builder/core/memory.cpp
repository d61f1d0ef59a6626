#include "mill/builder/memory.h"

#include "mill/error.h"

#include <cstring>
#include <fstream>
#include <map>
#include <mutex>
#include <string>
#include <sys/mman.h>

namespace mill::builder {

namespace {

constexpr std::size_t kPage = std::size_t{2} << 20;
std::size_t rounded(std::size_t bytes) { return (bytes + kPage - 1) / kPage * kPage; }

/// Mappings given back and not yet returned to the system: first touches cost more than clearing. A
/// fresh mapping first returns as much as it takes, so that the peak is that of the arrays in use.
struct Spare {
    std::mutex mutex;
    std::multimap<std::size_t, void*> by_size;
};
Spare& spare() {
    static Spare s;
    return s;
}

} // namespace

void* map_zeroed(std::size_t bytes) {
    if (bytes == 0) return nullptr;
    const std::size_t size = rounded(bytes);
    {
        Spare& s = spare();
        const std::lock_guard lock(s.mutex);
        const auto it = s.by_size.lower_bound(size);
        if (it != s.by_size.end()) {
            void* at = it->second;
            // What is left over stays spare.
            if (it->first > size) s.by_size.emplace(it->first - size, static_cast<char*>(at) + size);
            s.by_size.erase(it);
            std::memset(at, 0, size);
            return at;
        }
        for (std::size_t freed = 0; freed < size && !s.by_size.empty();) {
            const auto largest = std::prev(s.by_size.end());
            freed += largest->first;
            munmap(largest->second, largest->first);
            s.by_size.erase(largest);
        }
    }
    void* at = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (at == MAP_FAILED)
        throw Error(ErrorCode::out_of_memory, "cannot allocate " + std::to_string(size) + " bytes");
    madvise(at, size, MADV_HUGEPAGE); // a hint: small pages work as well
    return at;
}

void unmap(void* at, std::size_t bytes) noexcept {
    if (!at) return;
    try {
        Spare& s = spare();
        const std::lock_guard lock(s.mutex);
        s.by_size.emplace(rounded(bytes), at);
    } catch (...) {
        munmap(at, rounded(bytes));
    }
}

void release_spare_memory() noexcept {
    Spare& s = spare();
    const std::lock_guard lock(s.mutex);
    for (const auto& [size, at] : s.by_size) munmap(at, size);
    s.by_size.clear();
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

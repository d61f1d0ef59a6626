#include "mill/builder/memory.h"

#include "mill/error.h"

#include <string>
#include <sys/mman.h>

namespace mill::builder {

void* map_zeroed(std::size_t bytes) {
    if (bytes == 0) return nullptr;
    void* at = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (at == MAP_FAILED)
        throw Error(ErrorCode::out_of_memory, "cannot allocate " + std::to_string(bytes) + " bytes");
    madvise(at, bytes, MADV_HUGEPAGE); // a hint: small pages work as well
    return at;
}

void unmap(void* at, std::size_t bytes) noexcept {
    if (at) munmap(at, bytes);
}

} // namespace mill::builder

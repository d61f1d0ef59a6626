#include "mill/probe/mapped_file.h"

#include "mill/error.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace mill {

namespace {

[[noreturn]] void fail(const std::string& what, int error) {
    throw Error(ErrorCode::io, what + ": " + std::strerror(error));
}

/// Closes a descriptor at the end of a scope.
struct Descriptor {
    int fd;
    ~Descriptor() {
        if (fd >= 0) close(fd);
    }
};

class MappedFile : public ByteSource {
public:
    explicit MappedFile(const std::string& path) {
        const Descriptor file{open(path.c_str(), O_RDONLY | O_CLOEXEC)};
        if (file.fd < 0) {
            if (errno == ENOENT) throw Error(ErrorCode::missing_table, "no table file " + path);
            fail("cannot open " + path, errno);
        }
        struct stat status {};
        if (fstat(file.fd, &status) != 0) fail("cannot read " + path, errno);
        if (!S_ISREG(status.st_mode)) fail("cannot read " + path, EINVAL);
        size_ = static_cast<std::uint64_t>(status.st_size);
        if (size_ == 0) return;
        void* at = mmap(nullptr, size_, PROT_READ, MAP_SHARED, file.fd, 0);
        if (at == MAP_FAILED) fail("cannot map " + path, errno);
        at_ = static_cast<std::uint8_t*>(at);
        madvise(at, size_, MADV_RANDOM);
    }
    ~MappedFile() override {
        if (at_) munmap(at_, size_);
    }
    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;

    std::uint64_t size() const override { return size_; }
    void read(std::uint64_t offset, std::span<std::uint8_t> to) const override {
        const auto from = view(offset, to.size());
        if (!to.empty()) std::memcpy(to.data(), from.data(), to.size());
    }
    std::span<const std::uint8_t> view(std::uint64_t offset, std::size_t n) const override {
        if (offset > size_ || n > size_ - offset)
            throw Error(ErrorCode::corrupt_table, "read past the end of the file");
        return {at_ + offset, n};
    }
    void prefetch(std::uint64_t offset, std::size_t n) const override {
        if (n == 0 || offset > size_ || n > size_ - offset) return;
        const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
        const std::uint64_t begin = offset / page * page;
        madvise(at_ + begin, offset + n - begin, MADV_WILLNEED);
    }

private:
    std::uint8_t* at_ = nullptr;
    std::uint64_t size_ = 0;
};

} // namespace

std::unique_ptr<ByteSource> map_file(const std::string& path) { return std::make_unique<MappedFile>(path); }

} // namespace mill

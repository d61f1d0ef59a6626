#include "mill/probe/table_reader.h"

#include "mill/error.h"

#include <cerrno>
#include <cstdio>
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

void check_range(std::uint64_t offset, std::size_t n, std::uint64_t size) {
    if (offset > size || n > size - offset)
        throw Error(ErrorCode::corrupt_table, "read past the end of the file");
}

class File {
public:
    explicit File(const std::string& path) : path_(path), fd_(open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
        if (fd_ < 0) {
            if (errno == ENOENT) throw Error(ErrorCode::missing_table, "no table file " + path);
            fail("cannot open " + path, errno);
        }
        struct stat st {};
        if (fstat(fd_, &st) != 0 || !S_ISREG(st.st_mode)) {
            const int error = S_ISREG(st.st_mode) ? errno : EINVAL;
            close(fd_);
            fail("cannot read " + path, error);
        }
        size_ = static_cast<std::uint64_t>(st.st_size);
    }
    ~File() { close(fd_); }
    File(const File&) = delete;
    File& operator=(const File&) = delete;

    const std::string& path() const { return path_; }
    int fd() const { return fd_; }
    std::uint64_t size() const { return size_; }

private:
    std::string path_;
    int fd_;
    std::uint64_t size_ = 0;
};

class ReadSource : public ByteSource {
public:
    explicit ReadSource(const std::string& path) : file_(path) {}
    std::uint64_t size() const override { return file_.size(); }
    void read(std::uint64_t offset, std::span<std::uint8_t> to) const override {
        check_range(offset, to.size(), size());
        for (std::size_t done = 0; done < to.size();) {
            const ssize_t n =
                pread(file_.fd(), to.data() + done, to.size() - done, static_cast<off_t>(offset + done));
            if (n < 0 && errno == EINTR) continue;
            if (n < 0) fail("cannot read " + file_.path(), errno);
            if (n == 0)
                throw Error(ErrorCode::corrupt_table, file_.path() + " has become shorter while in use");
            done += static_cast<std::size_t>(n);
        }
    }
    void prefetch(std::uint64_t offset, std::size_t n) const override {
        posix_fadvise(file_.fd(), static_cast<off_t>(offset), static_cast<off_t>(n), POSIX_FADV_WILLNEED);
    }

protected:
    File file_;
};

class MapSource : public ReadSource {
public:
    explicit MapSource(const std::string& path) : ReadSource(path) {
        if (size() == 0) return;
        void* at = mmap(nullptr, size(), PROT_READ, MAP_SHARED, file_.fd(), 0);
        if (at == MAP_FAILED) fail("cannot map " + path, errno);
        at_ = static_cast<const std::uint8_t*>(at);
        madvise(at, size(), MADV_RANDOM);
    }
    ~MapSource() override {
        if (at_) munmap(const_cast<std::uint8_t*>(at_), size());
    }
    std::span<const std::uint8_t> view(std::uint64_t offset, std::size_t n) const override {
        check_range(offset, n, size());
        return {at_ + offset, n};
    }
    void prefetch(std::uint64_t offset, std::size_t n) const override {
        if (offset > size() || n > size() - offset || n == 0) return;
        const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
        const std::uint64_t begin = offset / page * page;
        madvise(const_cast<std::uint8_t*>(at_) + begin, offset + n - begin, MADV_WILLNEED);
    }

private:
    const std::uint8_t* at_ = nullptr;
};

class MemorySource : public ByteSource {
public:
    explicit MemorySource(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}
    std::uint64_t size() const override { return bytes_.size(); }
    void read(std::uint64_t offset, std::span<std::uint8_t> to) const override {
        check_range(offset, to.size(), size());
        if (!to.empty()) std::memcpy(to.data(), bytes_.data() + offset, to.size());
    }
    std::span<const std::uint8_t> view(std::uint64_t offset, std::size_t n) const override {
        check_range(offset, n, size());
        return bytes_.subspan(offset, n);
    }

private:
    std::span<const std::uint8_t> bytes_;
};

class CallbackSource : public ByteSource {
public:
    using Read = std::function<bool(std::uint64_t, std::span<std::uint8_t>)>;
    CallbackSource(std::uint64_t size, Read read) : size_(size), read_(std::move(read)) {}
    std::uint64_t size() const override { return size_; }
    void read(std::uint64_t offset, std::span<std::uint8_t> to) const override {
        check_range(offset, to.size(), size_);
        if (!read_(offset, to)) throw Error(ErrorCode::io, "the caller's read function failed");
    }

private:
    std::uint64_t size_;
    Read read_;
};

std::uint64_t little(const std::uint8_t* at, int bytes) {
    std::uint64_t v = 0;
    for (int i = 0; i < bytes; ++i) v |= std::uint64_t{at[i]} << (8 * i);
    return v;
}

/// Calls fn with the bytes of a range, in place where the source can.
template <class Fn> void with_bytes(const ByteSource& source, std::uint64_t offset, std::size_t n, Fn&& fn) {
    const std::span<const std::uint8_t> in_place = source.view(offset, n);
    if (in_place.size() == n) return fn(in_place);
    thread_local std::vector<std::uint8_t> buffer;
    buffer.resize(n);
    source.read(offset, buffer);
    fn(std::span<const std::uint8_t>(buffer));
}

} // namespace

std::unique_ptr<ByteSource> open_file(const std::string& path, FileAccess access) {
    if (access == FileAccess::map) return std::make_unique<MapSource>(path);
    return std::make_unique<ReadSource>(path);
}

std::unique_ptr<ByteSource> memory_source(std::span<const std::uint8_t> bytes) {
    return std::make_unique<MemorySource>(bytes);
}

std::unique_ptr<ByteSource>
callback_source(std::uint64_t size, std::function<bool(std::uint64_t, std::span<std::uint8_t>)> read) {
    return std::make_unique<CallbackSource>(size, std::move(read));
}

TableReader::TableReader(std::unique_ptr<ByteSource> source) : source_(std::move(source)) {
    std::array<std::uint8_t, kHeaderSize> header{};
    if (source_->size() < kHeaderSize)
        throw Error(ErrorCode::corrupt_table, "table file has " + std::to_string(source_->size()) +
                                                  " bytes, expected a header of " +
                                                  std::to_string(kHeaderSize));
    source_->read(0, header);
    meta_ = decode_header(header, source_->size());
    const std::uint32_t blocks = meta_.block_count();
    std::vector<std::uint8_t> index(std::size_t{blocks} * kIndexEntrySize);
    source_->read(meta_.index_offset, index);
    if (checksum_of(index) != meta_.index_checksum)
        throw Error(ErrorCode::corrupt_table, "block index: checksum mismatch");
    offsets_.reserve(std::size_t{blocks} + 1);
    checksums_.reserve(blocks);
    std::uint64_t at = kHeaderSize;
    for (std::uint32_t b = 0; b < blocks; ++b) {
        offsets_.push_back(at);
        at += little(&index[std::size_t{b} * kIndexEntrySize], 4);
        checksums_.push_back(little(&index[std::size_t{b} * kIndexEntrySize + 4], 8));
    }
    offsets_.push_back(at);
    if (at != meta_.index_offset)
        throw Error(ErrorCode::corrupt_table, "block index: blocks end at byte " + std::to_string(at) +
                                                  ", expected " + std::to_string(meta_.index_offset));
}

void TableReader::read_block(std::uint32_t block, std::vector<std::uint8_t>& raw) const {
    with_bytes(*source_, offsets_[block], offsets_[block + 1] - offsets_[block],
               [&](std::span<const std::uint8_t> bytes) {
                   decode_block(meta_, block, bytes, checksums_[block], raw);
               });
}

EncodedBlock TableReader::read_encoded(std::uint32_t block) const {
    EncodedBlock out{std::vector<std::uint8_t>(offsets_[block + 1] - offsets_[block]), checksums_[block]};
    source_->read(offsets_[block], out.bytes);
    if (checksum_of(out.bytes) != out.checksum)
        throw Error(ErrorCode::corrupt_table, "table " + table_file_name(meta_.subspace, meta_.metric) +
                                                  ", block " + std::to_string(block) + ": checksum mismatch");
    return out;
}

void TableReader::prefetch(std::uint32_t block) const {
    source_->prefetch(offsets_[block], offsets_[block + 1] - offsets_[block]);
}

void expect_identity(const TableMeta& meta, std::uint64_t fingerprint, Subspace s, Metric m) {
    if (meta.fingerprint != fingerprint) {
        char text[80];
        std::snprintf(text, sizeof text, "table has ruleset fingerprint %016llx, expected %016llx",
                      static_cast<unsigned long long>(meta.fingerprint),
                      static_cast<unsigned long long>(fingerprint));
        throw Error(ErrorCode::wrong_fingerprint, text);
    }
    if (meta.subspace != s || meta.metric != m)
        throw Error(ErrorCode::corrupt_table, "table holds " + table_file_name(meta.subspace, meta.metric) +
                                                  ", expected " + table_file_name(s, m) + " (renamed?)");
}

} // namespace mill

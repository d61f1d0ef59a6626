#include "probe/format/table_reader.h"

#include "probe/codec/small_codec.h"
#include "rules/error.h"
#include "rules/text.h"

#include <algorithm>
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

/// An open regular file.
class File {
public:
    explicit File(const std::string& path) : path_(path) {
        // Without O_NONBLOCK a pipe of that name would hold us up for ever.
        fd_ = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
        if (fd_ < 0) {
            if (errno == ENOENT) throw Error(ErrorCode::missing_table, "no table file " + path);
            fail("cannot open " + path, errno);
        }
        struct stat st {};
        const int error = fstat(fd_, &st) != 0 ? errno : !S_ISREG(st.st_mode) ? EINVAL : 0;
        if (error) {
            close(fd_);
            fail("cannot read " + path, error);
        }
        size_ = static_cast<std::uint64_t>(st.st_size);
    }
    ~File() { close(fd_); }
    File(const File&) = delete;
    File& operator=(const File&) = delete;

    int fd() const { return fd_; }
    std::uint64_t size() const { return size_; }
    void read(std::uint64_t offset, std::span<std::uint8_t> to) const {
        for (std::size_t done = 0; done < to.size();) {
            const ssize_t n =
                pread(fd_, to.data() + done, to.size() - done, static_cast<off_t>(offset + done));
            if (n < 0 && errno == EINTR) continue;
            if (n < 0) fail("cannot read " + path_, errno);
            if (n == 0) throw Error(ErrorCode::corrupt_table, path_ + " has become shorter while in use");
            done += static_cast<std::size_t>(n);
        }
    }
    void prefetch(std::uint64_t offset, std::size_t n) const {
        posix_fadvise(fd_, static_cast<off_t>(offset), static_cast<off_t>(n), POSIX_FADV_WILLNEED);
    }

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
        file_.read(offset, to);
    }
    void prefetch(std::uint64_t offset, std::size_t n) const override { file_.prefetch(offset, n); }

private:
    File file_;
};

class ReopenSource : public ByteSource {
public:
    explicit ReopenSource(const std::string& path) : path_(path), size_(File(path).size()) {}
    std::uint64_t size() const override { return size_; }
    void read(std::uint64_t offset, std::span<std::uint8_t> to) const override {
        check_range(offset, to.size(), size_);
        File(path_).read(offset, to);
    }
    void prefetch(std::uint64_t offset, std::size_t n) const override { File(path_).prefetch(offset, n); }

private:
    std::string path_;
    std::uint64_t size_;
};

class MapSource : public ByteSource {
public:
    explicit MapSource(const std::string& path) {
        const File file(path); // the mapping outlives its descriptor
        size_ = file.size();
        if (size_ == 0) return;
        void* at = mmap(nullptr, size_, PROT_READ, MAP_SHARED, file.fd(), 0);
        if (at == MAP_FAILED) fail("cannot map " + path, errno);
        at_ = static_cast<const std::uint8_t*>(at);
        madvise(at, size_, MADV_RANDOM);
    }
    ~MapSource() override {
        if (at_) munmap(const_cast<std::uint8_t*>(at_), size_);
    }
    MapSource(const MapSource&) = delete;
    MapSource& operator=(const MapSource&) = delete;

    std::uint64_t size() const override { return size_; }
    void read(std::uint64_t offset, std::span<std::uint8_t> to) const override {
        check_range(offset, to.size(), size_);
        if (!to.empty()) std::memcpy(to.data(), at_ + offset, to.size());
    }
    std::span<const std::uint8_t> view(std::uint64_t offset, std::size_t n) const override {
        check_range(offset, n, size_);
        return {at_ + offset, n};
    }
    void prefetch(std::uint64_t offset, std::size_t n) const override {
        if (offset > size_ || n > size_ - offset || n == 0) return;
        const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
        const std::uint64_t begin = offset / page * page;
        madvise(const_cast<std::uint8_t*>(at_) + begin, offset + n - begin, MADV_WILLNEED);
    }

private:
    const std::uint8_t* at_ = nullptr;
    std::uint64_t size_ = 0;
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
    switch (access) {
    case FileAccess::map: return std::make_unique<MapSource>(path);
    case FileAccess::read: return std::make_unique<ReadSource>(path);
    case FileAccess::reopen: break;
    }
    return std::make_unique<ReopenSource>(path);
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
    const std::uint32_t blocks = meta_.group_count();
    std::vector<std::uint8_t> index(std::size_t{blocks} * kIndexEntrySize);
    source_->read(meta_.index_offset, index);
    if (checksum_of(index) != meta_.index_checksum)
        throw Error(ErrorCode::corrupt_table, "block index: checksum mismatch");
    groups_.reserve((blocks + kIndexGroup - 1) / kIndexGroup);
    std::uint64_t at = meta_.first_block_offset();
    for (std::uint32_t b = 0; b < blocks; ++b) {
        const std::uint8_t* entry = &index[std::size_t{b} * kIndexEntrySize];
        if (b % kIndexGroup == 0) {
            const std::size_t n = std::min(kIndexGroup, blocks - b) * kIndexEntrySize;
            groups_.push_back({at, checksum_of({entry, n})});
        }
        const std::uint64_t size = little(entry, 4);
        if (size > group_bound(meta_, b))
            throw Error(ErrorCode::corrupt_table, "block index: block " + std::to_string(b) + " has " +
                                                      std::to_string(size) + " bytes, expected at most " +
                                                      std::to_string(group_bound(meta_, b)));
        at += size;
    }
    if (at != meta_.index_offset)
        throw Error(ErrorCode::corrupt_table, "block index: blocks end at byte " + std::to_string(at) +
                                                  ", expected " + std::to_string(meta_.index_offset));
    if (meta_.codec == Codec::small) models_ = std::make_unique<Models>();
}

TableReader::~TableReader() = default;
TableReader::TableReader(TableReader&&) noexcept = default;

std::size_t TableReader::memory() const {
    const SmallCodec* codec = models_ ? models_->codec.load(std::memory_order_acquire) : nullptr;
    return sizeof *this + groups_.size() * sizeof(Group) + (codec ? codec->memory() : 0);
}

const SmallCodec& TableReader::codec() const {
    if (const SmallCodec* c = models_->codec.load(std::memory_order_acquire)) return *c;
    const std::lock_guard lock(models_->mutex);
    if (!models_->owner) {
        with_bytes(*source_, kHeaderSize, meta_.model_bytes, [&](std::span<const std::uint8_t> bytes) {
            if (checksum_of(bytes) != meta_.model_checksum)
                throw Error(ErrorCode::corrupt_table, "table " +
                                                          table_file_name(meta_.subspace, meta_.metric) +
                                                          ": the models' checksum does not match");
            models_->owner = std::make_unique<const SmallCodec>(meta_, bytes);
        });
        models_->codec.store(models_->owner.get(), std::memory_order_release);
    }
    return *models_->owner;
}

TableReader::Place TableReader::place(std::uint32_t block) const {
    const std::uint32_t group = block / kIndexGroup, first = group * kIndexGroup;
    const std::size_t n = std::min(kIndexGroup, meta_.group_count() - first) * kIndexEntrySize;
    Place found{groups_[group].offset, 0, 0};
    with_bytes(*source_, meta_.index_offset + std::uint64_t{first} * kIndexEntrySize, n,
               [&](std::span<const std::uint8_t> index) {
                   // It was good at opening: whoever has changed the file since must not be believed.
                   if (checksum_of(index) != groups_[group].checksum)
                       throw Error(ErrorCode::corrupt_table,
                                   "table " + table_file_name(meta_.subspace, meta_.metric) +
                                       ": the block index has changed since the file was opened");
                   const std::uint8_t* entry = index.data();
                   for (std::uint32_t b = first; b < block; ++b, entry += kIndexEntrySize)
                       found.offset += little(entry, 4);
                   found.size = little(entry, 4);
                   found.checksum = little(entry + 4, 8);
               });
    return found;
}

void TableReader::read_block(std::uint32_t block, std::vector<std::uint8_t>& raw,
                             const Companions* companions) const {
    const Place at = place(block / meta_.group_blocks);
    // The companions come first: reading them may use the buffer that the block's bytes are in.
    SmallCodec::Known known;
    if (meta_.codec == Codec::small) known = codec().ask(block, companions);
    with_bytes(*source_, at.offset, at.size, [&](std::span<const std::uint8_t> bytes) {
        if (meta_.codec == Codec::plain) decode_block(meta_, block, bytes, at.checksum, raw);
        else codec().decode_block(block, bytes, at.checksum, known, raw);
    });
}

EncodedBlock TableReader::read_encoded(std::uint32_t group) const {
    const Place at = place(group);
    EncodedBlock out{std::vector<std::uint8_t>(at.size), at.checksum};
    source_->read(at.offset, out.bytes);
    if (checksum_of(out.bytes) != out.checksum)
        throw Error(ErrorCode::corrupt_table, "table " + table_file_name(meta_.subspace, meta_.metric) +
                                                  ", block " + std::to_string(group * meta_.group_blocks) +
                                                  ": checksum mismatch");
    return out;
}

void TableReader::prefetch(std::uint32_t block) const {
    const Place at = place(block / meta_.group_blocks);
    source_->prefetch(at.offset, at.size);
}

void expect_identity(const TableMeta& meta, std::uint64_t fingerprint, Subspace s, Metric m) {
    if (meta.fingerprint != fingerprint) {
        throw Error(ErrorCode::wrong_fingerprint, "table has ruleset fingerprint " + hex(meta.fingerprint) +
                                                      ", expected " + hex(fingerprint));
    }
    if (meta.subspace != s || meta.metric != m)
        throw Error(ErrorCode::corrupt_table, "table holds " + table_file_name(meta.subspace, meta.metric) +
                                                  ", expected " + table_file_name(s, m) + " (renamed?)");
}

} // namespace mill

#include "builder/encode/table_writer.h"

#include "rules/error.h"

#include <atomic>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <unistd.h>

namespace mill {

namespace {

[[noreturn]] void fail(const std::string& what, int error) {
    throw Error(ErrorCode::io, what + ": " + std::strerror(error));
}

void write_all(int fd, std::span<const std::uint8_t> bytes, std::uint64_t offset, const std::string& path) {
    for (std::size_t done = 0; done < bytes.size();) {
        const ssize_t n =
            pwrite(fd, bytes.data() + done, bytes.size() - done, static_cast<off_t>(offset + done));
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) fail("cannot write " + path, n < 0 ? errno : ENOSPC);
        done += static_cast<std::size_t>(n);
    }
}

} // namespace

AtomicFile::AtomicFile(std::string path) : path_(std::move(path)), fd_(-1) {
    // The process number keeps processes that share a directory apart; leftovers are
    // swept by whoever holds the lock of their group.
    static std::atomic<unsigned> number{0};
    temporary_ = path_ + ".tmp-" + std::to_string(getpid()) + "-" + std::to_string(number++);
    fd_ = open(temporary_.c_str(), O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0644);
    if (fd_ < 0) fail("cannot create " + temporary_, errno);
}

AtomicFile::~AtomicFile() {
    if (fd_ < 0) return;
    close(fd_);
    unlink(temporary_.c_str());
}

void AtomicFile::append(std::span<const std::uint8_t> bytes) {
    write_all(fd_, bytes, size_, temporary_);
    size_ += bytes.size();
}

void AtomicFile::write_at(std::uint64_t offset, std::span<const std::uint8_t> bytes) {
    write_all(fd_, bytes, offset, temporary_);
}

void AtomicFile::commit() {
    if (fsync(fd_) != 0) fail("cannot flush " + temporary_, errno);
    const int fd = std::exchange(fd_, -1);
    if (close(fd) != 0 || rename(temporary_.c_str(), path_.c_str()) != 0) {
        const int error = errno;
        unlink(temporary_.c_str());
        fail("cannot give " + path_ + " its name", error);
    }
    const std::string folder = std::filesystem::path(path_).parent_path().string();
    const int dir = open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (dir < 0) fail("cannot open folder " + folder, errno);
    const int synced = fsync(dir);
    const int error = errno;
    close(dir);
    if (synced != 0) fail("cannot flush folder " + folder, error);
}

void write_file_atomically(const std::string& path, std::string_view text) {
    AtomicFile file(path);
    file.append({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
    file.commit();
}

TableWriter::TableWriter(const std::string& path, const TableMeta& meta, std::span<const std::uint8_t> models)
    : file_(path), meta_(meta) {
    file_.append(std::array<std::uint8_t, kHeaderSize>{}); // the real one comes last
    meta_.model_bytes = static_cast<std::uint32_t>(models.size());
    meta_.model_checksum = checksum_of(models);
    file_.append(models);
    index_.reserve(std::size_t{meta_.group_count()} * kIndexEntrySize);
}

void TableWriter::append(const EncodedBlock& block) {
    file_.append(block.bytes);
    for (int i = 0; i < 4; ++i) index_.push_back(static_cast<std::uint8_t>(block.bytes.size() >> (8 * i)));
    for (int i = 0; i < 8; ++i) index_.push_back(static_cast<std::uint8_t>(block.checksum >> (8 * i)));
}

void TableWriter::finish(const TableStats& stats) {
    if (index_.size() != std::size_t{meta_.group_count()} * kIndexEntrySize)
        throw Error(ErrorCode::internal, "table written with a wrong number of blocks");
    meta_.stats = stats;
    meta_.index_offset = file_.size();
    meta_.index_checksum = checksum_of(index_);
    file_.append(index_);
    file_.write_at(0, encode_header(meta_));
    file_.commit();
}

} // namespace mill

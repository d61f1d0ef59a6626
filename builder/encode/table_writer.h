// Writing table files: they appear whole under their name, or not at all.
#pragma once

#include "probe/format/table_format.h"

#include <string>
#include <vector>

namespace mill {

/// A file that is written under a temporary name beside its own and takes its name when committed
/// (fsync of file and folder around the rename). Without commit() nothing remains. One thread.
class AtomicFile {
public:
    /// Throws Error(io).
    explicit AtomicFile(std::string path);
    ~AtomicFile();
    AtomicFile(const AtomicFile&) = delete;
    AtomicFile& operator=(const AtomicFile&) = delete;
    void append(std::span<const std::uint8_t> bytes);
    void write_at(std::uint64_t offset, std::span<const std::uint8_t> bytes);
    std::uint64_t size() const { return size_; }
    void commit();

private:
    std::string path_, temporary_;
    int fd_;
    std::uint64_t size_ = 0;
};

/// Writes a whole small file atomically.
void write_file_atomically(const std::string& path, std::string_view text);

/// Writes one table. Blocks, or groups of blocks, come in order, from one thread at a time; compress them on any.
class TableWriter {
public:
    /// `meta` without index fields, step_count and the checksum of the models, which the small codec has. Throws
    /// Error(io).
    TableWriter(const std::string& path, const TableMeta& meta, std::span<const std::uint8_t> models = {});
    void append(const EncodedBlock& block);
    void add_steps(std::uint64_t n) { meta_.step_count += n; }
    /// All blocks are there: index, header, commit. Statistics may still be set before. Throws
    /// Error(io), Error(internal) if blocks are missing.
    void finish(const TableStats& stats);
    const TableMeta& meta() const { return meta_; } ///< complete after finish()
    std::uint64_t bytes() const { return file_.size(); }

private:
    AtomicFile file_;
    TableMeta meta_;
    std::vector<std::uint8_t> index_;
};

} // namespace mill

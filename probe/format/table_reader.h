// Reading table files: where bytes come from, and blocks by number.
#pragma once

#include "probe/format/table_format.h"

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>

namespace mill {

/// Random access to the bytes of a file. Implementations are safe to use from many threads.
class ByteSource {
public:
    virtual ~ByteSource() = default;
    virtual std::uint64_t size() const = 0;
    /// Copies bytes [offset, offset + to.size()). Throws Error(io).
    virtual void read(std::uint64_t offset, std::span<std::uint8_t> to) const = 0;
    /// The same bytes in place if the source can give them, else an empty span (then use read()).
    virtual std::span<const std::uint8_t> view(std::uint64_t, std::size_t) const { return {}; }
    /// A hint that a range will be wanted.
    virtual void prefetch(std::uint64_t, std::size_t) const {}
};

enum class FileAccess : std::uint8_t {
    map,    ///< memory-mapped; a file that somebody truncates meanwhile ends the process with SIGBUS
    read,   ///< plain reads of a descriptor that stays open
    reopen, ///< plain reads, the file opened for each: for more tables than a process has descriptors
};

/// Opens a regular file. Throws Error(missing_table) if there is none, Error(io).
std::unique_ptr<ByteSource> open_file(const std::string& path, FileAccess access);
/// Bytes that the caller keeps alive.
std::unique_ptr<ByteSource> memory_source(std::span<const std::uint8_t> bytes);
/// A callback that fills `to` from `offset` and returns false on failure.
std::unique_ptr<ByteSource>
callback_source(std::uint64_t size,
                std::function<bool(std::uint64_t offset, std::span<std::uint8_t> to)> read);

/// Values of other metrics of the same subspace, which the small codec needs to decode dtz (outcomes) and dte (both).
class Companions {
public:
    virtual ~Companions() = default;
    /// The codes of entries [begin, begin + size). Throw what reading them throws, Error(missing_table).
    virtual void outcomes(std::uint64_t begin, std::span<std::uint8_t> codes) const = 0;
    virtual void depths(std::uint64_t begin, std::span<std::uint16_t> values) const = 0;
};

class SmallCodec;

/// One open table file; header and block index are checked at opening. Thread-safe. The index itself stays
/// in the file: tables of a whole ruleset have millions of blocks, and a probing program should not pay
/// for those that it never asks. Sixteen bytes are kept for every kIndexGroup entries of it.
class TableReader {
public:
    /// Throws Error(corrupt_table), Error(unsupported_format), Error(io), Error(out_of_memory).
    explicit TableReader(std::unique_ptr<ByteSource> source);
    ~TableReader();
    TableReader(TableReader&&) noexcept;

    const TableMeta& meta() const { return meta_; }
    /// Whether decoding a block takes values of other metrics.
    bool needs_companions() const { return meta_.codec == Codec::small && meta_.metric != Metric::wdl; }
    /// Reads, checks and decompresses a block into `raw`: codes and steps as FORMAT.md section 3 has them, whatever
    /// the codec. Throws like the constructor, and Error(missing_table) without the companions that it needs.
    void read_block(std::uint32_t block, std::vector<std::uint8_t>& raw,
                    const Companions* companions = nullptr) const;
    /// Compressed bytes of an entry of the index and their checksum, checked.
    EncodedBlock read_encoded(std::uint32_t group) const;
    /// Hints that a block will be wanted soon. Throws like the constructor.
    void prefetch(std::uint32_t block) const;
    /// Bytes of memory that an open table takes, roughly.
    std::size_t memory() const;

private:
    static constexpr std::uint32_t kIndexGroup = 128;
    struct Group {
        std::uint64_t offset;   ///< of what its first entry stands for
        std::uint64_t checksum; ///< of its part of the index
    };
    struct Place {
        std::uint64_t offset;
        std::size_t size;
        std::uint64_t checksum;
    };
    Place place(std::uint32_t entry) const;
    const SmallCodec& codec() const;

    /// Models are read when first needed.
    struct Models {
        std::mutex mutex;
        std::unique_ptr<const SmallCodec> owner;
        std::atomic<const SmallCodec*> codec{nullptr};
    };

    std::unique_ptr<ByteSource> source_;
    TableMeta meta_;
    std::vector<Group> groups_;
    std::unique_ptr<Models> models_;
};

/// Throws Error(wrong_fingerprint) or Error(corrupt_table) if a table is not what it was taken for.
void expect_identity(const TableMeta& meta, std::uint64_t fingerprint, Subspace s, Metric m);

} // namespace mill

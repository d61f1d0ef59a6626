// The table file: one subspace, one metric. docs/FORMAT.md is the description; this is the only code
// that knows the layout.
#pragma once

#include "probe/index/index.h"
#include "probe/index/subspace.h"

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mill {

enum class Metric : std::uint8_t { wdl = 1, dtz = 2, dte = 3 };

/// "wdl", "dtz", "dte": also the file name's ending.
std::string_view to_text(Metric m);
/// Throws Error(bad_argument).
Metric parse_metric(std::string_view text);

inline constexpr std::uint32_t kFormatVersion = 1;
inline constexpr std::size_t kHeaderSize = 192;
inline constexpr std::size_t kIndexEntrySize = 12; ///< u32 size, u64 checksum
inline constexpr std::uint32_t kMaxBlockEntries = 65536;

/// How blocks are compressed.
enum class Codec : std::uint8_t {
    plain = 1, ///< each block by zstd
    small = 3, ///< context models kept in the file; blocks in groups (small_codec.h). 2 was its first form
};
inline constexpr std::uint32_t kMaxSmallBlock = 8192, kMaxGroupBlocks = 64;
inline constexpr std::uint32_t kMaxStreamBytes = 131070;  ///< of a block in the small codec
inline constexpr std::uint32_t kMaxModelBytes = 1U << 22; ///< in the file and uncompressed

/// Counts over all boards (DESIGN section 8), as far as the metric knows them: a wdl file has the
/// counts, a dtz or dte file also sum and maximum of its distance over decided positions (max is -1
/// where none is).
struct TableStats {
    std::uint64_t win = 0, draw = 0, loss = 0;
    std::uint64_t sum = 0;
    std::int32_t max = -1;
    friend bool operator==(const TableStats&, const TableStats&) = default;
};

/// What the header says.
struct TableMeta {
    std::uint64_t fingerprint = 0;
    Subspace subspace;
    Metric metric = Metric::wdl;
    std::uint8_t code_bits = 2; ///< 2 (wdl), 8 or 16
    Codec codec = Codec::plain;
    std::uint8_t zstd_level = 0;     ///< for people
    std::uint32_t limit = 0;         ///< draw limit L
    std::uint32_t block_entries = 0; ///< entries of every block but the last
    std::uint64_t entries = 0;       ///< SubspaceIndex::size()
    std::uint64_t step_count = 0;    ///< profile steps (dte)
    TableStats stats;

    // Of the small codec: blocks that share an entry of the index, its models between header and first block, and
    // what they take positions to be (FeatureRules).
    std::uint32_t group_blocks = 1;
    std::uint32_t model_bytes = 0;
    std::uint64_t model_checksum = 0;
    std::uint32_t features = 0;

    // What the checked header leads to.
    std::uint64_t index_offset = 0;
    std::uint64_t index_checksum = 0;

    std::uint32_t block_count() const {
        return static_cast<std::uint32_t>((entries + block_entries - 1) / block_entries);
    }
    /// Entries of the block index.
    std::uint32_t group_count() const { return (block_count() + group_blocks - 1) / group_blocks; }
    std::uint64_t first_block_offset() const { return kHeaderSize + std::uint64_t{model_bytes}; }
    std::uint32_t entries_in(std::uint32_t block) const {
        const std::uint64_t begin = std::uint64_t{block} * block_entries;
        return static_cast<std::uint32_t>(entries - begin < block_entries ? entries - begin : block_entries);
    }
    /// Bytes of the codes of a block, before its profile steps.
    std::size_t code_bytes(std::uint32_t block) const {
        return (std::size_t{entries_in(block)} * code_bits + 7) / 8;
    }
    std::uint64_t file_size() const { return index_offset + std::uint64_t{group_count()} * kIndexEntrySize; }
};

/// A change of DTE as the budget grows: at budgets below `budget` (down to the entry's previous change,
/// or its DTZ) the distance is `dte`. From the last change on it is the entry's plain code.
struct ProfileStep {
    std::uint32_t entry; ///< in a table; within the block while encoded
    std::uint16_t budget;
    std::uint16_t dte;
    friend bool operator==(const ProfileStep&, const ProfileStep&) = default;
    friend auto operator<=>(const ProfileStep&, const ProfileStep&) = default;
};

/// File name of a table: "5-4+0-0.wdl".
std::string table_file_name(Subspace s, Metric m);

std::array<std::uint8_t, kHeaderSize> encode_header(const TableMeta& meta);

/// Reads and checks a header: magic, version, checksum, and that every number is what the subspace
/// implies, so that nothing a file says can make a reader allocate or loop beyond that.
/// Throws Error(corrupt_table), Error(unsupported_format).
TableMeta decode_header(std::span<const std::uint8_t> bytes, std::uint64_t file_size);

/// Compressed block of the plain codec: raw codes followed by profile steps. Thread-safe (each thread has its own
/// compressor). Throws Error(out_of_memory).
struct EncodedBlock {
    std::vector<std::uint8_t> bytes;
    std::uint64_t checksum;
};
EncodedBlock encode_block(std::span<const std::uint8_t> raw, int zstd_level);

/// Most bytes that an entry of the block index can stand for.
std::size_t group_bound(const TableMeta& meta, std::uint32_t group);

/// zstd frames that hold something else than a block: compresses; decompresses if the content has no more than
/// `most` bytes, else throws Error(corrupt_table) naming `what`.
std::vector<std::uint8_t> compress(std::span<const std::uint8_t> raw, int zstd_level);
std::vector<std::uint8_t> decompress(std::span<const std::uint8_t> bytes, std::size_t most, const char* what);

/// Checks and decompresses a block of the plain codec; `raw` is resized. Throws Error(corrupt_table), Error(out_of_memory).
void decode_block(const TableMeta& meta, std::uint32_t block, std::span<const std::uint8_t> bytes,
                  std::uint64_t checksum, std::vector<std::uint8_t>& raw);

/// Appends steps (entries relative to the block) to raw codes; and reads step i of a raw block.
void append_steps(std::vector<std::uint8_t>& raw, std::span<const ProfileStep> steps,
                  std::uint32_t first_entry);
std::size_t step_count(const TableMeta& meta, std::uint32_t block, std::size_t raw_size);
ProfileStep step_at(const TableMeta& meta, std::uint32_t block, const std::uint8_t* raw, std::size_t i);

/// Code of an entry in a raw block.
inline int code_at(const TableMeta& meta, std::span<const std::uint8_t> raw, std::size_t entry) {
    if (meta.code_bits == 2) return (raw[entry / 4] >> (2 * (entry % 4))) & 3;
    if (meta.code_bits == 8) return raw[entry];
    return raw[2 * entry] | raw[2 * entry + 1] << 8;
}

/// Name and version of the compressor, on which the bytes of tables depend.
std::string compressor_version();

/// XXH3-64.
std::uint64_t checksum_of(std::span<const std::uint8_t> bytes);

} // namespace mill

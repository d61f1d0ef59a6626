#include "probe/format/table_format.h"

#include "rules/error.h"

#define XXH_INLINE_ALL
#include <xxhash.h>
#include <zstd.h>

#include <cstring>
#include <memory>
#include <new>

namespace mill {

namespace {

constexpr char kMagic[8] = {'M', 'I', 'L', 'L', 'T', 'B', 'L', '\n'};
constexpr std::size_t kStepSize = 8;

// Offsets of the header fields, as in docs/FORMAT.md.
enum Offset : std::size_t {
    kAtVersion = 8,
    kAtHeaderSize = 12,
    kAtFingerprint = 16,
    kAtSubspace = 24,
    kAtMetric = 28,
    kAtCodeBits = 29,
    kAtCodec = 30,
    kAtLevel = 31,
    kAtLimit = 32,
    kAtBlockEntries = 36,
    kAtEntries = 40,
    kAtBlockCount = 48,
    kAtIndexOffset = 56,
    kAtSteps = 64,
    kAtWin = 72,
    kAtDraw = 80,
    kAtLoss = 88,
    kAtSum = 96,
    kAtMax = 104,
    kAtModelBytes = 108,
    kAtModelChecksum = 112,
    kAtGroupBlocks = 120,
    kAtFeatures = 124,
    kAtIndexChecksum = 176,
    kAtChecksum = 184,
};

template <class T> void put(std::uint8_t* at, T v) {
    for (std::size_t i = 0; i < sizeof(T); ++i)
        at[i] = static_cast<std::uint8_t>(static_cast<std::uint64_t>(v) >> (8 * i));
}
template <class T> T get(const std::uint8_t* at) {
    std::uint64_t v = 0;
    for (std::size_t i = 0; i < sizeof(T); ++i) v |= std::uint64_t{at[i]} << (8 * i);
    return static_cast<T>(v);
}

[[noreturn]] void corrupt(const std::string& what) { throw Error(ErrorCode::corrupt_table, what); }

void expect(bool good, const char* field, std::uint64_t found, const std::string& expected) {
    if (!good)
        corrupt(std::string("table header: ") + field + " is " + std::to_string(found) + ", expected " +
                expected);
}

ZSTD_CCtx* compressor() {
    struct Free {
        void operator()(ZSTD_CCtx* c) const { ZSTD_freeCCtx(c); }
    };
    thread_local const std::unique_ptr<ZSTD_CCtx, Free> context(ZSTD_createCCtx());
    if (!context) throw std::bad_alloc();
    return context.get();
}

ZSTD_DCtx* decompressor() {
    struct Free {
        void operator()(ZSTD_DCtx* c) const { ZSTD_freeDCtx(c); }
    };
    thread_local const std::unique_ptr<ZSTD_DCtx, Free> context(ZSTD_createDCtx());
    if (!context) throw std::bad_alloc();
    return context.get();
}

/// Most bytes that a block of this table can hold uncompressed.
std::size_t raw_bound(const TableMeta& meta, std::uint32_t block) {
    std::size_t bound = meta.code_bytes(block);
    // A profile has at most one step a budget, the first of which is no change.
    if (meta.metric == Metric::dte && meta.limit > 1)
        bound += std::size_t{meta.entries_in(block)} * (meta.limit - 1) * kStepSize;
    return bound;
}

} // namespace

std::string_view to_text(Metric m) {
    switch (m) {
    case Metric::wdl: return "wdl";
    case Metric::dtz: return "dtz";
    case Metric::dte: return "dte";
    }
    return "?";
}

Metric parse_metric(std::string_view text) {
    for (const Metric m : {Metric::wdl, Metric::dtz, Metric::dte})
        if (to_text(m) == text) return m;
    throw Error(ErrorCode::bad_argument, "metric '" + std::string(text) + "': expected wdl, dtz or dte");
}

std::string table_file_name(Subspace s, Metric m) { return to_text(s) + "." + std::string(to_text(m)); }

std::string compressor_version() { return std::string("zstd ") + ZSTD_versionString(); }

std::uint64_t checksum_of(std::span<const std::uint8_t> bytes) {
    return XXH3_64bits(bytes.data(), bytes.size());
}

std::array<std::uint8_t, kHeaderSize> encode_header(const TableMeta& m) {
    std::array<std::uint8_t, kHeaderSize> h{};
    std::memcpy(h.data(), kMagic, sizeof kMagic);
    put<std::uint32_t>(&h[kAtVersion], kFormatVersion);
    put<std::uint32_t>(&h[kAtHeaderSize], kHeaderSize);
    put(&h[kAtFingerprint], m.fingerprint);
    h[kAtSubspace] = m.subspace.own;
    h[kAtSubspace + 1] = m.subspace.opp;
    h[kAtSubspace + 2] = m.subspace.own_reserve;
    h[kAtSubspace + 3] = m.subspace.opp_reserve;
    h[kAtMetric] = static_cast<std::uint8_t>(m.metric);
    h[kAtCodeBits] = m.code_bits;
    h[kAtCodec] = static_cast<std::uint8_t>(m.codec);
    h[kAtLevel] = m.zstd_level;
    put(&h[kAtLimit], m.limit);
    put(&h[kAtBlockEntries], m.block_entries);
    put(&h[kAtEntries], m.entries);
    put(&h[kAtBlockCount], m.block_count());
    put(&h[kAtIndexOffset], m.index_offset);
    put(&h[kAtSteps], m.step_count);
    put(&h[kAtWin], m.stats.win);
    put(&h[kAtDraw], m.stats.draw);
    put(&h[kAtLoss], m.stats.loss);
    put(&h[kAtSum], m.stats.sum);
    put(&h[kAtMax], m.stats.max);
    if (m.codec == Codec::small) {
        put(&h[kAtModelBytes], m.model_bytes);
        put(&h[kAtModelChecksum], m.model_checksum);
        put(&h[kAtGroupBlocks], m.group_blocks);
        put(&h[kAtFeatures], m.features);
    }
    put(&h[kAtIndexChecksum], m.index_checksum);
    put(&h[kAtChecksum], checksum_of({h.data(), kAtChecksum}));
    return h;
}

TableMeta decode_header(std::span<const std::uint8_t> h, std::uint64_t file_size) {
    if (h.size() < kHeaderSize)
        corrupt("table file has " + std::to_string(h.size()) + " bytes, expected a header of " +
                std::to_string(kHeaderSize));
    if (std::memcmp(h.data(), kMagic, sizeof kMagic) != 0)
        corrupt("not a table file: the magic number is wrong");
    const auto version = get<std::uint32_t>(&h[kAtVersion]);
    if (version != kFormatVersion)
        throw Error(ErrorCode::unsupported_format, "table format version " + std::to_string(version) +
                                                       ", this build reads version " +
                                                       std::to_string(kFormatVersion));
    if (get<std::uint64_t>(&h[kAtChecksum]) != checksum_of(h.first(kAtChecksum)))
        corrupt("table header: checksum mismatch");
    expect(get<std::uint32_t>(&h[kAtHeaderSize]) == kHeaderSize, "header size",
           get<std::uint32_t>(&h[kAtHeaderSize]), "192");
    if (h[kAtCodec] != static_cast<std::uint8_t>(Codec::plain) &&
        h[kAtCodec] != static_cast<std::uint8_t>(Codec::small))
        throw Error(ErrorCode::unsupported_format,
                    "table codec " + std::to_string(h[kAtCodec]) + ", this build reads codecs 1 and 3");

    TableMeta m;
    m.fingerprint = get<std::uint64_t>(&h[kAtFingerprint]);
    m.subspace = {h[kAtSubspace], h[kAtSubspace + 1], h[kAtSubspace + 2], h[kAtSubspace + 3]};
    for (std::size_t i = 0; i < 4; ++i)
        expect(h[kAtSubspace + i] <= 12, "stone count", h[kAtSubspace + i], "0 to 12");
    expect(h[kAtMetric] >= 1 && h[kAtMetric] <= 3, "metric", h[kAtMetric], "1 to 3");
    m.metric = static_cast<Metric>(h[kAtMetric]);
    m.code_bits = h[kAtCodeBits];
    if (m.metric == Metric::wdl) expect(m.code_bits == 2, "bits per code", m.code_bits, "2 for wdl");
    else expect(m.code_bits == 8 || m.code_bits == 16, "bits per code", m.code_bits, "8 or 16");
    m.codec = static_cast<Codec>(h[kAtCodec]);
    m.zstd_level = h[kAtLevel];
    m.limit = get<std::uint32_t>(&h[kAtLimit]);
    expect(m.limit <= 250, "draw limit", m.limit, "0 to 250");
    m.block_entries = get<std::uint32_t>(&h[kAtBlockEntries]);
    expect(m.block_entries >= 4 && m.block_entries <= kMaxBlockEntries && m.block_entries % 4 == 0,
           "block entries", m.block_entries, "a multiple of 4 up to 65536");
    if (m.codec == Codec::small) {
        expect(m.block_entries <= kMaxSmallBlock, "block entries", m.block_entries, "up to 8192 in codec 3");
        m.group_blocks = get<std::uint32_t>(&h[kAtGroupBlocks]);
        expect(m.group_blocks >= 1 && m.group_blocks <= kMaxGroupBlocks, "blocks per group", m.group_blocks,
               "1 to 64");
        m.model_bytes = get<std::uint32_t>(&h[kAtModelBytes]);
        expect(m.model_bytes <= kMaxModelBytes, "model bytes", m.model_bytes, "up to 4 MiB");
        m.model_checksum = get<std::uint64_t>(&h[kAtModelChecksum]);
        m.features = get<std::uint32_t>(&h[kAtFeatures]);
    }
    const std::size_t unused = m.codec == Codec::small ? kAtFeatures + 4 : kAtModelBytes;
    for (std::size_t i = unused; i < kAtIndexChecksum; ++i) expect(h[i] == 0, "reserved byte", h[i], "0");
    m.entries = get<std::uint64_t>(&h[kAtEntries]);
    const std::uint64_t size = entry_count(m.subspace.own, m.subspace.opp);
    expect(m.entries == size, "entries", m.entries, std::to_string(size) + " for " + to_text(m.subspace));
    expect(get<std::uint32_t>(&h[kAtBlockCount]) == m.block_count(), "block count",
           get<std::uint32_t>(&h[kAtBlockCount]), std::to_string(m.block_count()));
    m.index_offset = get<std::uint64_t>(&h[kAtIndexOffset]);
    expect(m.index_offset >= m.first_block_offset() && m.index_offset <= file_size, "index offset",
           m.index_offset, "a place in the file");
    expect(m.file_size() == file_size, "file size by the header", m.file_size(),
           std::to_string(file_size) + " (truncated or extended)");
    m.step_count = get<std::uint64_t>(&h[kAtSteps]);
    m.stats.win = get<std::uint64_t>(&h[kAtWin]);
    m.stats.draw = get<std::uint64_t>(&h[kAtDraw]);
    m.stats.loss = get<std::uint64_t>(&h[kAtLoss]);
    m.stats.sum = get<std::uint64_t>(&h[kAtSum]);
    m.stats.max = get<std::int32_t>(&h[kAtMax]);
    m.index_checksum = get<std::uint64_t>(&h[kAtIndexChecksum]);
    return m;
}

std::vector<std::uint8_t> compress(std::span<const std::uint8_t> raw, int level) {
    std::vector<std::uint8_t> out(ZSTD_compressBound(raw.size()));
    const std::size_t n =
        ZSTD_compressCCtx(compressor(), out.data(), out.size(), raw.data(), raw.size(), level);
    if (ZSTD_isError(n)) throw Error(ErrorCode::out_of_memory, std::string("zstd: ") + ZSTD_getErrorName(n));
    out.resize(n);
    return out;
}

std::vector<std::uint8_t> decompress(std::span<const std::uint8_t> bytes, std::size_t most,
                                     const char* what) {
    const unsigned long long size = ZSTD_getFrameContentSize(bytes.data(), bytes.size());
    if (size == ZSTD_CONTENTSIZE_ERROR || size == ZSTD_CONTENTSIZE_UNKNOWN || size > most)
        corrupt(std::string(what) + ": impossible content size");
    std::vector<std::uint8_t> raw(size);
    const std::size_t n =
        ZSTD_decompressDCtx(decompressor(), raw.data(), raw.size(), bytes.data(), bytes.size());
    if (ZSTD_isError(n)) corrupt(std::string(what) + ": " + ZSTD_getErrorName(n));
    if (n != size) corrupt(std::string(what) + ": shorter than it says");
    return raw;
}

EncodedBlock encode_block(std::span<const std::uint8_t> raw, int level) {
    EncodedBlock out{compress(raw, level), 0};
    out.checksum = checksum_of(out.bytes);
    return out;
}

std::size_t group_bound(const TableMeta& meta, std::uint32_t group) {
    if (meta.codec == Codec::plain) return ZSTD_compressBound(raw_bound(meta, group));
    // Sizes of the blocks' streams, and the streams.
    return std::size_t{meta.group_blocks} * (3 + kMaxStreamBytes);
}

void decode_block(const TableMeta& meta, std::uint32_t block, std::span<const std::uint8_t> bytes,
                  std::uint64_t checksum, std::vector<std::uint8_t>& raw) {
    const auto refuse = [&](const std::string& what) {
        corrupt("table " + table_file_name(meta.subspace, meta.metric) + ", block " + std::to_string(block) +
                ": " + what);
    };
    if (checksum_of(bytes) != checksum) refuse("checksum mismatch");
    const unsigned long long size = ZSTD_getFrameContentSize(bytes.data(), bytes.size());
    const std::size_t codes = meta.code_bytes(block);
    if (size == ZSTD_CONTENTSIZE_ERROR || size == ZSTD_CONTENTSIZE_UNKNOWN || size < codes ||
        size > raw_bound(meta, block) || (size - codes) % kStepSize != 0)
        refuse("impossible content size");
    raw.resize(size);
    const std::size_t n =
        ZSTD_decompressDCtx(decompressor(), raw.data(), raw.size(), bytes.data(), bytes.size());
    if (ZSTD_isError(n)) refuse(ZSTD_getErrorName(n));
    if (n != size)
        refuse("decompressed to " + std::to_string(n) + " bytes, expected " + std::to_string(size));
}

void append_steps(std::vector<std::uint8_t>& raw, std::span<const ProfileStep> steps,
                  std::uint32_t first_entry) {
    std::size_t at = raw.size();
    raw.resize(at + steps.size() * kStepSize);
    for (const ProfileStep& s : steps) {
        put<std::uint32_t>(&raw[at], s.entry - first_entry);
        put(&raw[at + 4], s.budget);
        put(&raw[at + 6], s.dte);
        at += kStepSize;
    }
}

std::size_t step_count(const TableMeta& meta, std::uint32_t block, std::size_t raw_size) {
    return (raw_size - meta.code_bytes(block)) / kStepSize;
}

ProfileStep step_at(const TableMeta& meta, std::uint32_t block, const std::uint8_t* raw, std::size_t i) {
    const std::uint8_t* at = raw + meta.code_bytes(block) + i * kStepSize;
    return {get<std::uint32_t>(at), get<std::uint16_t>(at + 4), get<std::uint16_t>(at + 6)};
}

} // namespace mill

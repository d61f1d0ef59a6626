// Sizes of tables, beside what zstd alone would take, and what decoding a block costs, whatever the codec.
//
//     decode_bench DIRECTORY RULESET SUBSPACE...
//
// z1 64K, z19 64K, z19 128K: bits per position of plain codes (two bits an outcome, one or two bytes a distance, steps
// of 8 bytes) under zstd -1 and -19 in blocks of that many bytes, on 64 such blocks from all over the same table.
// Times: processor time on random blocks, the file in the page cache; for distances in the small codec the values of other metrics are
// at hand, whose decoding is in their own line.
#include "builder/encode/plain_block.h"
#include "rules/error.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <random>

namespace {

using namespace mill;

/// Processor time of this thread in microseconds: what a busy machine does meanwhile is not counted.
double cpu_time() {
    timespec t{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return 1e6 * static_cast<double>(t.tv_sec) + 1e-3 * static_cast<double>(t.tv_nsec);
}

double plain_bits(const builder::EntryReader& reader, const TableMeta& meta, int level, std::uint32_t bytes) {
    const std::uint64_t n = std::uint64_t{bytes} * 8 / meta.code_bits, blocks = (meta.entries + n - 1) / n;
    const std::uint64_t step = std::max<std::uint64_t>(1, blocks / 64);
    builder::EntryRange range;
    std::vector<std::uint8_t> raw;
    double bits = 0, positions = 0;
    for (std::uint64_t b = step / 2; b < blocks; b += step) {
        const auto some = static_cast<std::uint32_t>(std::min(n, meta.entries - b * n));
        reader.read(b * n, some, range);
        builder::make_plain_block(range, meta, raw);
        bits += 8.0 * static_cast<double>(compress(raw, level).size());
        positions += some;
    }
    return bits / positions;
}

void measure(const builder::TableStore& store, Subspace s, Metric m) {
    const builder::Metrics others{true, m != Metric::wdl && store.has(s, Metric::dtz), m == Metric::dte};
    const builder::EntryReader all(store, s, others);
    const TableReader reader = store.open(s, m);
    const TableMeta& meta = reader.meta();
    std::mt19937_64 random(1);
    std::vector<double> times;
    std::vector<std::uint8_t> raw, codes;
    std::vector<std::uint16_t> depths;
    for (int i = 0; i < 600; ++i) {
        const auto b = static_cast<std::uint32_t>(random() % meta.block_count());
        const std::uint64_t begin = std::uint64_t{b} * meta.block_entries;
        codes.resize(meta.entries_in(b));
        depths.resize(codes.size());
        all.outcomes(begin, codes);
        if (others.dtz && m == Metric::dte) all.depths(begin, depths);
        reader.read_block(b, raw, &all); // page cache, models
        const double from = cpu_time();
        reader.read_block(b, raw, &all);
        times.push_back(cpu_time() - from);
    }
    std::sort(times.begin(), times.end());
    // MILL_TIMES_ONLY: leaves out what takes long.
    const bool sizes = std::getenv("MILL_TIMES_ONLY") == nullptr;
    const auto plain = [&](int level, std::uint32_t bytes) {
        return sizes ? plain_bits(all, meta, level, bytes) : 0.0;
    };
    std::printf("%-14s %-6s %6u %12llu %8.4f %8.4f %8.4f %8.4f %8.1f %8.1f %8.1f\n",
                table_file_name(s, m).c_str(), meta.codec == Codec::small ? "small" : "plain",
                meta.block_entries, static_cast<unsigned long long>(meta.file_size()),
                8.0 * static_cast<double>(meta.file_size()) / static_cast<double>(meta.entries),
                plain(1, 65536), plain(19, 65536), plain(19, 131072), times[times.size() / 2],
                times[times.size() * 99 / 100], 1000 * times[times.size() / 2] / meta.block_entries);
    std::fflush(stdout);
}

} // namespace

int main(int argc, char** argv) {
    if (argc < 4) {
        std::fprintf(stderr, "usage: decode_bench DIRECTORY RULESET SUBSPACE...\n");
        return 2;
    }
    try {
        const builder::TableStore store(load_ruleset(argv[2]), argv[1]);
        std::printf("%-14s %-6s %6s %12s %8s %8s %8s %8s %8s %8s %8s\n", "table", "codec", "block", "bytes",
                    "bits/pos", "z1 64K", "z19 64K", "z19 128K", "p50 us", "p99 us", "ns/entry");
        for (int a = 3; a < argc; ++a)
            for (const Metric m : {Metric::wdl, Metric::dtz, Metric::dte})
                if (store.has(parse_subspace(argv[a]), m)) measure(store, parse_subspace(argv[a]), m);
    } catch (const Error& e) {
        std::fprintf(stderr, "decode_bench: %s\n", e.what());
        return 3;
    }
    return 0;
}

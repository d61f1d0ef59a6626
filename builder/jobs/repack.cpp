#include "builder/jobs/repack.h"

#include "builder/encode/plain_block.h"
#include "builder/encode/small_encoder.h"
#include "builder/encode/table_writer.h"
#include "builder/machine/parallel.h"
#include "probe/tables/half_set.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <map>
#include <set>

namespace mill::builder {

namespace {

/// Entries per block of the small codec where the command line leaves it open.
constexpr std::uint32_t kSmallBlock = 1024, kGroupBlocks = 32;
constexpr std::uint32_t kSampleEntries = 1U << 20; ///< on which the contexts are chosen
/// Tables with fewer entries or fewer bits per position than this are tried in both codecs.
constexpr std::uint64_t kFewEntries = std::uint64_t{1} << 21;
constexpr double kFewBits = 0.1;

class Repack {
public:
    Repack(const TableStore& from, const TableStore& to, Subspace s, Metric m, const RepackOptions& options)
        : to_(to), subspace_(s), options_(options) {
        const Metrics needed{true, m != Metric::wdl && (m == Metric::dtz || from.has(s, Metric::dtz)),
                             m == Metric::dte};
        for (int t = 0; t < options.threads; ++t)
            readers_.push_back(std::make_unique<EntryReader>(from, s, needed));
        source_ = readers_[0]->meta(m);
        has_dtz_ = needed.dtz;
    }

    Repacked run() {
        const auto begin = std::chrono::steady_clock::now();
        Repacked r;
        r.subspace = subspace_;
        r.metric = source_.metric;
        r.bytes_before = source_.file_size();
        const bool small = options_.codec == Codec::small && (source_.metric != Metric::dte || has_dtz_);
        const TableMeta plain_meta = shape(Codec::plain), small_meta = shape(Codec::small);
        auto there = finished(small ? small_meta : plain_meta);
        if (!there && small && !options_.never_plain) {
            // Where plain was the smaller one before, it still is.
            there = finished(plain_meta);
            if (there && !plain_may_win(there->file_size())) there.reset();
        }
        if (there) {
            r.skipped = true;
            r.meta = *there;
        } else if (small) {
            auto writer = write_small(small_meta);
            if (!options_.never_plain && plain_may_win(writer->bytes())) {
                auto other = write_plain(plain_meta);
                if (other->bytes() < writer->bytes()) writer = std::move(other);
            }
            writer->finish(source_.stats);
            r.meta = writer->meta();
        } else {
            auto writer = write_plain(plain_meta);
            writer->finish(source_.stats);
            r.meta = writer->meta();
        }
        r.bytes = r.meta.file_size();
        r.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        return r;
    }

private:
    bool plain_may_win(std::uint64_t bytes) const {
        return source_.entries < kFewEntries ||
               8.0 * static_cast<double>(bytes) < kFewBits * static_cast<double>(source_.entries);
    }

    TableMeta shape(Codec codec) const {
        TableMeta meta = source_;
        meta.codec = codec;
        meta.zstd_level = static_cast<std::uint8_t>(options_.level);
        meta.step_count = 0;
        meta.group_blocks = 1;
        meta.features = 0;
        meta.block_entries = options_.block_entries;
        if (codec == Codec::small) {
            meta.group_blocks = kGroupBlocks;
            if (meta.block_entries == 0 || meta.block_entries > kMaxSmallBlock)
                meta.block_entries = kSmallBlock;
            meta.features = feature_rules(to_.rules(), subspace_).bits();
        } else if (meta.block_entries == 0) {
            meta.block_entries = plain_block_entries(meta);
        }
        return meta;
    }

    /// What is there in that shape, made of this source.
    std::optional<TableMeta> finished(const TableMeta& wanted) const {
        if (!std::filesystem::exists(to_.path(subspace_, source_.metric))) return std::nullopt;
        try {
            const TableMeta there = to_.open(subspace_, source_.metric).meta();
            if (there.codec == wanted.codec && there.zstd_level == wanted.zstd_level &&
                there.block_entries == wanted.block_entries && there.stats == source_.stats)
                return there;
        } catch (const Error&) { // damaged: it is written again
        }
        return std::nullopt;
    }

    /// Calls make(range, number of the piece, thread) for pieces of n entries on all threads, and take(number) in
    /// order.
    template <class Make, class Take> void pieces(std::uint32_t n, Make&& make, Take&& take) {
        const auto count = static_cast<std::uint32_t>((source_.entries + n - 1) / n);
        const std::uint32_t batch = static_cast<std::uint32_t>(options_.threads) * 16;
        std::vector<EntryRange> ranges(static_cast<std::size_t>(options_.threads));
        for (std::uint32_t first = 0; first < count; first += batch) {
            const std::uint32_t some = std::min(batch, count - first);
            parallel_rows(some, options_.threads, options_.stop, [&](std::uint32_t i, int thread) {
                const std::uint64_t begin = std::uint64_t{first + i} * n;
                EntryRange& range = ranges[static_cast<std::size_t>(thread)];
                readers_[static_cast<std::size_t>(thread)]->read(
                    begin, static_cast<std::uint32_t>(std::min<std::uint64_t>(n, source_.entries - begin)),
                    range);
                make(range, i, thread);
            });
            for (std::uint32_t i = 0; i < some; ++i) take(i);
        }
    }

    std::unique_ptr<TableWriter> write_plain(const TableMeta& meta) {
        auto writer = std::make_unique<TableWriter>(to_.path(subspace_, meta.metric), meta);
        if (meta.metric == Metric::dte) writer->add_steps(source_.step_count);
        std::vector<EncodedBlock> encoded(static_cast<std::size_t>(options_.threads) * 16);
        pieces(
            meta.block_entries,
            [&](const EntryRange& range, std::uint32_t i, int) {
                thread_local std::vector<std::uint8_t> raw;
                make_plain_block(range, meta, raw);
                encoded[i] = encode_block(raw, options_.level);
            },
            [&](std::uint32_t i) { writer->append(encoded[i]); });
        return writer;
    }

    static BlockValues values_of(const EntryRange& range) {
        return {range.begin, range.wdl, range.dtz, range.dte, range.steps};
    }

    /// On blocks from all over the table.
    ContextPlan choose_plan(const TableMeta& meta) const {
        const std::uint32_t blocks = meta.block_count(),
                            wanted = std::max<std::uint32_t>(2, kSampleEntries / meta.block_entries),
                            step = std::max<std::uint32_t>(1, blocks / wanted);
        std::vector<EntryRange> ranges;
        for (std::uint32_t b = step / 2; b < blocks; b += step)
            readers_[0]->read(std::uint64_t{b} * meta.block_entries, meta.entries_in(b),
                              ranges.emplace_back());
        std::vector<BlockValues> sample;
        sample.reserve(ranges.size());
        for (const EntryRange& range : ranges) sample.push_back(values_of(range));
        return choose_contexts(meta, sample);
    }

    std::unique_ptr<TableWriter> write_small(const TableMeta& meta) {
        const std::uint32_t group = meta.block_entries * meta.group_blocks;
        const ContextPlan plan = choose_plan(meta);
        std::vector<SmallCounts> counts;
        counts.reserve(readers_.size());
        for (int t = 0; t < options_.threads; ++t) counts.emplace_back(meta, plan);
        pieces(
            group,
            [&](const EntryRange& range, std::uint32_t, int thread) {
                counts[static_cast<std::size_t>(thread)].add(values_of(range));
            },
            [](std::uint32_t) {});
        for (std::size_t t = 1; t < counts.size(); ++t) counts[0].merge(counts[t]);
        const SmallEncoder encoder(meta, counts[0]);
        auto writer = std::make_unique<TableWriter>(to_.path(subspace_, meta.metric), meta, encoder.models());
        if (meta.metric == Metric::dte) writer->add_steps(source_.step_count);
        std::vector<EncodedBlock> encoded(static_cast<std::size_t>(options_.threads) * 16);
        pieces(
            group,
            [&](const EntryRange& range, std::uint32_t i, int) {
                encoded[i] = encoder.encode_group(values_of(range));
            },
            [&](std::uint32_t i) { writer->append(encoded[i]); });
        return writer;
    }

    const TableStore& to_;
    Subspace subspace_;
    const RepackOptions& options_;
    std::vector<std::unique_ptr<EntryReader>> readers_; ///< one a thread
    TableMeta source_;
    bool has_dtz_ = false;
};

} // namespace

void repack(const TableStore& from, const TableStore& to, Subspace s, const RepackOptions& options,
            const std::function<void(const Repacked&)>& done) {
    from.open(s, Metric::wdl); // nothing can be read without outcomes
    for (const Metric m : {Metric::wdl, Metric::dtz, Metric::dte}) {
        if (!options.metrics.has(m) || !from.has(s, m)) continue;
        if (options.stop && options.stop->load()) throw Error(ErrorCode::aborted, "stopped on request");
        done(Repack(from, to, s, m, options).run());
    }
}

std::vector<Subspace> take_what_follows(const TableStore& from, const TableStore& to, const Metrics& metrics,
                                        std::vector<Subspace>& subspaces) {
    const Ruleset& rules = from.rules();
    const HalfSet half(rules);
    const std::set<Subspace> written(subspaces.begin(), subspaces.end());
    std::map<std::pair<Subspace, Metric>, bool> known; // opening files takes longer
    const auto there = [&](Subspace s, Metric m) {
        const auto [it, fresh] = known.emplace(std::pair(s, m), false);
        if (fresh) it->second = written.contains(s) ? from.has(s, m) : to.has(s, m);
        return it->second;
    };
    const auto follows = [&](Subspace s) {
        if (!half.leaves_out(s) || to.has(s, Metric::wdl) || !from.has(s, Metric::wdl)) return false;
        if (TurnClasses(rules, s).reads_depths() && !(metrics.dtz && there(s, Metric::dtz))) return false;
        std::vector<Subspace> needed = dependencies(rules, s);
        for (const Subspace g : solve_group(rules, s)) needed.push_back(g);
        for (const Metric m : {Metric::wdl, Metric::dtz, Metric::dte})
            if (metrics.has(m) && there(s, m) &&
                !std::all_of(needed.begin(), needed.end(), [&](Subspace d) { return there(d, m); }))
                return false;
        return true;
    };
    const auto first =
        std::stable_partition(subspaces.begin(), subspaces.end(), [&](Subspace s) { return !follows(s); });
    std::vector<Subspace> taken(first, subspaces.end());
    subspaces.erase(first, subspaces.end());
    return taken;
}

} // namespace mill::builder

#include "builder/encode/small_encoder.h"

#include "builder/encode/context_choice.h"
#include "probe/codec/block_walk.inc"

namespace mill {

namespace {

/// Calls fn(content) for every block of the run.
template <class Fn> void each_block(const TableMeta& meta, const BlockValues& values, Fn&& fn) {
    BlockContent content;
    std::size_t step = 0;
    for (std::size_t at = 0; at < values.wdl.size(); at += meta.block_entries) {
        const std::size_t n = std::min<std::size_t>(meta.block_entries, values.wdl.size() - at);
        content.begin = values.begin + at;
        content.n = static_cast<std::uint32_t>(n);
        const auto copy = [&](const auto& from, auto& to) {
            if (!from.empty())
                to.assign(from.begin() + static_cast<std::ptrdiff_t>(at),
                          from.begin() + static_cast<std::ptrdiff_t>(at + n));
        };
        copy(values.wdl, content.wdl);
        copy(values.dtz, content.dtz);
        copy(meta.metric == Metric::dte ? values.dte : values.dtz, content.values);
        content.steps.clear();
        for (; meta.metric == Metric::dte && step < values.steps.size() &&
               values.steps[step].entry < content.begin + n;
             ++step) {
            ProfileStep s = values.steps[step];
            s.entry -= static_cast<std::uint32_t>(content.begin);
            content.steps.push_back(s);
        }
        fn(content);
    }
}

} // namespace

ContextPlan choose_contexts(const TableMeta& meta, const std::vector<BlockValues>& sample) {
    std::vector<BlockContent> blocks;
    for (const BlockValues& values : sample)
        each_block(meta, values, [&](const BlockContent& content) { blocks.push_back(content); });
    return choose_contexts(meta, std::span<const BlockContent>(blocks));
}

SmallCounts::SmallCounts(const TableMeta& meta, const ContextPlan& plan)
    : meta_(meta), plan_(std::make_unique<ContextPlan>(plan)),
      walk_(std::make_unique<BlockWalk>(meta_, *plan_)) {
    constexpr std::size_t kMostCells = std::size_t{1} << 24;
    const std::uint32_t alphabet =
        meta.metric == Metric::wdl ? 3 : static_cast<std::uint32_t>(meta.stats.max + 1);
    if (std::size_t{plan.contexts(kValues)} * alphabet > kMostCells) return;
    counts_[kValues].alphabet = alphabet;
    counts_[kValues].dense.resize(std::size_t{plan.contexts(kValues)} * alphabet);
}
SmallCounts::~SmallCounts() = default;
SmallCounts::SmallCounts(SmallCounts&&) noexcept = default;

void SmallCounts::add(const BlockValues& values) {
    each_block(meta_, values, [&](BlockContent& content) {
        (*walk_)(content, [&](int stream, std::uint32_t context, std::uint16_t symbol) {
            counts_[static_cast<std::size_t>(stream)].add(context, symbol);
            return symbol;
        });
    });
}

void SmallCounts::merge(const SmallCounts& other) {
    for (std::size_t s = 0; s < kMaxStreams; ++s) {
        for (std::size_t i = 0; i < counts_[s].dense.size(); ++i)
            counts_[s].dense[i] += other.counts_[s].dense[i];
        for (const auto& [key, n] : other.counts_[s].sparse) counts_[s].sparse[key] += n;
    }
}

SmallEncoder::SmallEncoder(const TableMeta& meta, const SmallCounts& counts)
    : meta_(meta), plan_(*counts.plan_) {
    std::vector<std::vector<std::vector<std::pair<std::uint16_t, std::uint64_t>>>> by_context;
    for (int s = 0; s < stream_count(meta.metric); ++s) {
        auto& lists = by_context.emplace_back(plan_.contexts(s));
        const auto& tally = counts.counts_[static_cast<std::size_t>(s)];
        for (std::size_t i = 0; i < tally.dense.size(); ++i)
            if (tally.dense[i])
                lists[i / tally.alphabet].emplace_back(static_cast<std::uint16_t>(i % tally.alphabet),
                                                       tally.dense[i]);
        for (const auto& [key, n] : tally.sparse)
            lists[key >> 16].emplace_back(static_cast<std::uint16_t>(key), n);
        // Hash order would make the models, and so the file, depend on the library and the number of threads.
        for (auto& list : lists) std::sort(list.begin(), list.end());
    }
    // A distribution costs about two bytes a symbol: fewer occurrences than some cannot repay it. More are needed
    // where the models would get larger than a reader accepts.
    std::vector<std::uint8_t> raw;
    for (std::uint64_t rare = 24; raw.empty() || raw.size() > kMaxModelBytes; rare *= 2) {
        raw.clear();
        streams_.clear();
        serialise(plan_, meta.metric, raw);
        for (const auto& lists : by_context) streams_.emplace_back(lists, rare).serialise(raw);
    }
    models_ = compress(raw, 19);
}

EncodedBlock SmallEncoder::encode_group(const BlockValues& values) const {
    BlockWalk walk(meta_, plan_);
    SymbolEncoder encoder;
    std::vector<std::uint8_t> sizes, streams;
    each_block(meta_, values, [&](BlockContent& content) {
        walk(content, [&](int stream, std::uint32_t context, std::uint16_t symbol) {
            encoder.put(streams_[static_cast<std::size_t>(stream)], context, symbol);
            return symbol;
        });
        const std::size_t before = streams.size();
        encoder.finish(streams);
        const std::size_t size = streams.size() - before;
        if (size > kMaxStreamBytes)
            throw Error(ErrorCode::internal, "a block takes more room than the small codec has for it");
        put_size(sizes, size);
    });
    EncodedBlock out;
    out.bytes = std::move(sizes);
    out.bytes.insert(out.bytes.end(), streams.begin(), streams.end());
    out.checksum = checksum_of(out.bytes);
    return out;
}

} // namespace mill

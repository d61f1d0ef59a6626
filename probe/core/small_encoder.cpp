#include "mill/probe/small_encoder.h"

#include "mill/probe/block_walk.inc"

namespace mill {

namespace {

Term feature(Feature f) { return {Term::Kind::feature, static_cast<std::uint8_t>(f), 0}; }
Term outcome_at(Link l) { return {Term::Kind::link_outcome, static_cast<std::uint8_t>(l), 0}; }
Term value_at(Link l, std::uint8_t cap) {
    return {Term::Kind::link_value, static_cast<std::uint8_t>(l), cap};
}

/// The contexts that did best on the subspaces measured (data/measured/size.md).
ContextPlan plan_for(Metric m) {
    ContextPlan plan;
    switch (m) {
    case Metric::wdl:
        plan.terms[kValues] = {feature(Feature::own_close), feature(Feature::opp_close),
                               outcome_at(Link::before),    outcome_at(Link::down2),
                               outcome_at(Link::down3),     outcome_at(Link::down4)};
        break;
    case Metric::dtz:
        plan.terms[kValues] = {{Term::Kind::outcome, 0, 0},
                               feature(Feature::own_close),
                               feature(Feature::opp_close),
                               value_at(Link::before, 30),
                               {Term::Kind::same, 0, 30}};
        break;
    case Metric::dte:
        plan.terms[kValues] = {
            {Term::Kind::outcome, 0, 0}, {Term::Kind::depth, 0, 30}, {Term::Kind::same, 0, 253}};
        plan.terms[kStepCount] = {
            {Term::Kind::outcome, 0, 0}, {Term::Kind::depth, 0, 30}, {Term::Kind::value, 0, 62}};
        plan.terms[kStepBudget] = {{Term::Kind::outcome, 0, 0}, {Term::Kind::depth, 0, 30}};
        plan.terms[kStepDistance] = {{Term::Kind::outcome, 0, 0}, {Term::Kind::budget, 0, 30}};
        break;
    }
    return plan;
}

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

SmallCounts::SmallCounts(const TableMeta& meta)
    : meta_(meta), plan_(std::make_unique<ContextPlan>(plan_for(meta.metric))),
      walk_(std::make_unique<BlockWalk>(meta_, *plan_)) {}
SmallCounts::~SmallCounts() = default;
SmallCounts::SmallCounts(SmallCounts&&) noexcept = default;

void SmallCounts::add(const BlockValues& values) {
    each_block(meta_, values, [&](BlockContent& content) {
        (*walk_)(content, [&](int stream, std::uint32_t context, std::uint16_t symbol) {
            ++counts_[static_cast<std::size_t>(stream)][std::uint64_t{context} << 16 | symbol];
            return symbol;
        });
    });
}

void SmallCounts::merge(const SmallCounts& other) {
    for (std::size_t s = 0; s < kMaxStreams; ++s)
        for (const auto& [key, n] : other.counts_[s]) counts_[s][key] += n;
}

SmallEncoder::SmallEncoder(const TableMeta& meta, const SmallCounts& counts)
    : meta_(meta), plan_(*counts.plan_) {
    std::vector<std::uint8_t> raw;
    serialise(plan_, meta.metric, raw);
    for (int s = 0; s < stream_count(meta.metric); ++s) {
        std::vector<std::vector<std::pair<std::uint16_t, std::uint64_t>>> by_context(plan_.contexts(s));
        for (const auto& [key, n] : counts.counts_[static_cast<std::size_t>(s)])
            by_context[key >> 16].emplace_back(static_cast<std::uint16_t>(key), n);
        // Hash order would make the models, and so the file, depend on the library and the number of threads.
        for (auto& list : by_context) std::sort(list.begin(), list.end());
        streams_.emplace_back(by_context).serialise(raw);
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
        const std::size_t words = (streams.size() - before) / 2;
        if (words > 65535)
            throw Error(ErrorCode::internal, "a block takes more room than codec 2 has for it");
        sizes.push_back(static_cast<std::uint8_t>(words));
        sizes.push_back(static_cast<std::uint8_t>(words >> 8));
    });
    EncodedBlock out;
    out.bytes = std::move(sizes);
    out.bytes.insert(out.bytes.end(), streams.begin(), streams.end());
    out.checksum = checksum_of(out.bytes);
    return out;
}

} // namespace mill

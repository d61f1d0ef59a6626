#include "probe/codec/small_codec.h"

#include "probe/codec/block_walk.inc"

namespace mill {

namespace {

constexpr std::uint32_t kMaxContexts = 1U << 20;
constexpr std::size_t kMaxTerms = 12;

[[noreturn]] void corrupt(const std::string& what) {
    throw Error(ErrorCode::corrupt_table, "table model: " + what);
}

std::uint8_t take_byte(std::span<const std::uint8_t>& bytes) {
    if (bytes.empty()) corrupt("too short");
    const std::uint8_t v = bytes[0];
    bytes = bytes.subspan(1);
    return v;
}

/// Whether a term says something known at that place.
bool sensible(Term t, Metric m, int stream) {
    switch (t.kind) {
    case Term::Kind::feature: return t.which < kFeatures;
    case Term::Kind::link_outcome: return t.which < kLinks;
    case Term::Kind::link_value: return m != Metric::wdl && t.which < kLinks && t.cap < 255;
    case Term::Kind::outcome: return m != Metric::wdl;
    case Term::Kind::depth: return m == Metric::dte;
    case Term::Kind::same: return m != Metric::wdl && stream == kValues && t.cap < 255;
    case Term::Kind::value: return m == Metric::dte && stream != kValues;
    case Term::Kind::budget: return m == Metric::dte && stream > kStepCount;
    }
    return false;
}

ContextPlan read_plan(std::span<const std::uint8_t>& bytes, Metric m) {
    ContextPlan plan;
    for (int s = 0; s < stream_count(m); ++s) {
        const std::size_t n = take_byte(bytes);
        if (n > kMaxTerms) corrupt("too many terms");
        std::uint64_t contexts = 1;
        std::size_t links = 0;
        for (std::size_t i = 0; i < n; ++i) {
            Term t;
            const std::uint8_t kind = take_byte(bytes);
            if (kind > static_cast<std::uint8_t>(Term::Kind::budget)) corrupt("unknown term");
            t.kind = static_cast<Term::Kind>(kind);
            t.which = take_byte(bytes);
            t.cap = take_byte(bytes);
            if (!sensible(t, m, s)) corrupt("impossible term");
            links += t.kind == Term::Kind::link_outcome;
            contexts *= t.levels();
            if (contexts > kMaxContexts) corrupt("too many contexts");
            plan.terms[static_cast<std::size_t>(s)].push_back(t);
        }
        if (m == Metric::wdl && links > kMaxOutcomeLinks) corrupt("too many links");
    }
    return plan;
}

} // namespace

std::uint32_t Term::levels() const {
    switch (kind) {
    case Kind::feature: return static_cast<std::uint32_t>(levels_of(static_cast<Feature>(which)));
    case Kind::link_outcome: return 4;
    case Kind::link_value:
    case Kind::same: return cap + 2U;
    case Kind::outcome: return 2;
    case Kind::depth:
    case Kind::value:
    case Kind::budget: return cap + 1U;
    }
    return 1;
}

int stream_count(Metric m) { return m == Metric::dte ? 4 : 1; }

std::uint32_t ContextPlan::contexts(int stream) const {
    std::uint32_t n = 1;
    for (const Term& t : terms[static_cast<std::size_t>(stream)]) n *= t.levels();
    return n;
}

void serialise(const ContextPlan& plan, Metric m, std::vector<std::uint8_t>& out) {
    for (int s = 0; s < stream_count(m); ++s) {
        const auto& terms = plan.terms[static_cast<std::size_t>(s)];
        out.push_back(static_cast<std::uint8_t>(terms.size()));
        for (const Term& t : terms) {
            out.push_back(static_cast<std::uint8_t>(t.kind));
            out.push_back(t.which);
            out.push_back(t.cap);
        }
    }
}

BlockWalk::BlockWalk(const TableMeta& meta, const ContextPlan& plan)
    : metric_(meta.metric), limit_(meta.limit), plan_(&plan),
      scan_(meta.subspace, FeatureRules::from_bits(meta.features)) {
    for (int s = 0; s < stream_count(metric_); ++s) {
        std::uint32_t stride = 1;
        for (const Term& t : plan.terms[static_cast<std::size_t>(s)]) {
            if (t.kind != Term::Kind::feature) dynamic_[static_cast<std::size_t>(s)].push_back({t, stride});
            stride *= t.levels();
        }
    }
    if (metric_ == Metric::dte) same_depths_ = 256;
    same_.resize(2 * same_depths_);
}

void BlockWalk::prepare(const BlockContent& block, int streams) {
    scan_.scan(block.begin, block.n);
    bool before = false;
    std::size_t moves = 0;
    for (int s = 0; s < streams; ++s) {
        auto& fixed = fixed_[static_cast<std::size_t>(s)];
        fixed.clear();
        if (s == kValues) fixed.resize(block.n);
        std::uint32_t stride = 1;
        for (const Term& t : plan_->terms[static_cast<std::size_t>(s)]) {
            if (t.kind == Term::Kind::feature) {
                fixed.resize(block.n);
                scan_.add(static_cast<Feature>(t.which), stride, fixed);
            } else if (t.kind == Term::Kind::link_outcome || t.kind == Term::Kind::link_value) {
                if (t.which < kFirstMove) before = true;
                else moves = std::max(moves, t.which - kFirstMove + 1);
            }
            stride *= t.levels();
        }
    }
    if (before) scan_.before(links_[0]);
    if (moves) scan_.moves(moves, links_[1]);
}

SmallCodec::SmallCodec(const TableMeta& meta, std::span<const std::uint8_t> models) : meta_(meta) {
    FeatureRules::from_bits(meta.features);
    const std::vector<std::uint8_t> raw = decompress(models, kMaxModelBytes, "table model");
    std::span<const std::uint8_t> rest = raw;
    plan_ = read_plan(rest, meta.metric);
    const std::uint32_t largest = meta.metric == Metric::wdl                           ? 2
                                  : meta.metric == Metric::dte || meta.code_bits == 16 ? 65535
                                                                                       : 255;
    for (int s = 0; s < stream_count(meta.metric); ++s)
        models_.emplace_back(rest, plan_.contexts(s),
                             s == kValues         ? largest
                             : s == kStepDistance ? 65535
                                                  : 250);
    if (!rest.empty()) corrupt("too long");
    if (meta.metric != Metric::wdl) return;
    for (std::uint32_t c = 0; c < models_[0].contexts(); ++c) {
        Ternary& t = outcomes_.emplace_back();
        int n = 0;
        for (const SymbolModel::Part* part = models_[0].parts(c);; ++part, ++n) {
            if (n == 3) corrupt("an outcome occurs twice");
            t.symbols[n] = static_cast<std::uint8_t>(part->symbol);
            if (n == 1) t.second = part->start;
            if (n == 2) t.third = part->start;
            if (part->end() == kScale) break;
        }
    }
    models_.clear();
}

SmallCodec::~SmallCodec() = default;

// Sizes are a byte up to 127; larger ones take seven bits a byte, the lowest first, all but the last with the top bit set.
void put_size(std::vector<std::uint8_t>& out, std::size_t size) {
    for (; size > 127; size >>= 7) out.push_back(static_cast<std::uint8_t>(size | 128));
    out.push_back(static_cast<std::uint8_t>(size));
}

std::optional<std::size_t> take_size(std::span<const std::uint8_t> bytes, std::size_t& at) {
    std::size_t size = 0;
    for (int shift = 0; at < bytes.size() && size <= kMaxStreamBytes; shift += 7) {
        const std::uint8_t b = bytes[at++];
        size |= std::size_t{b & 127U} << shift;
        if (b < 128) return size <= kMaxStreamBytes ? std::optional(size) : std::nullopt;
        if (shift == 14) break;
    }
    return std::nullopt;
}

std::size_t SmallCodec::memory() const {
    std::size_t n = sizeof *this + outcomes_.size() * sizeof(Ternary);
    for (const SymbolModel& m : models_) n += m.memory();
    return n;
}

SmallCodec::Known SmallCodec::ask(std::uint32_t block, const Companions* companions) const {
    Known known;
    if (meta_.metric == Metric::wdl) return known;
    if (!companions)
        throw Error(ErrorCode::missing_table, "table " + table_file_name(meta_.subspace, meta_.metric) +
                                                  " can be read only with the other metrics beside it");
    const std::uint64_t begin = std::uint64_t{block} * meta_.block_entries;
    known.wdl.resize(meta_.entries_in(block));
    companions->outcomes(begin, known.wdl);
    if (meta_.metric == Metric::dte) {
        known.dtz.resize(known.wdl.size());
        companions->depths(begin, known.dtz);
    }
    return known;
}

void SmallCodec::decode_block(std::uint32_t block, std::span<const std::uint8_t> group,
                              std::uint64_t checksum, Known& known, std::vector<std::uint8_t>& raw) const {
    const auto refuse = [&](const std::string& what) {
        throw Error(ErrorCode::corrupt_table, "table " + table_file_name(meta_.subspace, meta_.metric) +
                                                  ", block " + std::to_string(block) + ": " + what);
    };
    if (checksum_of(group) != checksum) refuse("checksum mismatch");
    // The group begins with the size of each of its blocks.
    const std::uint32_t first = block / meta_.group_blocks * meta_.group_blocks;
    const std::size_t blocks = std::min(meta_.group_blocks, meta_.block_count() - first);
    std::size_t at = 0, before = 0, size = 0;
    for (std::size_t b = 0; b < blocks; ++b) {
        const std::optional<std::size_t> taken = take_size(group, at);
        if (!taken) refuse("the sizes in its group are damaged");
        if (b < block - first) before += *taken;
        if (b == block - first) size = *taken;
    }
    if (group.size() - at < before + size) refuse("its group is too short");
    at += before;

    BlockContent content;
    content.begin = std::uint64_t{block} * meta_.block_entries;
    content.n = meta_.entries_in(block);
    content.wdl = std::move(known.wdl);
    content.dtz = std::move(known.dtz);
    for (const std::uint8_t code : content.wdl)
        if (code > 2) refuse("the outcomes beside it are none");
    SymbolDecoder decoder(group.subspan(at, size));
    BlockWalk walk(meta_, plan_);
    if (meta_.metric == Metric::wdl) {
        const Ternary* outcomes = outcomes_.data();
        walk(content,
             [&](int, std::uint32_t context, std::uint16_t) { return decoder.take(outcomes[context]); });
    } else {
        const SymbolModel* models = models_.data();
        walk(content, [&](int stream, std::uint32_t context, std::uint16_t) {
            return decoder.take(models[stream], context);
        });
    }
    if (!decoder.finish()) refuse("does not decode");

    raw.assign(meta_.code_bytes(block), 0);
    if (meta_.metric == Metric::wdl) {
        for (std::uint32_t i = 0; i < content.n; ++i)
            raw[i / 4] = static_cast<std::uint8_t>(raw[i / 4] | content.wdl[i] << (2 * (i % 4)));
        return;
    }
    for (std::uint32_t i = 0; i < content.n; ++i) {
        if (meta_.code_bits == 8) {
            if (content.values[i] > 255) refuse("a value is too large");
            raw[i] = static_cast<std::uint8_t>(content.values[i]);
            continue;
        }
        raw[2 * i] = static_cast<std::uint8_t>(content.values[i]);
        raw[2 * i + 1] = static_cast<std::uint8_t>(content.values[i] >> 8);
    }
    append_steps(raw, content.steps, 0);
}

} // namespace mill

// The small codec: values coded by context models that the file brings along (docs/FORMAT.md section 6). Decoding
// and encoding walk over a block in the same way, BlockWalk, so that they cannot see different contexts.
#pragma once

#include "probe/codec/position_features.h"
#include "probe/codec/symbol_model.h"
#include "probe/format/table_reader.h"

#include <memory>
#include <optional>

namespace mill {

/// One factor of a context.
struct Term {
    enum class Kind : std::uint8_t {
        feature,      ///< `which` is a Feature
        link_outcome, ///< outcome code of the linked entry; 3: there is none
        link_value, ///< this metric's value of the linked entry (in dte less DTZ of this one), up to `cap`; cap + 1: none, or of another outcome
        outcome,    ///< 0 win, 1 loss
        depth,      ///< DTZ, up to `cap`
        same,   ///< latest value before in this block with the same outcome (and DTZ in dte), as link_value
        value,  ///< the distance just decoded less DTZ, up to `cap`: for what follows it
        budget, ///< the budget just decoded less DTZ, up to `cap`
    };
    Kind kind = Kind::feature;
    std::uint8_t which = 0; ///< Feature or Link
    std::uint8_t cap = 0;
    std::uint32_t levels() const;
};

/// Kinds of symbols, in the order of their models in the file.
inline constexpr int kMaxStreams = 4;
enum Stream : int {
    kValues = 0,       ///< the metric itself
    kStepCount = 1,    ///< of dte: how many profile steps
    kStepBudget = 2,   ///< of each: its budget less that of the step before or DTZ
    kStepDistance = 3, ///< of each: its distance less that at the full budget
};
int stream_count(Metric m);

inline constexpr std::size_t kMaxOutcomeLinks = kLinks; ///< in a context of outcomes

/// The contexts of a table.
struct ContextPlan {
    std::array<std::vector<Term>, kMaxStreams> terms;
    std::uint32_t contexts(int stream) const; ///< product of the levels
};

/// What a block holds while it is walked over. When encoding it is all there, when decoding it is filled in.
struct BlockContent {
    std::uint64_t begin = 0;
    std::uint32_t n = 0;
    std::vector<std::uint8_t> wdl;     ///< codes; given but for wdl
    std::vector<std::uint16_t> dtz;    ///< given for dte
    std::vector<std::uint16_t> values; ///< of a distance; 0 where drawn
    std::vector<ProfileStep> steps;    ///< entries counted from the first of the block
};

/// Room that walking over blocks needs: one a thread.
class BlockWalk {
public:
    BlockWalk(const TableMeta& meta, const ContextPlan& plan);

    /// Calls coder(stream, context, symbol), which returns the symbol: the one given when encoding, what it decodes
    /// else. Throws Error(corrupt_table) where symbols make no sense.
    template <class Coder> void operator()(BlockContent& block, Coder&& coder);

private:
    template <class Coder> void outcomes(BlockContent& block, Coder&& coder);
    template <class Coder> void distances(BlockContent& block, Coder&& coder);
    /// Contexts as far as they depend on positions alone, and the links that the plan uses.
    void prepare(const BlockContent& block, int streams);
    std::uint32_t context(int stream, std::uint32_t i, const BlockContent& block, int depth, int value,
                          int budget) const;

    struct Dynamic {
        Term term;
        std::uint32_t stride;
    };
    Metric metric_;
    std::uint32_t limit_;
    const ContextPlan* plan_;
    FeatureScan scan_;
    std::array<std::vector<std::uint32_t>, kMaxStreams> fixed_;
    std::array<std::vector<Dynamic>, kMaxStreams> dynamic_;
    // Links as FeatureScan gives them: first those that are no moves, then the moves.
    static constexpr std::size_t kFirstMove = kLinks - kMoveLinks;
    static std::size_t kind_of(std::uint8_t link) { return link < kFirstMove ? 0 : 1; }
    static std::uint32_t shift_of(std::uint8_t link) {
        return 16U * (link < kFirstMove ? link : link - static_cast<std::uint32_t>(kFirstMove));
    }
    /// The entry that a link of entry i leads to.
    std::uint32_t linked(std::uint8_t link, std::uint32_t i) const {
        return links_[kind_of(link)][i] >> shift_of(link) & 0xFFFF;
    }
    std::array<std::vector<std::uint64_t>, 2> links_;
    std::vector<std::uint16_t> same_; ///< by outcome and DTZ: latest value + 1, 0 = none
    std::size_t same_depths_ = 1;
};

/// Models of one table, ready to decode.
class SmallCodec {
public:
    /// `models` are the bytes between header and first block. Throws Error(corrupt_table).
    SmallCodec(const TableMeta& meta, std::span<const std::uint8_t> models);
    ~SmallCodec();

    /// What must be known of the other metrics to decode a block.
    struct Known {
        std::vector<std::uint8_t> wdl;
        std::vector<std::uint16_t> dtz;
    };
    /// Throws Error(missing_table) without companions where they are needed.
    Known ask(std::uint32_t block, const Companions* companions) const;
    /// `group` are the bytes that the block's entry of the index stands for.
    void decode_block(std::uint32_t block, std::span<const std::uint8_t> group, std::uint64_t checksum,
                      Known& known, std::vector<std::uint8_t>& raw) const;
    std::size_t memory() const;

private:
    TableMeta meta_;
    ContextPlan plan_;
    std::vector<SymbolModel> models_;
    std::vector<Ternary> outcomes_; ///< of wdl, by context: the same in a shape that decodes faster
};

void serialise(const ContextPlan& plan, Metric m, std::vector<std::uint8_t>& out);

/// The size of a block's stream, before the streams of its group.
void put_size(std::vector<std::uint8_t>& out, std::size_t size);
/// Takes one from `bytes` at `at`, which moves on. Nothing if it does not end there or is too large.
std::optional<std::size_t> take_size(std::span<const std::uint8_t> bytes, std::size_t& at);

} // namespace mill

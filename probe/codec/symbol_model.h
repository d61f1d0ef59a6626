// Entropy coding with fixed distributions: one for every context, kept in the file; streams of symbols are coded
// by rANS, short enough to be decoded whole for one probe. docs/FORMAT.md section 6 is the description.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace mill {

inline constexpr int kScaleBits = 14; ///< frequencies of a context add up to 2^14
inline constexpr std::uint32_t kScale = 1U << kScaleBits;

/// The distributions of one kind of symbol.
class SymbolModel {
public:
    /// A symbol's part of the scale.
    struct Part {
        std::uint16_t start, size; ///< size 0 stands for the whole scale
        std::uint16_t symbol;
        std::uint32_t end() const { return start + width(); }
        std::uint32_t width() const { return size ? size : kScale; }
    };

    SymbolModel() = default;
    /// Quantises counts: `counts[context]` lists (symbol, how often). Contexts that occur less than `rare` times get
    /// the distribution of all such contexts together.
    explicit SymbolModel(const std::vector<std::vector<std::pair<std::uint16_t, std::uint64_t>>>& counts,
                         std::uint64_t rare = 24);

    std::uint32_t contexts() const { return static_cast<std::uint32_t>(first_.size()); }
    const Part* parts(std::uint32_t context) const { return parts_.data() + first_[context]; }
    /// The part of a symbol, or null if the context cannot have it.
    const Part* find(std::uint32_t context, std::uint16_t symbol) const;

    void serialise(std::vector<std::uint8_t>& out) const;
    /// Takes a model of that many contexts from the front of `bytes`. Throws Error(corrupt_table) unless all of it
    /// is as the format says and no symbol exceeds `largest_symbol`.
    SymbolModel(std::span<const std::uint8_t>& bytes, std::uint32_t contexts, std::uint32_t largest_symbol);

    std::size_t memory() const {
        return first_.size() * sizeof(std::uint32_t) + parts_.size() * sizeof(Part);
    }

private:
    std::vector<std::uint32_t> first_; ///< of each context: where its parts begin
    std::vector<Part> parts_;
    std::vector<std::uint16_t>
        sizes_; ///< of each context: how many parts; 0: it shares the last distribution
};

/// A distribution of at most three symbols, in one place: what outcomes are decoded with.
struct Ternary {
    std::uint16_t second = kScale, third = kScale; ///< where those symbols' parts start
    std::uint8_t symbols[3] = {};
};
static_assert(kScale < 65536);

/// Decodes one stream. Where its words are used up the state only shrinks, down to the 0 that coding begins with: what
/// the state holds in the end is not wasted, and a stream takes hardly more bytes than its symbols are worth.
class SymbolDecoder {
public:
    explicit SymbolDecoder(std::span<const std::uint8_t> bytes) {
        const std::size_t n = bytes.size(), in_state = n < 5 ? n : 4 - n % 2;
        for (std::size_t i = 0; i < in_state; ++i) state_ |= std::uint32_t{bytes[i]} << (8 * i);
        at_ = bytes.data() + in_state;
        end_ = bytes.data() + n;
    }
    std::uint16_t take(const SymbolModel& model, std::uint32_t context) {
        const std::uint32_t slot = state_ & (kScale - 1);
        const SymbolModel::Part* part = model.parts(context);
        while (slot >= part->end()) ++part; // the last part ends at the scale
        state_ = part->width() * (state_ >> kScaleBits) + slot - part->start;
        refill();
        return part->symbol;
    }
    std::uint8_t take(const Ternary& t) {
        const std::uint32_t slot = state_ & (kScale - 1);
        std::uint32_t start = 0, end = t.second;
        std::uint8_t symbol = t.symbols[0];
        if (slot >= end) [[unlikely]] {
            const bool last = slot >= t.third;
            start = last ? t.third : t.second;
            end = last ? kScale : t.third;
            symbol = t.symbols[last ? 2 : 1];
        }
        state_ = (end - start) * (state_ >> kScaleBits) + slot - start;
        refill();
        return symbol;
    }
    /// Whether the stream was used up exactly and ended in the state that coding begins with.
    bool finish() const { return at_ == end_ && state_ == 0; }

private:
    static constexpr std::uint32_t kLow = 1U << 16; ///< below it a word is taken, if there is one
    void refill() {
        if (state_ >= kLow || at_ == end_) return;
        state_ = state_ << 16 | at_[0] | std::uint32_t{at_[1]} << 8;
        at_ += 2;
    }
    const std::uint8_t* at_;
    const std::uint8_t* end_;
    std::uint32_t state_ = 0;
};

/// Collects the symbols of one stream in order, then codes them.
class SymbolEncoder {
public:
    /// Throws Error(internal) if the model has no such symbol there.
    void put(const SymbolModel& model, std::uint32_t context, std::uint16_t symbol);
    /// Appends the stream and begins anew.
    void finish(std::vector<std::uint8_t>& out);

private:
    std::vector<SymbolModel::Part> parts_;
};

} // namespace mill

#include "probe/codec/symbol_model.h"

#include "rules/error.h"

#include <algorithm>

namespace mill {

namespace {

using Counts = std::vector<std::pair<std::uint16_t, std::uint64_t>>;

[[noreturn]] void corrupt() {
    throw Error(ErrorCode::corrupt_table, "table model: a distribution is impossible");
}

/// Parts in proportion to the counts, none empty, most frequent first.
std::vector<SymbolModel::Part> quantise(Counts counts) {
    if (counts.empty()) counts.emplace_back(std::uint16_t{0}, 1);
    std::sort(counts.begin(), counts.end(), [](const auto& a, const auto& b) {
        return a.second != b.second ? a.second > b.second : a.first < b.first;
    });
    std::uint64_t total = 0;
    for (const auto& c : counts) total += c.second;
    std::vector<std::uint32_t> sizes;
    std::uint32_t sum = 0;
    for (const auto& c : counts) {
        sizes.push_back(std::max<std::uint32_t>(
            1,
            static_cast<std::uint32_t>(static_cast<double>(c.second) / static_cast<double>(total) * kScale)));
        sum += sizes.back();
    }
    // What rounding has left over goes to the largest, which also pays where too much was given.
    for (std::size_t i = 0; sum != kScale; i = (i + 1) % sizes.size()) {
        if (sum < kScale) {
            sizes[i] += kScale - sum;
            sum = kScale;
        } else {
            const std::uint32_t less = std::min(sum - kScale, sizes[i] / 2);
            sizes[i] -= less;
            sum -= less;
        }
    }
    std::vector<SymbolModel::Part> parts;
    std::uint32_t start = 0;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        parts.push_back({static_cast<std::uint16_t>(start), static_cast<std::uint16_t>(sizes[i] % kScale),
                         counts[i].first});
        start += sizes[i];
    }
    return parts;
}

std::uint16_t take_u16(std::span<const std::uint8_t>& bytes) {
    if (bytes.size() < 2) corrupt();
    const auto v = static_cast<std::uint16_t>(bytes[0] | bytes[1] << 8);
    bytes = bytes.subspan(2);
    return v;
}

void put_u16(std::vector<std::uint8_t>& out, std::uint16_t v) {
    out.push_back(static_cast<std::uint8_t>(v));
    out.push_back(static_cast<std::uint8_t>(v >> 8));
}

} // namespace

SymbolModel::SymbolModel(const std::vector<Counts>& counts, std::uint64_t rare) {
    Counts shared;
    for (const Counts& c : counts) {
        std::uint64_t total = 0;
        for (const auto& [symbol, n] : c) total += n;
        if (total >= std::max<std::uint64_t>(rare, 1)) {
            const auto parts = quantise(c);
            first_.push_back(static_cast<std::uint32_t>(parts_.size()));
            sizes_.push_back(static_cast<std::uint16_t>(parts.size()));
            parts_.insert(parts_.end(), parts.begin(), parts.end());
            continue;
        }
        for (const auto& [symbol, n] : c) {
            const auto it = std::find_if(shared.begin(), shared.end(),
                                         [s = symbol](const auto& p) { return p.first == s; });
            if (it == shared.end()) shared.emplace_back(symbol, n);
            else it->second += n;
        }
        first_.push_back(~std::uint32_t{0});
        sizes_.push_back(0);
    }
    const auto last = static_cast<std::uint32_t>(parts_.size());
    const auto parts = quantise(shared);
    parts_.insert(parts_.end(), parts.begin(), parts.end());
    std::replace(first_.begin(), first_.end(), ~std::uint32_t{0}, last);
}

const SymbolModel::Part* SymbolModel::find(std::uint32_t context, std::uint16_t symbol) const {
    for (const Part* part = parts(context);; ++part) {
        if (part->symbol == symbol) return part;
        if (part->end() == kScale) return nullptr;
    }
}

// The number of parts of every context, then all symbols, then all sizes but the last of each context: like things
// side by side compress best.
void SymbolModel::serialise(std::vector<std::uint8_t>& out) const {
    const std::size_t shared = first_.empty() ? 0 : [&] {
        std::size_t n = 0;
        for (const std::uint16_t s : sizes_) n += s;
        return parts_.size() - n;
    }();
    for (const std::uint16_t n : sizes_) put_u16(out, n);
    put_u16(out, static_cast<std::uint16_t>(shared));
    for (const Part& p : parts_) put_u16(out, p.symbol);
    for (const Part& p : parts_) put_u16(out, p.size);
}

SymbolModel::SymbolModel(std::span<const std::uint8_t>& bytes, std::uint32_t contexts,
                         std::uint32_t largest_symbol) {
    std::size_t total = 0;
    for (std::uint32_t c = 0; c < contexts; ++c) {
        sizes_.push_back(take_u16(bytes));
        total += sizes_.back();
    }
    const std::size_t own = total, shared = take_u16(bytes);
    total += shared;
    if (shared == 0 || bytes.size() < 4 * total) corrupt();
    parts_.resize(total);
    for (Part& p : parts_) {
        p.symbol = take_u16(bytes);
        if (p.symbol > largest_symbol) corrupt();
    }
    for (Part& p : parts_) p.size = take_u16(bytes);
    const auto fill = [&](std::size_t first, std::size_t n) {
        std::uint32_t start = 0;
        for (std::size_t i = first; i < first + n; ++i) {
            if (start >= kScale || (parts_[i].size == 0 && n > 1)) corrupt();
            parts_[i].start = static_cast<std::uint16_t>(start);
            start += parts_[i].width();
        }
        if (start != kScale) corrupt();
    };
    std::uint32_t at = 0;
    for (const std::uint16_t n : sizes_) {
        if (n) fill(at, n);
        first_.push_back(n ? at : static_cast<std::uint32_t>(own));
        at += n;
    }
    fill(own, shared);
}

void SymbolEncoder::put(const SymbolModel& model, std::uint32_t context, std::uint16_t symbol) {
    const SymbolModel::Part* part = model.find(context, symbol);
    if (!part) throw Error(ErrorCode::internal, "a symbol that its model was not made for");
    parts_.push_back(*part);
}

void SymbolEncoder::finish(std::vector<std::uint8_t>& out) {
    std::uint32_t state = 0;
    std::vector<std::uint16_t> words; // last one first
    for (auto part = parts_.rbegin(); part != parts_.rend(); ++part) {
        const std::uint64_t width = part->width();
        if (state >= width << (32 - kScaleBits)) {
            words.push_back(static_cast<std::uint16_t>(state));
            state >>= 16;
        }
        state = static_cast<std::uint32_t>(state / width << kScaleBits) +
                static_cast<std::uint32_t>(part->start + state % width);
    }
    parts_.clear();
    // With words the state is at least 2^16, so that the size of the stream tells how many bytes it takes.
    for (; state; state >>= 8) out.push_back(static_cast<std::uint8_t>(state));
    for (auto word = words.rbegin(); word != words.rend(); ++word) put_u16(out, *word);
}

} // namespace mill

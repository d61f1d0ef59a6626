// The parts of the small codec: features against plain loops over the board, links by their definition, streams.
#include "probe/codec/position_features.h"
#include "probe/codec/small_codec.h"
#include "probe/codec/symbol_model.h"
#include "rules/board.h"
#include "rules/error.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace mill::testing {
namespace {

TEST(Features, AreWhatTheBoardShows) {
    std::mt19937_64 random(3);
    for (int round = 0; round < 300; ++round) {
        const Subspace s{static_cast<std::uint8_t>(random() % 13), static_cast<std::uint8_t>(random() % 13),
                         0, 0};
        FeatureRules rules = FeatureRules::from_bits(static_cast<std::uint32_t>(random() % 128));
        const SubspaceIndex index(s);
        const auto n = static_cast<std::uint32_t>(std::min<std::uint64_t>(index.size(), 1 + random() % 600));
        const std::uint64_t begin = random() % (index.size() - n + 1);
        FeatureScan scan(s, rules, has_wide_registers() && round % 2);
        scan.scan(begin, n);
        for (int f = 0; f < kFeatures; ++f) {
            std::vector<std::uint32_t> found(n, 5);
            scan.add(static_cast<Feature>(f), 7, found);
            for (std::uint32_t i = 0; i < n; ++i) {
                const auto [own, opp] = index.position(begin + i);
                const int level = FeatureScan::level_by_hand(static_cast<Feature>(f), rules, own, opp);
                ASSERT_LT(level, levels_of(static_cast<Feature>(f)));
                ASSERT_EQ(found[i], 5U + 7U * static_cast<std::uint32_t>(level))
                    << "feature " << f << " of " << own << "/" << opp << " under " << rules.bits();
            }
        }
    }
}

TEST(Features, BitsAreCheckedAndKept) {
    for (std::uint32_t bits = 0; bits < 128; ++bits) EXPECT_EQ(FeatureRules::from_bits(bits).bits(), bits);
    EXPECT_THROW(FeatureRules::from_bits(128), Error);
}

/// Up to 2000 entries of any subspace.
struct Run {
    Subspace subspace;
    SubspaceIndex index;
    std::uint64_t begin;
    std::uint32_t n;
};
Run random_run(std::mt19937_64& random) {
    const Subspace s{static_cast<std::uint8_t>(random() % 13), static_cast<std::uint8_t>(random() % 13), 0,
                     0};
    const SubspaceIndex index(s);
    const auto n = static_cast<std::uint32_t>(std::min<std::uint64_t>(index.size(), 1 + random() % 2000));
    return {s, index, random() % (index.size() - n + 1), n};
}

TEST(Features, LinksLeadToTheEntriesThatTheyName) {
    std::mt19937_64 random(4);
    for (int round = 0; round < 100; ++round) {
        const auto [s, index, begin, n] = random_run(random);
        FeatureScan scan(s, {});
        scan.scan(begin, n);
        std::vector<std::uint64_t> to;
        scan.before(to);
        for (std::uint32_t l = 0; l < 2; ++l)
            for (std::uint32_t i = 0; i < n; ++i) {
                std::uint64_t expected = begin + n;
                if (i > l && (begin + i) % index.row_size() > l) expected = begin + i - 1 - l;
                ASSERT_EQ(begin + (to[i] >> (16 * l) & 0xFFFF), expected)
                    << "link " << l << " of entry " << begin + i;
            }
    }
}

TEST(Features, MovesLeadToTheNearestEntriesBefore) {
    std::mt19937_64 random(6);
    for (int round = 0; round < 100; ++round) {
        const auto [s, index, begin, n] = random_run(random);
        FeatureRules rules;
        rules.diagonal = random() % 2;
        const Geometry& g = geometry(rules.diagonal ? Board::diagonal : Board::plain);
        FeatureScan scan(s, rules, has_wide_registers() && round % 2);
        scan.scan(begin, n);
        std::vector<std::uint64_t> links;
        const std::size_t wanted = 1 + random() % kMoveLinks;
        scan.moves(wanted, links);
        for (std::uint32_t i = 0; i < n; ++i) {
            const auto [own, opp] = index.position(begin + i);
            const std::uint64_t row = (begin + i) / index.row_size() * index.row_size();
            const Stones room = kAllPoints & ~own;
            std::vector<std::uint64_t> expected;
            // Steps from places above the lowest seven into these, whether or not they are free.
            int crossing = 0;
            for (int from = 0; from < kPoints; ++from)
                for (int to = from - 1; to >= 0; --to) {
                    if (!(opp & bit(from)) || !(g.neighbours[static_cast<std::size_t>(from)] & bit(to)))
                        continue;
                    if (own & bit(to)) continue;
                    const auto place = [&](int point) { return count(room & (bit(point) - 1)); };
                    if (place(from) > 6 && place(to) < 7 && ++crossing > 2) continue;
                    if (opp & bit(to)) continue;
                    const std::uint64_t at =
                        row + rank_table(s.opp).rank(extract_portable((opp ^ bit(from)) | bit(to), room));
                    if (at < begin + i && at >= begin) expected.push_back(at);
                }
            std::sort(expected.begin(), expected.end(), std::greater<>());
            expected.resize(kMoveLinks, begin + n);
            for (std::size_t k = 0; k < wanted; ++k)
                ASSERT_EQ(begin + (links[i] >> (16 * k) & 0xFFFF), expected[k])
                    << "move " << k + 1 << " of entry " << begin + i;
        }
    }
}

using Counts = std::vector<std::vector<std::pair<std::uint16_t, std::uint64_t>>>;

TEST(SymbolModels, StreamsComeBack) {
    std::mt19937_64 random(5);
    for (int round = 0; round < 200; ++round) {
        const std::size_t contexts = 1 + random() % 20;
        Counts counts(contexts);
        std::vector<std::pair<std::uint32_t, std::uint16_t>> symbols;
        const std::size_t n = random() % 4000;
        for (std::size_t i = 0; i < n; ++i) {
            const auto c = static_cast<std::uint32_t>(random() % contexts);
            const auto spread = 1 + (c * 7) % 40; // from a single symbol to many
            const auto symbol = static_cast<std::uint16_t>(std::min(random() % spread, random() % spread));
            symbols.emplace_back(c, symbol);
            auto& list = counts[c];
            const auto it =
                std::find_if(list.begin(), list.end(), [&](const auto& p) { return p.first == symbol; });
            if (it == list.end()) list.emplace_back(symbol, 1);
            else ++it->second;
        }
        const SymbolModel model(counts);
        std::vector<std::uint8_t> bytes;
        model.serialise(bytes);
        std::span<const std::uint8_t> rest = bytes;
        const SymbolModel copy(rest, static_cast<std::uint32_t>(contexts), 40);
        EXPECT_TRUE(rest.empty());
        SymbolEncoder encoder;
        for (const auto& [c, symbol] : symbols) encoder.put(model, c, symbol);
        std::vector<std::uint8_t> stream;
        encoder.finish(stream);
        SymbolDecoder decoder(stream);
        for (const auto& [c, symbol] : symbols) ASSERT_EQ(decoder.take(copy, c), symbol);
        EXPECT_TRUE(decoder.finish());
        // A stream that is too long is noticed.
        auto longer = stream;
        longer.insert(longer.end(), 2, 255);
        SymbolDecoder wrong(longer);
        for (const auto& [c, symbol] : symbols) wrong.take(copy, c);
        EXPECT_FALSE(wrong.finish());
        // The stream is hardly longer than what its symbols are worth.
        double bits = 0;
        for (const auto& [c, symbol] : symbols)
            bits += std::log2(double{kScale} / model.find(c, symbol)->width());
        EXPECT_LE(static_cast<double>(stream.size()), bits * 1.001 / 8 + 3);
    }
}

TEST(SymbolModels, SizesComeBack) {
    std::vector<std::uint8_t> bytes;
    const std::vector<std::size_t> sizes = {0, 1, 127, 128, 16383, 16384, kMaxStreamBytes};
    for (const std::size_t s : sizes) put_size(bytes, s);
    EXPECT_EQ(bytes.size(), 1U + 1 + 1 + 2 + 2 + 3 + 3);
    std::size_t at = 0;
    for (const std::size_t s : sizes) EXPECT_EQ(take_size(bytes, at), s);
    EXPECT_EQ(at, bytes.size());
    EXPECT_FALSE(take_size(bytes, at)) << "nothing left";
    for (const std::vector<std::uint8_t>& bad :
         {std::vector<std::uint8_t>{128}, {128, 128, 128, 0}, {255, 255, 7}, {255, 255, 127}}) {
        at = 0;
        EXPECT_FALSE(take_size(bad, at));
    }
}

TEST(SymbolModels, ImpossibleOnesAreRefused) {
    const SymbolModel model(Counts{{{0, 900}, {1, 50}, {2, 50}}, {{2, 10000}}});
    std::vector<std::uint8_t> good;
    model.serialise(good);
    std::span<const std::uint8_t> rest = good;
    EXPECT_NO_THROW(SymbolModel(rest, 2, 2));
    rest = good;
    EXPECT_THROW(SymbolModel(rest, 2, 1), Error);
    rest = good;
    EXPECT_THROW(SymbolModel(rest, 3, 2), Error);
    for (std::size_t n = 0; n < good.size(); ++n) {
        rest = std::span<const std::uint8_t>(good).first(n);
        EXPECT_THROW(SymbolModel(rest, 2, 2), Error) << n;
    }
    // Sizes that do not add up: the last bytes are sizes.
    for (std::size_t i = good.size() - 10; i < good.size(); ++i) {
        auto bad = good;
        bad[i] ^= 1;
        rest = bad;
        EXPECT_THROW(SymbolModel(rest, 2, 2), Error) << i;
    }
}

} // namespace
} // namespace mill::testing

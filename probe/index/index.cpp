#include "probe/index/index.h"

#include <algorithm>
#include <memory>
#include <mutex>

namespace mill {

namespace {

constexpr auto make_binomials() {
    std::array<std::array<std::uint32_t, 25>, 25> c{};
    for (std::size_t n = 0; n <= 24; ++n) {
        c[n][0] = 1;
        for (std::size_t k = 1; k <= n; ++k) c[n][k] = c[n - 1][k - 1] + (k < n ? c[n - 1][k] : 0);
    }
    return c;
}

/// Burnside: the average, over the symmetries, of the sets that each leaves as they are. Those are unions
/// of its cycles.
constexpr std::array<std::uint32_t, 25> make_orbit_counts() {
    std::array<std::uint64_t, 25> sum{};
    for (const auto& map : kSymmetryMaps) {
        std::array<std::uint64_t, 25> fixed{};
        fixed[0] = 1;
        Stones seen = 0;
        for (int p = 0; p < kPoints; ++p) {
            std::size_t length = 0;
            for (int q = p; !(seen & bit(q)); q = map[static_cast<std::size_t>(q)], ++length) seen |= bit(q);
            if (length == 0) continue;
            for (std::size_t n = 24; n >= length; --n) fixed[n] += fixed[n - length];
        }
        for (std::size_t n = 0; n <= 24; ++n) sum[n] += fixed[n];
    }
    std::array<std::uint32_t, 25> counts{};
    for (std::size_t n = 0; n <= 24; ++n) counts[n] = static_cast<std::uint32_t>(sum[n] / kSymmetries);
    return counts;
}
constexpr std::array<std::uint32_t, 25> kOrbitCounts = make_orbit_counts();

using ByteTables = std::array<std::array<std::array<Stones, 256>, 3>, kSymmetries>;

constexpr ByteTables make_byte_tables() {
    ByteTables t{};
    for (std::size_t s = 0; s < kSymmetries; ++s)
        for (std::size_t part = 0; part < 3; ++part)
            for (std::size_t v = 1; v < 256; ++v) {
                const std::size_t low = static_cast<std::size_t>(std::countr_zero(v));
                t[s][part][v] = t[s][part][v & (v - 1)] | bit(kSymmetryMaps[s][8 * part + low]);
            }
    return t;
}

const ByteTables kByteTables = make_byte_tables();

/// One immutable table per set size, built when first asked for.
template <class Table, std::size_t N> const Table& built_once(int size) {
    static std::array<std::once_flag, N> flags;
    static std::array<std::unique_ptr<const Table>, N> tables;
    const auto i = static_cast<std::size_t>(size);
    std::call_once(flags[i], [i, size] { tables[i] = std::make_unique<const Table>(size); });
    return *tables[i];
}

} // namespace

constexpr std::array<std::array<std::uint32_t, 25>, 25> kBinomial = make_binomials();

bool has_bmi2() {
#if defined(__x86_64__)
    static const bool has = __builtin_cpu_supports("bmi2") != 0;
    return has;
#else
    return false;
#endif
}

RankTable::RankTable(int n) : size(n), high_offset{} {
    std::uint32_t sum = 0;
    for (std::uint32_t high = 0; high < 4096; ++high) {
        high_offset[high] = sum;
        const int rest = n - std::popcount(high);
        if (rest >= 0 && rest <= 12) sum += kBinomial[12][static_cast<std::size_t>(rest)];
    }
}

const std::array<std::uint16_t, 4096>& RankTable::low_rank() {
    static const auto table = [] {
        std::array<std::uint16_t, 4096> t{};
        std::array<std::uint16_t, 13> seen{};
        for (std::uint32_t v = 0; v < 4096; ++v) t[v] = seen[static_cast<std::size_t>(std::popcount(v))]++;
        return t;
    }();
    return table;
}

const RankTable& rank_table(int size) { return built_once<RankTable, 25>(size); }

std::uint32_t unrank(int size, std::uint32_t rank) {
    std::uint32_t mask = 0;
    int top = 24;
    for (int k = size; k > 0; --k) {
        // The highest element is the largest p with C(p, k) <= rank.
        int p = top - 1;
        while (kBinomial[static_cast<std::size_t>(p)][static_cast<std::size_t>(k)] > rank) --p;
        rank -= kBinomial[static_cast<std::size_t>(p)][static_cast<std::size_t>(k)];
        mask |= std::uint32_t{1} << p;
        top = p;
    }
    return mask;
}

Stones fast_transform(Stones set, int symmetry) {
    const auto& t = kByteTables[static_cast<std::size_t>(symmetry)];
    return t[0][set & 255] | t[1][(set >> 8) & 255] | t[2][set >> 16];
}

OrbitTable::OrbitTable(int size) : ranks_(&rank_table(size)) {
    const std::uint32_t total = kBinomial[24][static_cast<std::size_t>(size)];
    constexpr std::uint32_t unknown = ~std::uint32_t{0};
    entry_.assign(total, unknown);
    Stones set = bit(size) - 1;
    for (std::uint32_t rank = 0; rank < total; ++rank) {
        if (entry_[rank] == unknown) { // ascending order: the first of its orbit is the smallest
            const auto orbit = static_cast<std::uint32_t>(representatives_.size());
            std::uint16_t stabiliser = 0;
            // The inverse of s takes the image back; going down, the smallest symmetry wins.
            for (int s = kSymmetries - 1; s >= 0; --s) {
                int inverse = 0;
                while (kSymmetryMaps[static_cast<std::size_t>(s)]
                                    [kSymmetryMaps[static_cast<std::size_t>(inverse)][0]] != 0 ||
                       kSymmetryMaps[static_cast<std::size_t>(s)]
                                    [kSymmetryMaps[static_cast<std::size_t>(inverse)][1]] != 1 ||
                       kSymmetryMaps[static_cast<std::size_t>(s)]
                                    [kSymmetryMaps[static_cast<std::size_t>(inverse)][2]] != 2)
                    ++inverse;
                const Stones image = fast_transform(set, inverse);
                if (image == set) stabiliser = static_cast<std::uint16_t>(stabiliser | (1U << s));
                entry_[ranks_->rank(image)] = orbit | static_cast<std::uint32_t>(s) << 24;
            }
            representatives_.push_back(set);
            stabilisers_.push_back(stabiliser);
        }
        // Next set of the same size in numeric order.
        if (set) {
            const Stones low = set & (~set + 1), ripple = set + low;
            set = ripple | (((set ^ ripple) >> 2) / low);
        }
    }
}

std::uint32_t orbit_count(int size) { return kOrbitCounts[static_cast<std::size_t>(size)]; }

std::uint64_t entry_count(int own, int opp) {
    return std::uint64_t{orbit_count(own)} *
           kBinomial[static_cast<std::size_t>(24 - own)][static_cast<std::size_t>(opp)];
}

const OrbitTable& orbit_table(int size) { return built_once<OrbitTable, 13>(size); }

SubspaceIndex::SubspaceIndex(int own, int opp)
    : own_(own), opp_(opp),
      row_size_(kBinomial[static_cast<std::size_t>(24 - own)][static_cast<std::size_t>(opp)]),
      orbits_(&orbit_table(own)), ranks_(&rank_table(opp)), bmi2_(has_bmi2()) {}

SubspaceIndex::Row SubspaceIndex::row(Stones own) const {
    const std::uint32_t entry = orbits_->lookup(own);
    const std::uint32_t row = OrbitTable::orbit(entry);
    return {std::uint64_t{row} * row_size_, kAllPoints & ~orbits_->representative(row),
            OrbitTable::symmetry(entry)};
}

std::uint64_t SubspaceIndex::index(const Row& row, Stones opp) const {
    const Stones image = fast_transform(opp, row.symmetry);
#if defined(__x86_64__)
    const std::uint32_t packed = bmi2_ ? extract_bmi2(image, row.free) : extract_portable(image, row.free);
#else
    const std::uint32_t packed = extract_portable(image, row.free);
#endif
    return row.first + ranks_->rank(packed);
}

std::pair<Stones, Stones> SubspaceIndex::position(std::uint64_t index) const {
    const Stones own = orbits_->representative(static_cast<std::uint32_t>(index / row_size_));
    const std::uint32_t packed = unrank(opp_, static_cast<std::uint32_t>(index % row_size_));
    return {own, deposit_portable(packed, kAllPoints & ~own)};
}

} // namespace mill

#include "tests/probe/damage.h"

#include <algorithm>
#include <fstream>
#include <iterator>

namespace mill::testing {

Bytes read_file(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return Bytes((std::istreambuf_iterator<char>(file)), {});
}

void write_file(const std::string& path, const Bytes& bytes) {
    std::ofstream file(path, std::ios::binary | std::ios::trunc);
    file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

const char* to_text(Region r) {
    switch (r) {
    case Region::header: return "header";
    case Region::blocks: return "blocks";
    case Region::index: return "index";
    case Region::size: return "size";
    }
    return "?";
}

Damager::Damager(Bytes good, std::vector<Bytes> others) : good_(std::move(good)), others_(std::move(others)) {
    const TableReader reader(memory_source(good_));
    meta_ = reader.meta();
    std::size_t at = kHeaderSize;
    for (std::uint32_t b = 0; b < meta_.block_count(); ++b) {
        const std::size_t size = reader.read_encoded(b).bytes.size();
        blocks_.push_back({at, at + size});
        at += size;
    }
}

Damager::Range Damager::range(Region region, Damage& damage, std::mt19937_64& random) const {
    switch (region) {
    case Region::header: return {0, kHeaderSize};
    case Region::index: return {meta_.index_offset, good_.size()};
    default: break;
    }
    damage.block = static_cast<std::uint32_t>(random() % blocks_.size());
    return blocks_[damage.block];
}

void Damager::in_place(Damage& damage, std::mt19937_64& random) const {
    const Range r = range(damage.region, damage, random);
    const auto at = [&] { return r.begin + random() % (r.end - r.begin); };
    Bytes& bytes = damage.bytes;
    switch (random() % 8) {
    case 0:
    case 1:
    case 2:
        damage.operation = "bit flipped";
        bytes[at()] ^= static_cast<std::uint8_t>(1U << random() % 8);
        break;
    case 3:
        damage.operation = "byte replaced";
        bytes[at()] = static_cast<std::uint8_t>(random());
        break;
    case 4: {
        damage.operation = "range overwritten";
        const std::size_t begin = at(), n = 1 + random() % (r.end - begin);
        std::fill_n(bytes.begin() + static_cast<std::ptrdiff_t>(begin), n,
                    static_cast<std::uint8_t>(random() % 2 * 255));
        break;
    }
    case 5: {
        damage.operation = "two bytes exchanged";
        std::swap(bytes[at()], bytes[at()]);
        break;
    }
    case 6: {
        damage.operation = "range of another file";
        const Bytes& other = others_[random() % others_.size()];
        const std::size_t begin = at(), end = std::min(r.end, other.size());
        for (std::size_t i = begin; i < end; ++i) bytes[i] = other[i];
        break;
    }
    case 7: { // blocks, or ranges as long as parts of the region
        damage.operation = "parts exchanged";
        Range a = r, b = r;
        if (damage.region == Region::blocks) b = blocks_[random() % blocks_.size()];
        else {
            a.end = b.begin = r.begin + (r.end - r.begin) / 2;
        }
        const std::size_t n = std::min(a.end - a.begin, b.end - b.begin);
        std::swap_ranges(bytes.begin() + static_cast<std::ptrdiff_t>(a.begin),
                         bytes.begin() + static_cast<std::ptrdiff_t>(a.begin + n),
                         bytes.begin() + static_cast<std::ptrdiff_t>(b.begin));
        break;
    }
    }
}

void Damager::resize(Damage& damage, std::mt19937_64& random) const {
    Bytes& bytes = damage.bytes;
    const auto place = [&](std::size_t at) { return bytes.begin() + static_cast<std::ptrdiff_t>(at); };
    switch (random() % 6) {
    case 0: {
        damage.operation = "truncated";
        const std::size_t edges[] = {
            0, 1, kHeaderSize - 1, kHeaderSize, meta_.index_offset, bytes.size() - 1};
        bytes.resize(random() % 2 ? edges[random() % 6] : random() % bytes.size());
        break;
    }
    case 1:
        damage.operation = "extended";
        bytes.insert(bytes.end(), 1 + random() % 100, static_cast<std::uint8_t>(random()));
        break;
    case 2: {
        damage.operation = "doubled";
        const Bytes twice = bytes;
        bytes.insert(bytes.end(), twice.begin(), twice.end());
        break;
    }
    case 3:
        damage.operation = "byte lost";
        bytes.erase(place(random() % bytes.size()));
        break;
    case 4:
        damage.operation = "byte gained";
        bytes.insert(place(random() % bytes.size()), static_cast<std::uint8_t>(random()));
        break;
    case 5: {
        damage.operation = "block lost";
        const Range r = blocks_[random() % blocks_.size()];
        bytes.erase(place(r.begin), place(r.end));
        break;
    }
    }
}

Damage Damager::next(Region region, std::mt19937_64& random) {
    for (;;) {
        Damage damage{region, {}, good_, 0};
        if (region == Region::size) resize(damage, random);
        else in_place(damage, random);
        if (std::find(others_.begin(), others_.end(), damage.bytes) == others_.end()) return damage;
    }
}

} // namespace mill::testing

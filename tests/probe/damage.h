// Damage to table files: what kind, where, and the bytes that come of it.
#pragma once

#include "probe/format/table_reader.h"

#include <random>
#include <string>
#include <vector>

namespace mill::testing {

using Bytes = std::vector<std::uint8_t>;

Bytes read_file(const std::string& path);
void write_file(const std::string& path, const Bytes& bytes);

/// The parts of a table file.
enum class Region { header, blocks, index, size };
inline constexpr Region kRegions[] = {Region::header, Region::blocks, Region::index, Region::size};
const char* to_text(Region r);

struct Damage {
    Region region;
    std::string operation; ///< such as "bit flipped"
    Bytes bytes;
    std::uint32_t block = 0; ///< that was hit, where the region is blocks
};

/// Makes damaged copies of one table file.
class Damager {
public:
    /// `others` are files to take parts from, the original among them. No copy equals one of these: a file under
    /// another one's name is not damage to its bytes.
    Damager(Bytes good, std::vector<Bytes> others);

    Damage next(Region region, std::mt19937_64& random);
    const Bytes& good() const { return good_; }
    const TableMeta& meta() const { return meta_; }

private:
    struct Range {
        std::size_t begin, end;
    };
    Range range(Region region, Damage& damage, std::mt19937_64& random) const;
    void in_place(Damage& damage, std::mt19937_64& random) const;
    void resize(Damage& damage, std::mt19937_64& random) const;

    Bytes good_;
    std::vector<Bytes> others_;
    TableMeta meta_;
    std::vector<Range> blocks_;
};

} // namespace mill::testing

// Values of runs of entries, read from table files whatever their codec and block size.
#pragma once

#include "builder/tables/store.h"
#include "probe/format/table_reader.h"

#include <array>
#include <optional>
#include <vector>

namespace mill::builder {

/// Entries [begin, begin + wdl.size()) of a subspace. Metrics that are not there have no values.
struct EntryRange {
    std::uint64_t begin = 0;
    std::vector<std::uint8_t> wdl;  ///< codes, one a byte
    std::vector<std::uint16_t> dtz; ///< where drawn: whatever the file says
    std::vector<std::uint16_t> dte;
    std::vector<ProfileStep> steps; ///< entries counted from the first of the subspace
};

/// The tables of one subspace as one sequence of entries. One thread.
class EntryReader : public Companions {
public:
    /// Opens the given metrics, and outcomes always. Throws as TableStore::open().
    EntryReader(const TableStore& store, Subspace s, const Metrics& metrics);

    const TableMeta& meta(Metric m) const { return file(m).reader.meta(); }
    /// Throws as TableReader::read_block().
    void read(std::uint64_t begin, std::uint32_t n, EntryRange& range) const;

    void outcomes(std::uint64_t begin, std::span<std::uint8_t> codes) const override;
    void depths(std::uint64_t begin, std::span<std::uint16_t> values) const override;

private:
    struct File {
        TableReader reader;
        std::string path;
        std::uint32_t block = ~std::uint32_t{0}; ///< that `raw` holds
        std::vector<std::uint8_t> raw;
    };
    File& file(Metric m) const;
    /// Calls fn(file, first entry within its block, place in the run, number) for the blocks under a run.
    template <class Fn> void each_block(Metric m, std::uint64_t begin, std::size_t n, Fn&& fn) const;

    mutable std::array<std::optional<File>, 3> files_;
};

} // namespace mill::builder

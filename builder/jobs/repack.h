// Finished tables written anew in another shape, without solving: metrics, codec, block size, level.
#pragma once

#include "builder/tables/store.h"

#include <atomic>
#include <functional>
#include <vector>

namespace mill::builder {

struct RepackOptions {
    Metrics metrics;                 ///< of these, those that the source has
    Codec codec = Codec::small;      ///< small where it is smaller, else plain
    int level = 19;                  ///< of zstd
    bool never_plain = false;        ///< small also where plain would be smaller
    std::uint32_t block_entries = 0; ///< 0: what suits codec and metric
    int threads = 1;
    const std::atomic<bool>* stop = nullptr;
};

/// What became of one table.
struct Repacked {
    Subspace subspace;
    Metric metric;
    bool skipped = false; ///< it was there in that shape
    std::uint64_t bytes_before = 0, bytes = 0;
    double seconds = 0;
    TableMeta meta;
};

/// Writes the tables of one subspace to another directory, each atomically; those that are there in the wanted
/// shape are skipped. Throws as TableStore, Error(aborted).
void repack(const TableStore& from, const TableStore& to, Subspace s, const RepackOptions& options,
            const std::function<void(const Repacked&)>& done);

/// Of `subspaces`, about to be written to `to` with `metrics`, those that a half set leaves out, are not there
/// already, and follow in all their metrics from what is written or there: takes them out and returns them.
std::vector<Subspace> take_what_follows(const TableStore& from, const TableStore& to, const Metrics& metrics,
                                        std::vector<Subspace>& subspaces);

} // namespace mill::builder

// Verification: every stored value derived again from those of its children, with the plain rules of
// rules/ and none of the solver's kernels.
#pragma once

#include "builder/tables/store.h"

#include <atomic>
#include <functional>

namespace mill::builder {

struct VerifyOptions {
    bool full = false;
    std::uint64_t sample = 20000; ///< positions per subspace unless full
    std::uint64_t seed = 1;       ///< of the sample
    int threads = 1;
    std::uint64_t memory = 0;
    const std::atomic<bool>* stop = nullptr;
    std::function<void(Subspace, std::uint64_t done, std::uint64_t all)> progress;
};

struct VerifyResult {
    Subspace subspace;
    std::uint64_t positions = 0; ///< checked
    double seconds = 0;
    std::string fault; ///< empty, or the first faulty position with what was found and expected
    /// Empty, or the table that is not there and without which values cannot be derived: checksums and
    /// statistics were all that could be checked.
    std::string missing;
};

/// Checks all metrics of one subspace that are there: checksums, statistics, values at every budget.
/// `tables` hands out the subspace itself and its children; those that a half set leaves out are made again.
/// Throws Error(corrupt_table) for damage, Error(missing_table) where only the evaluation of restricted positions
/// comes to a table that is not there, Error(aborted).
VerifyResult verify_subspace(const TableStore& store, Subspace s, const Metrics& metrics, TableCache& tables,
                             const VerifyOptions& options);

/// Subspaces with a wdl table in the folder, ascending.
std::vector<Subspace> stored_subspaces(const TableStore& store);

/// Compares manifest.json with the headers; returns what is wrong, or an empty text.
std::string check_manifest(const TableStore& store);

} // namespace mill::builder

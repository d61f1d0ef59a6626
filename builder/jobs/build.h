// Building a plan: skip what is finished, lock, load, solve, write.
#pragma once

#include "builder/jobs/plan.h"

#include <atomic>

namespace mill::builder {

/// What a build tells while it runs; all calls come from the building thread.
class BuildObserver {
public:
    virtual ~BuildObserver() = default;
    /// Before anything else: all groups, and how many of them (and their entries) are already there.
    virtual void planned(const std::vector<PlannedGroup>&, std::size_t /*finished*/,
                         std::uint64_t /*finished_positions*/) {}
    virtual void started(const PlannedGroup&) {}
    virtual void layer(const PlannedGroup&, int /*layer*/, std::uint64_t /*decided*/) {}
    virtual void writing(const PlannedGroup&) {}
    virtual void finished(const PlannedGroup&, const SolveRecord&) {}
    /// Found finished meanwhile (another process did it).
    virtual void skipped(const PlannedGroup&) {}
    virtual void waiting(const std::string& /*for_group*/) {}
};

struct BuildOptions {
    Metrics metrics;
    int threads = 1;
    std::uint64_t memory = 0; ///< bytes that may be used
    int zstd_level = 3;
    const std::atomic<bool>* stop = nullptr;
};

/// Builds what is missing. Several processes may do so in one directory at the same time. Throws
/// Error(out_of_memory) naming the group and the needed figure before anything of that group is
/// done, Error(aborted) when stopped, and what reading and writing throw.
void build(const TableStore& store, const std::vector<PlannedGroup>& plan, const BuildOptions& options,
           BuildObserver& observer);

} // namespace mill::builder

// One number for the behaviour of a build, as Stockfish's bench signature: whatever changes a rule, a turn, a
// text or a value changes it.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>

namespace mill::builder {

struct Signature {
    std::uint64_t values =
        0; ///< rulesets, turn counts, turns, texts, values: what no change may alter unseen
    std::uint64_t tables = 0; ///< bytes of table files; depend on format and zstd version as well
    std::uint64_t positions = 0, turns = 0, files = 0; ///< how many went into them
};

/// Solves small parts of the games of all presets in memory and hashes a fixed spread of what comes out. Tables are
/// written to `folder` and removed again. The same for every number of threads and every kernel. Throws
/// Error(aborted), Error(io), Error(out_of_memory).
Signature signature(const std::string& folder, int threads, const std::atomic<bool>* stop);

} // namespace mill::builder

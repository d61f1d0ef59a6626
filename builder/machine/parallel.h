// Loops over rows on all threads: exceptions leave the loop, a stop request ends it.
#pragma once

#include "rules/error.h"

#include <atomic>
#include <cstdint>
#include <exception>
#include <omp.h>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

namespace mill::builder {

/// Starts the threads of later loops. OpenMP ends the process with a code of its own if it cannot have
/// them, so this asks for as many of ours first. Throws Error(out_of_memory).
inline void start_threads(int threads) {
    try {
        std::vector<std::jthread> ours;
        for (int i = 1; i < threads; ++i) ours.emplace_back([] {});
    } catch (const std::system_error& e) {
        throw Error(ErrorCode::out_of_memory,
                    "cannot start " + std::to_string(threads) + " threads: " + e.code().message());
    }
#pragma omp parallel num_threads(threads)
    {}
}

/// Calls fn(row, thread) for 0 <= row < count. The first exception is thrown again on the calling
/// thread after all have stopped; a set `stop` flag throws Error(aborted).
template <class Fn>
void parallel_rows(std::uint32_t count, int threads, const std::atomic<bool>* stop, Fn&& fn) {
    std::exception_ptr failure;
    std::atomic<bool> halt{false};
    const std::uint32_t chunk = count / (static_cast<std::uint32_t>(threads) * 64) + 1;
#pragma omp parallel num_threads(threads)
    {
        const int thread = omp_get_thread_num();
#pragma omp for schedule(dynamic, chunk)
        for (std::uint32_t row = 0; row < count; ++row) {
            if (halt.load(std::memory_order_relaxed)) continue;
            if (stop && stop->load(std::memory_order_relaxed)) {
                halt.store(true, std::memory_order_relaxed);
                continue;
            }
            try {
                fn(row, thread);
            } catch (...) {
#pragma omp critical(mill_parallel_rows)
                if (!failure) failure = std::current_exception();
                halt.store(true, std::memory_order_relaxed);
            }
        }
    }
    if (failure) std::rethrow_exception(failure);
    if (stop && stop->load(std::memory_order_relaxed)) throw Error(ErrorCode::aborted, "stopped on request");
}

} // namespace mill::builder

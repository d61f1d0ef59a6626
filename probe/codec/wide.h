// Loops over all entries of a block, compiled twice: for any processor, and with instructions that most have.
#pragma once

namespace mill {

#if defined(__x86_64__)
template <class Work>
__attribute__((target("avx2,bmi,bmi2,popcnt"), flatten)) void with_wide_registers(Work&& work) {
    work();
}
#endif

/// Whether this is an x86-64 processor with AVX2 and the bit instructions that came with it.
inline bool has_wide_registers() {
#if defined(__x86_64__)
    static const bool has = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
                            __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt");
    return has;
#else
    return false;
#endif
}

/// Calls work(), in the version for such processors if `wide`: of itself and of all inline functions that it calls. Both
/// versions give the same results.
template <class Work> void run(bool wide, Work&& work) {
#if defined(__x86_64__)
    if (wide) return with_wide_registers(work);
#endif
    static_cast<void>(wide);
    work();
}

} // namespace mill

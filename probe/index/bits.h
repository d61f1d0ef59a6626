// Bit extraction and deposit: the portable versions and the BMI2 ones, with equal results.
#pragma once

#include <bit>
#include <cstdint>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace mill {

/// The bits of `value` selected by `mask`, packed to the low end.
constexpr std::uint32_t extract_portable(std::uint32_t value, std::uint32_t mask) {
    std::uint32_t out = 0;
    for (int n = 0; mask; mask &= mask - 1, ++n)
        if (value & mask & (~mask + 1)) out |= std::uint32_t{1} << n;
    return out;
}

/// The low bits of `value` spread to the positions of `mask`: the inverse of extraction.
constexpr std::uint32_t deposit_portable(std::uint32_t value, std::uint32_t mask) {
    std::uint32_t out = 0;
    for (; mask; mask &= mask - 1, value >>= 1)
        if (value & 1) out |= mask & (~mask + 1);
    return out;
}

#if defined(__x86_64__)
__attribute__((target("bmi2"))) inline std::uint32_t extract_bmi2(std::uint32_t value, std::uint32_t mask) {
    return _pext_u32(value, mask);
}
__attribute__((target("bmi2"))) inline std::uint32_t deposit_bmi2(std::uint32_t value, std::uint32_t mask) {
    return _pdep_u32(value, mask);
}
#endif

/// Whether this processor has BMI2 (and this build can use it).
bool has_bmi2();

#if defined(__BMI2__)
// Inside code that is compiled for BMI2 as a whole (the solver's fast kernels).
inline std::uint32_t extract(std::uint32_t value, std::uint32_t mask) { return _pext_u32(value, mask); }
inline std::uint32_t deposit(std::uint32_t value, std::uint32_t mask) { return _pdep_u32(value, mask); }
#else
inline std::uint32_t extract(std::uint32_t value, std::uint32_t mask) {
    return extract_portable(value, mask);
}
inline std::uint32_t deposit(std::uint32_t value, std::uint32_t mask) {
    return deposit_portable(value, mask);
}
#endif

} // namespace mill

#include "builder/rows/kernels.h"

#include <cstdlib>
#include <string_view>

namespace mill::builder {

const Kernels& best_kernels() {
#if defined(__x86_64__)
    const char* wish = std::getenv("MILLWRIGHT_KERNELS");
    const std::string_view named = wish ? wish : "";
    const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2");
    const bool avx512 = avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
    if (avx512 && (named.empty() || named == "avx512")) return kAvx512Kernels;
    if (avx2 && named != "portable") return kAvx2Kernels;
#endif
    return kPortableKernels;
}

} // namespace mill::builder

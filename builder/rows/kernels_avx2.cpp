// Row kernels for one processor family; see bit_kernels.inc. CMake sets the compiler flags.
#define MILL_KERNEL_FAMILY Avx2
#include "builder/rows/family.inc"

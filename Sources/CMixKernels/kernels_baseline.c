// SPDX-License-Identifier: MIT

#define LANES 4
#define WIDE_SETS 1
#define KERNELS mix_kernels_baseline
#if defined(__x86_64__)
#define NAME "sse2"
#elif defined(__ARM_NEON)
#define NAME "neon"
#else
#define NAME "generic"
#endif
#include "kernels_template.h"

// SPDX-License-Identifier: MIT

#define LANES 4
#define MOST_OUTPUTS 2
#define CHAINS 2
#define WIDEST_1 4
#define WIDEST_2 2
#define LOADS_GAINS_OF_2 0
#define KERNELS mix_kernels_baseline
#if defined(__x86_64__)
#define NAME "sse2"
#elif defined(__ARM_NEON)
#define NAME "neon"
#else
#define NAME "generic"
#endif
#include "kernels_template.h"

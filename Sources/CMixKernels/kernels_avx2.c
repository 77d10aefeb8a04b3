// SPDX-License-Identifier: MIT

#if defined(__x86_64__)
#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
#define LANES 8
#define MOST_OUTPUTS 2
#define CHAINS 1
#define WIDEST_1 8
#define WIDEST_2 6
#define LOADS_GAINS_OF_2 1
#define KERNELS mix_kernels_avx2
#define NAME "avx2"
#include "kernels_template.h"
#pragma clang attribute pop
#endif

// SPDX-License-Identifier: MIT

#if defined(__x86_64__)
#include <immintrin.h>
#pragma clang attribute push( \
    __attribute__((target("avx512f,avx512dq,avx512vl,fma"))), apply_to = function)
#define LANES 16
#define MOST_OUTPUTS 4
#define CHAINS 2
#define WIDEST_1 8
#define WIDEST_2 4
#define LOADS_GAINS_OF_2 0
#define WIDEST_4 3
#define KERNELS mix_kernels_avx512
#define NAME "avx512"
#include "kernels_template.h"
#pragma clang attribute pop
#endif

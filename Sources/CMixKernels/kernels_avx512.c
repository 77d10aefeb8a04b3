// SPDX-License-Identifier: MIT

#if defined(__x86_64__)
#pragma clang attribute push( \
    __attribute__((target("avx512f,avx512dq,avx512vl,fma"))), apply_to = function)
#define LANES 16
#define WIDE_SETS 2
#define KERNELS mix_kernels_avx512
#define NAME "avx512"
#include "kernels_template.h"
#pragma clang attribute pop
#endif

// SPDX-License-Identifier: MIT
#pragma once

#include "CMixKernels.h"

/// Vectors of 16 bytes, which every machine has (or its compiler makes up).
extern const MixKernels mix_kernels_baseline;
#if defined(__x86_64__)
extern const MixKernels mix_kernels_avx2;
extern const MixKernels mix_kernels_avx512;
#endif

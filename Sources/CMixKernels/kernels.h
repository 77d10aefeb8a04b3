// SPDX-License-Identifier: MIT
#pragma once

#include "CMixKernels.h"

/// One set of kernels; the functions are those of CMixKernels.h.
typedef struct {
  const char *name;
  MixLevel (*sum)(
      float *out, const float *const *inputs, const float *gains, int count, size_t offset,
      size_t frames);
  void (*add_ramps)(
      float *out, const float *const *inputs, const float *gains, const float *steps, int count,
      size_t offset, size_t frames);
  MixLevel (*level)(const float *samples, size_t frames);
  void (*clear_outputs)(
      float *const *outputs, const int *places, int count, size_t offset, size_t frames);
  float (*peak_run)(size_t rounds);
  size_t peak_operations;
} MixKernels;

/// Vectors of 16 bytes, which every machine has (or its compiler makes up).
extern const MixKernels mix_kernels_baseline;
#if defined(__x86_64__)
extern const MixKernels mix_kernels_avx2;
extern const MixKernels mix_kernels_avx512;
#endif

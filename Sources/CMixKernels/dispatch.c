// SPDX-License-Identifier: MIT

#include "kernels.h"

#include <float.h>
#include <string.h>

static const MixKernels *kernels = &mix_kernels_baseline;

/// Every set of kernels that this machine has, the widest first; null ends the list.
static const MixKernels *const *all_kernels(void) {
  static const MixKernels *const baseline[] = {&mix_kernels_baseline, NULL};
#if defined(__x86_64__)
  static const MixKernels *const avx2[] = {&mix_kernels_avx2, &mix_kernels_baseline, NULL};
  static const MixKernels *const avx512[] = {
      &mix_kernels_avx512, &mix_kernels_avx2, &mix_kernels_baseline, NULL,
  };
  __builtin_cpu_init();
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) return baseline;
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq")
      && __builtin_cpu_supports("avx512vl"))
    return avx512;
  return avx2;
#else
  return baseline;
#endif
}

/// Before main, so that no thread ever sees the choice change.
__attribute__((constructor)) static void choose(void) { kernels = all_kernels()[0]; }

const MixKernels *mix_kernels_named(const char *name) {
  for (const MixKernels *const *each = all_kernels(); *each; ++each)
    if (strcmp((*each)->name, name) == 0) return *each;
  return NULL;
}

const char *mix_vectors(void) { return kernels->name; }

MixLevel mix_sum(
    float *out, const float *const *inputs, const float *gains, int count, size_t offset,
    size_t frames) {
  if (count == 0) {
    mix_clear(out + offset, frames);
    return (MixLevel){0, 0};
  }
  if (count == 1 && gains[0] == 1) {
    memcpy(out + offset, inputs[0] + offset, frames * sizeof(float));
    return kernels->level(out + offset, frames);
  }
  return kernels->sum(out, inputs, gains, count, offset, frames);
}

int mix_most_outputs(void) { return kernels->most_outputs; }

void mix_sum_outputs(
    float *const *outs, int outputs, const float *const *inputs, const float *gains, int count,
    size_t offset, size_t frames, MixLevel *levels) {
  kernels->sum_outputs(outs, outputs, inputs, gains, count, offset, frames, levels);
}

void mix_sum_groups(
    const MixGroups *groups, const MixInput *inputs, float *const *outputs, size_t offset,
    size_t frames, MixLevel *levels) {
  kernels->sum_groups(groups, inputs, outputs, offset, frames, levels);
}

void mix_add_ramps(
    float *out, const float *const *inputs, const float *gains, const float *steps, int count,
    size_t offset, size_t frames) {
  kernels->add_ramps(out, inputs, gains, steps, count, offset, frames);
}

MixLevel mix_level(const float *samples, size_t frames) { return kernels->level(samples, frames); }

bool mix_read_inputs(
    const float *const *samples, const int *places, int count, size_t frames, uint64_t cycle,
    MixInput *inputs) {
  return kernels->read_inputs(samples, places, count, frames, cycle, inputs);
}

bool mix_levels_pass(const MixLevel *levels, const MixLevel *limits, int count) {
  // Peaks and squares alike, so that the compiler compares several at a time.
  const float *level = (const float *)levels, *limit = (const float *)limits;
  int above = 0;
  for (int index = 0; index < 2 * count; ++index) above |= !(level[index] <= limit[index]);
  return !above;
}

void mix_clear(float *samples, size_t frames) { memset(samples, 0, frames * sizeof(float)); }

void mix_clear_outputs(
    float *const *outputs, const int *places, int count, size_t offset, size_t frames) {
  kernels->clear_outputs(outputs, places, count, offset, frames);
}

void mix_meter_taps(const MixMetered *metered, int count, float per_frame, float smoothing) {
  kernels->meter_taps(metered, count, per_frame, smoothing);
}

void mix_meter_outputs(
    const MixMeteredOutput *metered, int count, float per_frame, float smoothing) {
  kernels->meter_outputs(metered, count, per_frame, smoothing);
}

void mix_replace_nonfinite(float *samples, size_t frames) {
  for (size_t frame = 0; frame < frames; ++frame)
    if (!(__builtin_fabsf(samples[frame]) <= FLT_MAX)) samples[frame] = 0;
}

MixFaults mix_clean_input(float *out, const float *in, size_t frames) {
  MixFaults faults = {0, 0};
  for (size_t frame = 0; frame < frames; ++frame) {
    const float magnitude = __builtin_fabsf(in[frame]);
    const bool is_sound = magnitude < MIX_FAULTY_INPUT;
    const bool is_loud = is_sound && magnitude > MIX_LOUDEST_INPUT;
    out[frame] = !is_sound ? 0
        : is_loud ? __builtin_copysignf(MIX_LOUDEST_INPUT, in[frame])
                  : in[frame];
    faults.silenced += !is_sound;
    faults.clamped += is_loud;
  }
  return faults;
}

float mix_peak_run(size_t rounds) { return kernels->peak_run(rounds); }

size_t mix_peak_operations(void) { return kernels->peak_operations; }

// SPDX-License-Identifier: MIT
//
// The variable-ratio resampler of libzita-resampler.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Marks a function as reviewed for the audio thread: no locks, no allocation, no waiting.
#define ZITA_REALTIME_SAFE \
  __attribute__((swift_attr("@_noLocks"), swift_attr("@_noAllocation")))

/// A resampler with its filter and its past frames.
typedef struct zita_resampler zita_resampler;

/// The numbers of frames that one call used and made.
typedef struct {
  uint32_t input_frames;
  uint32_t output_frames;
} zita_counts;

/// Makes a resampler; NULL when the ratio (1/64…64), the channels (1…64) or half the filter's length
/// (16…96 frames) are not allowed.
/// [control-thread]
zita_resampler *zita_resampler_create(double nominal_ratio, uint32_t channels, uint32_t half_length);

/// Frees a resampler.
/// [control-thread]
void zita_resampler_destroy(zita_resampler *resampler);

/// Forgets the past frames.
/// [audio-thread]
ZITA_REALTIME_SAFE void zita_resampler_reset(zita_resampler *resampler);

/// Sets output frames per input frame, relative to the nominal ratio: 0.95…16.
/// [audio-thread]
ZITA_REALTIME_SAFE void zita_resampler_set_relative_ratio(zita_resampler *resampler, double ratio);

/// How far the next output frame lies before the next input frame, in input frames.
/// [audio-thread]
ZITA_REALTIME_SAFE double zita_resampler_input_distance(const zita_resampler *resampler);

/// Resamples interleaved frames until the input is used up or the output is full.
///
/// NULL for `input` is silence, NULL for `output` throws the frames away.
/// [audio-thread]
ZITA_REALTIME_SAFE zita_counts zita_resampler_process(
  zita_resampler *resampler, const float *input, uint32_t input_frames, float *output,
  uint32_t output_frames);

#ifdef __cplusplus
}
#endif

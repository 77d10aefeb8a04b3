// SPDX-License-Identifier: MIT

#include "CMixKernels.h"

#include <math.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/// A gain that will be needed, and the frame that needs it.
typedef struct {
  uint32_t frame;
  float gain;
} Need;

struct MixLimiter {
  int channels;
  uint32_t lookahead;
  float ceiling;
  float release;
  /// The gain in force before smoothing, 0…1. In double precision, in which the small steps at the
  /// end of a slow release are not lost.
  double gain;
  /// The bits of the lowest gain since the last reading; those of floats that are not negative sort as the floats do.
  _Atomic uint32_t lowest_bits;

  // Look-ahead only. Frames are counted modulo 2³², places in rings by `place`.
  uint32_t frame;
  uint32_t place;
  /// `lookahead` samples for each channel.
  float *delay;
  /// The last `lookahead` gains in units of 2⁻³⁰. Whole numbers, so that their running sum never
  /// drifts and 1 stays exactly 1.
  int32_t *gains;
  int64_t gain_sum;
  /// The lowest gains of the last `lookahead + 1` frames, rising: a queue whose head is the
  /// minimum.
  Need *needs;
  uint32_t needs_head;
  uint32_t needs_count;
  /// Frames of silence at the input, counted up to twice the look-ahead.
  uint32_t silent_frames;
};

static const int32_t unity = 1 << 30;

static uint32_t bits(float gain) {
  uint32_t bits;
  memcpy(&bits, &gain, sizeof bits);
  return bits;
}

MixLimiter *mix_limiter_create(int channels, int lookahead) {
  MixLimiter *limiter = calloc(1, sizeof *limiter);
  if (!limiter) return NULL;
  limiter->channels = channels;
  limiter->lookahead = (uint32_t)lookahead;
  limiter->ceiling = INFINITY;
  limiter->gain = 1;
  atomic_init(&limiter->lowest_bits, bits(1));
  if (lookahead == 0) return limiter;
  limiter->delay = calloc((size_t)channels * (size_t)lookahead, sizeof *limiter->delay);
  limiter->gains = calloc((size_t)lookahead, sizeof *limiter->gains);
  limiter->needs = calloc((size_t)lookahead + 1, sizeof *limiter->needs);
  if (!limiter->delay || !limiter->gains || !limiter->needs) {
    mix_limiter_destroy(limiter);
    return NULL;
  }
  for (int place = 0; place < lookahead; ++place) limiter->gains[place] = unity;
  limiter->gain_sum = (int64_t)unity * lookahead;
  limiter->silent_frames = 2 * limiter->lookahead;
  return limiter;
}

void mix_limiter_destroy(MixLimiter *limiter) {
  if (!limiter) return;
  free(limiter->delay);
  free(limiter->gains);
  free(limiter->needs);
  free(limiter);
}

void mix_limiter_set(MixLimiter *limiter, float ceiling, float release) {
  limiter->ceiling = ceiling;
  limiter->release = release;
}

float mix_limiter_take_lowest_gain(MixLimiter *limiter) {
  const uint32_t bits_of_gain =
      atomic_exchange_explicit(&limiter->lowest_bits, bits(1), memory_order_relaxed);
  float gain;
  memcpy(&gain, &bits_of_gain, sizeof gain);
  return gain;
}

/// Tells the reader a gain, if it is the lowest one since the last reading.
static void tell(MixLimiter *limiter, float gain) {
  if (bits(gain) < atomic_load_explicit(&limiter->lowest_bits, memory_order_relaxed)) {
    atomic_store_explicit(&limiter->lowest_bits, bits(gain), memory_order_relaxed);
  }
}

static float clamp(float sample, float ceiling) {
  // A product of rounded factors may be a last digit too high.
  return sample > ceiling ? ceiling : sample < -ceiling ? -ceiling : sample;
}

/// The gain that the channels need together at a frame, at most 1.
static float needed_gain(const MixLimiter *limiter, float *const *channels, size_t frame) {
  float peak = 0;
  for (int channel = 0; channel < limiter->channels; ++channel) {
    if (!channels[channel]) continue;
    const float magnitude = fabsf(channels[channel][frame]);
    if (magnitude > peak) peak = magnitude;
  }
  return peak > limiter->ceiling ? limiter->ceiling / peak : 1;
}

/// Moves towards 1 by the release, but never above what is needed.
static void follow(MixLimiter *limiter, float needed) {
  double gain = limiter->gain + (1 - limiter->gain) * limiter->release;
  // The last millionth would take for ever, and only exact unity leaves the signal alone.
  if (gain > 1 - 1e-6) gain = 1;
  limiter->gain = gain < needed ? gain : needed;
}

static void process_at_once(MixLimiter *limiter, float *const *channels, size_t frames) {
  float lowest = 1;
  for (size_t frame = 0; frame < frames; ++frame) {
    follow(limiter, needed_gain(limiter, channels, frame));
    if ((float)limiter->gain < lowest) lowest = (float)limiter->gain;
    for (int channel = 0; channel < limiter->channels; ++channel) {
      if (!channels[channel]) continue;
      float *sample = &channels[channel][frame];
      *sample = clamp(*sample * (float)limiter->gain, limiter->ceiling);
    }
  }
  tell(limiter, lowest);
}

/// The lowest gain needed by any of the last `lookahead + 1` frames.
static float lowest_need(MixLimiter *limiter, float needed) {
  const uint32_t capacity = limiter->lookahead + 1;
  while (limiter->needs_count > 0) {
    const Need *head = &limiter->needs[limiter->needs_head];
    if (limiter->frame - head->frame <= limiter->lookahead) break;
    limiter->needs_head = (limiter->needs_head + 1) % capacity;
    --limiter->needs_count;
  }
  while (limiter->needs_count > 0) {
    const uint32_t last = (limiter->needs_head + limiter->needs_count - 1) % capacity;
    if (limiter->needs[last].gain < needed) break;
    --limiter->needs_count;
  }
  const uint32_t place = (limiter->needs_head + limiter->needs_count) % capacity;
  limiter->needs[place] = (Need){limiter->frame, needed};
  ++limiter->needs_count;
  return limiter->needs[limiter->needs_head].gain;
}

/// The mean of the last `lookahead` gains: each of them is low enough for the frame that leaves
/// now, so their mean is, and it moves in a straight line to where it must be.
static float smoothed_gain(MixLimiter *limiter) {
  const int32_t gain = (int32_t)(limiter->gain * unity);
  limiter->gain_sum += gain - limiter->gains[limiter->place];
  limiter->gains[limiter->place] = gain;
  return (float)((double)limiter->gain_sum / ((double)limiter->lookahead * unity));
}

static void process_ahead(MixLimiter *limiter, float *const *channels, size_t frames) {
  float lowest = 1;
  for (size_t frame = 0; frame < frames; ++frame) {
    follow(limiter, lowest_need(limiter, needed_gain(limiter, channels, frame)));
    const float gain = smoothed_gain(limiter);
    if (gain < lowest) lowest = gain;
    for (int channel = 0; channel < limiter->channels; ++channel) {
      if (!channels[channel]) continue;
      float *delayed = &limiter->delay[(size_t)channel * limiter->lookahead + limiter->place];
      const float leaving = *delayed;
      *delayed = channels[channel][frame];
      channels[channel][frame] = clamp(leaving * gain, limiter->ceiling);
    }
    limiter->place = (limiter->place + 1) % limiter->lookahead;
    ++limiter->frame;
  }
  tell(limiter, lowest);
}

bool mix_limiter_is_at_rest(const MixLimiter *limiter) {
  return limiter->gain == 1 && limiter->silent_frames >= 2 * limiter->lookahead;
}

float mix_limiter_passing_peak(const MixLimiter *limiter) {
  return limiter->lookahead == 0 && limiter->gain == 1 ? limiter->ceiling : -1;
}

bool mix_limiter_process(MixLimiter *limiter, float *const *channels, size_t frames, float peak) {
  if (limiter->lookahead > 0) {
    // By then the delay line is empty and the gains that it asked for are forgotten.
    const size_t enough = 2 * (size_t)limiter->lookahead;
    const size_t silent = peak == 0 ? limiter->silent_frames + frames : 0;
    limiter->silent_frames = (uint32_t)(silent < enough ? silent : enough);
    process_ahead(limiter, channels, frames);
    return true;
  }
  if (peak <= mix_limiter_passing_peak(limiter)) return false;
  process_at_once(limiter, channels, frames);
  return true;
}

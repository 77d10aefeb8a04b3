// SPDX-License-Identifier: MIT
//
// The kernels for one width of vectors. The including file defines LANES      floats in a vector
// KERNELS    the name of the table to define NAME       the name of the vectors WIDE_SETS  sets of
// eight accumulators that the registers hold and has the compiler's target set. Inner loops have
// constant counts, so that the accumulators stay in registers.

#include "kernels.h"

#include <string.h>

#pragma STDC FP_CONTRACT ON

typedef float Vector __attribute__((ext_vector_type(LANES)));
typedef float Loose __attribute__((ext_vector_type(LANES), aligned(4)));
typedef int Bits __attribute__((ext_vector_type(LANES)));
typedef float Two __attribute__((ext_vector_type(2)));
typedef float Four __attribute__((ext_vector_type(4)));
#if LANES > 4
typedef float Eight __attribute__((ext_vector_type(8)));
#endif

/// Running peak and sum of squares, lane by lane.
typedef struct {
  Vector peak;
  Vector squares;
} Meter;

static inline __attribute__((always_inline)) void meter_add(Meter *meter, Vector samples) {
  Vector magnitude = (Vector)((Bits)samples & 0x7fffffff);
  // In this order a sample that is not a number leaves the peak as it is.
  meter->peak = magnitude > meter->peak ? magnitude : meter->peak;
  meter->squares += samples * samples;
}

static inline __attribute__((always_inline)) void level_add(MixLevel *level, float sample) {
  float magnitude = __builtin_fabsf(sample);
  level->peak = magnitude > level->peak ? magnitude : level->peak;
  level->squares += sample * sample;
}

static inline __attribute__((always_inline)) MixLevel meter_result(Meter meter) {
  // Halves on halves: a chain through the lanes would cost more than the samples of a short block.
#if LANES == 16
  Eight peak8 = meter.peak.lo > meter.peak.hi ? meter.peak.lo : meter.peak.hi;
  Eight squares8 = meter.squares.lo + meter.squares.hi;
#elif LANES == 8
  Eight peak8 = meter.peak;
  Eight squares8 = meter.squares;
#endif
#if LANES > 4
  Four peak = peak8.lo > peak8.hi ? peak8.lo : peak8.hi;
  Four squares = squares8.lo + squares8.hi;
#else
  Four peak = meter.peak;
  Four squares = meter.squares;
#endif
  Two peak2 = peak.lo > peak.hi ? peak.lo : peak.hi;
  Two squares2 = squares.lo + squares.hi;
  return (MixLevel){
      peak2.x > peak2.y ? peak2.x : peak2.y,
      squares2.x + squares2.y,
  };
}

/// The last `rest` lanes of a vector, the others silent.
static inline __attribute__((always_inline)) Vector last_lanes(Vector samples, size_t rest) {
  Bits lanes;
  for (int lane = 0; lane < LANES; ++lane) lanes[lane] = lane;
  return lanes >= (int)(LANES - rest) ? samples : 0;
}

/// Sums all inputs over VECTORS vectors of frames, in SETS sets of accumulators.
///
/// A multiply-add takes about four cycles and two start in each, so it takes eight accumulators to
/// keep the units busy, better more: short tiles take every other input into another set.
///
/// The meter takes only the last `metered` frames.
#define SUM_TILE(TILE, VECTORS, SETS)                                                        \
  static inline __attribute__((always_inline)) void TILE(                                    \
      float *out, const float *const *inputs, const float *gains, int count, size_t at,      \
      size_t metered, Meter *meter) {                                                                     \
    Vector sums[SETS][VECTORS];                                                              \
    _Pragma("clang loop unroll(full)") for (int set = 0; set < SETS; ++set)                  \
        _Pragma("clang loop unroll(full)") for (int v = 0; v < VECTORS; ++v) sums[set][v] = 0; \
    int input = 0;                                                                           \
    for (; input + SETS <= count; input += SETS) {                                           \
      _Pragma("clang loop unroll(full)") for (int set = 0; set < SETS; ++set) {              \
        const float *source = inputs[input + set] + at;                                      \
        Vector gain = gains[input + set];                                                    \
        _Pragma("clang loop unroll(full)") for (int v = 0; v < VECTORS; ++v)                 \
            sums[set][v] += gain * *(const Loose *)(source + v * LANES);                     \
      }                                                                                      \
    }                                                                                        \
    for (; input < count; ++input) {                                                         \
      const float *source = inputs[input] + at;                                              \
      Vector gain = gains[input];                                                            \
      _Pragma("clang loop unroll(full)") for (int v = 0; v < VECTORS; ++v)                   \
          sums[0][v] += gain * *(const Loose *)(source + v * LANES);                         \
    }                                                                                        \
    _Pragma("clang loop unroll(full)") for (int v = 0; v < VECTORS; ++v) {                   \
      _Pragma("clang loop unroll(full)") for (int set = 1; set < SETS; ++set)                \
          sums[0][v] += sums[set][v];                                                        \
      meter_add(meter, metered < LANES ? last_lanes(sums[0][v], metered) : sums[0][v]);      \
      *(Loose *)(out + at + v * LANES) = sums[0][v];                                         \
    }                                                                                        \
  }

SUM_TILE(sum_tile_8, 8, WIDE_SETS)
SUM_TILE(sum_tile_4, 4, 2 * WIDE_SETS)
SUM_TILE(sum_tile_1, 1, 4)

static MixLevel sum(
    float *out, const float *const *inputs, const float *gains, int count, size_t offset,
    size_t frames) {
  size_t at = offset;
  const size_t end = offset + frames;
  Meter meter = {0, 0};
  for (; at + 8 * LANES <= end; at += 8 * LANES)
    sum_tile_8(out, inputs, gains, count, at, LANES, &meter);
  for (; at + 4 * LANES <= end; at += 4 * LANES)
    sum_tile_4(out, inputs, gains, count, at, LANES, &meter);
  for (; at + LANES <= end; at += LANES)
    sum_tile_1(out, inputs, gains, count, at, LANES, &meter);
  const size_t rest = end - at;
  if (rest == 0) return meter_result(meter);
  if (frames >= LANES) {
    // The last vector again, moved back so that it ends where the block does.
    sum_tile_1(out, inputs, gains, count, end - LANES, rest, &meter);
    return meter_result(meter);
  }
  float sums[LANES] = {0};
  for (int input = 0; input < count; ++input) {
    const float *source = inputs[input] + at;
    const float gain = gains[input];
    for (size_t frame = 0; frame < rest; ++frame) sums[frame] += gain * source[frame];
  }
  MixLevel level = {0, 0};
  for (size_t frame = 0; frame < rest; ++frame) {
    level_add(&level, sums[frame]);
    out[at + frame] = sums[frame];
  }
  return level;
}

static void add_ramps(
    float *out, const float *const *inputs, const float *gains, const float *steps, int count,
    size_t offset, size_t frames) {
  Vector lanes;
  for (int lane = 0; lane < LANES; ++lane) lanes[lane] = (float)lane;
  float *target = out + offset;
  for (int input = 0; input < count; ++input) {
    const float *source = inputs[input] + offset;
    const float gain = gains[input];
    const float step = steps[input];
    size_t frame = 0;
    for (; frame + LANES <= frames; frame += LANES) {
      Vector moving = gain + step * (lanes + (float)frame);
      Vector mixed = *(const Loose *)(target + frame);
      mixed += moving * *(const Loose *)(source + frame);
      *(Loose *)(target + frame) = mixed;
    }
    for (; frame < frames; ++frame)
      target[frame] += (gain + step * (float)frame) * source[frame];
  }
}

static MixLevel level(const float *samples, size_t frames) {
  // Four meters, because each waits for its own last sum.
  Meter meters[4] = {{0, 0}, {0, 0}, {0, 0}, {0, 0}};
  size_t frame = 0;
  for (; frame + 4 * LANES <= frames; frame += 4 * LANES)
    _Pragma("clang loop unroll(full)") for (int part = 0; part < 4; ++part)
        meter_add(&meters[part], *(const Loose *)(samples + frame + part * LANES));
  for (; frame + LANES <= frames; frame += LANES)
    meter_add(&meters[0], *(const Loose *)(samples + frame));
  for (int part = 1; part < 4; ++part) {
    Vector peak = meters[part].peak;
    meters[0].peak = peak > meters[0].peak ? peak : meters[0].peak;
    meters[0].squares += meters[part].squares;
  }
  if (frame < frames && frames >= LANES) {
    Vector last = *(const Loose *)(samples + frames - LANES);
    meter_add(&meters[0], last_lanes(last, frames - frame));
    frame = frames;
  }
  MixLevel level = meter_result(meters[0]);
  for (; frame < frames; ++frame) level_add(&level, samples[frame]);
  return level;
}

static void clear_outputs(
    float *const *outputs, const int *places, int count, size_t offset, size_t frames) {
  const Vector silence = 0;
  for (int index = 0; index < count; ++index) {
    if (!outputs[places[index]]) continue;
    // Stores in place: for short blocks a call to memset would take longer than its work.
    float *target = outputs[places[index]] + offset;
    size_t frame = 0;
    for (; frame + LANES <= frames; frame += LANES) *(Loose *)(target + frame) = silence;
    for (; frame < frames; ++frame) target[frame] = 0;
  }
}

enum { peak_chains = 12 };

static float peak_run(size_t rounds) {
  Vector chains[peak_chains];
  for (int chain = 0; chain < peak_chains; ++chain) chains[chain] = (float)chain;
  // Hidden from the optimiser, which would otherwise work the loop out in advance.
  volatile float hidden_factor = 0.999f, hidden_term = 0.001f;
  Vector factor = hidden_factor, term = hidden_term;
  for (size_t round = 0; round < rounds; ++round)
    _Pragma("clang loop unroll(full)") for (int chain = 0; chain < peak_chains; ++chain)
        chains[chain] = chains[chain] * factor + term;
  float result = 0;
  for (int chain = 0; chain < peak_chains; ++chain) result += chains[chain][0];
  return result;
}

const MixKernels KERNELS = {
    NAME, sum, add_ramps, level, clear_outputs, peak_run, (size_t)2 * LANES * peak_chains,
};

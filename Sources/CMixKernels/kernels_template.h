// SPDX-License-Identifier: MIT
//
// The kernels for one width of vectors. The including file has the compiler's target set, and defines
//   LANES            floats in a vector
//   KERNELS          the name of the table to define
//   NAME             the name of the vectors
//   MOST_OUTPUTS     outputs that are summed together at most: 4 or 2
//   WIDEST_n         vectors of a tile with n outputs: 4 * n * WIDEST_n registers or fewer are there

#include "kernels.h"

#include <string.h>

#pragma STDC FP_CONTRACT ON

#define INLINE static inline __attribute__((always_inline))
#define UNROLL _Pragma("clang loop unroll(full)")

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

INLINE void meter_add(Meter *meter, Vector samples) {
  Vector magnitude = (Vector)((Bits)samples & 0x7fffffff);
  // In this order a sample that is not a number leaves the peak as it is.
  meter->peak = magnitude > meter->peak ? magnitude : meter->peak;
  meter->squares += samples * samples;
}

INLINE void level_add(MixLevel *level, float sample) {
  float magnitude = __builtin_fabsf(sample);
  level->peak = magnitude > level->peak ? magnitude : level->peak;
  level->squares += sample * sample;
}

/// A meter's lanes, folded onto four.
typedef struct {
  Four peak;
  Four squares;
} FoldedMeter;

INLINE Four higher(Four left, Four right) {
  return left > right ? left : right;
}

INLINE FoldedMeter folded(Meter meter) {
  // Halves on halves: a chain through the lanes would cost more than the samples of a short block.
#if LANES == 16
  Eight peak8 = meter.peak.lo > meter.peak.hi ? meter.peak.lo : meter.peak.hi;
  Eight squares8 = meter.squares.lo + meter.squares.hi;
#elif LANES == 8
  Eight peak8 = meter.peak;
  Eight squares8 = meter.squares;
#endif
#if LANES > 4
  return (FoldedMeter){higher(peak8.lo, peak8.hi), squares8.lo + squares8.hi};
#else
  return (FoldedMeter){meter.peak, meter.squares};
#endif
}

INLINE MixLevel meter_result(Meter meter) {
  const FoldedMeter four = folded(meter);
  Two peak = four.peak.lo > four.peak.hi ? four.peak.lo : four.peak.hi;
  Two squares = four.squares.lo + four.squares.hi;
  return (MixLevel){peak.x > peak.y ? peak.x : peak.y, squares.x + squares.y};
}

/// The results of four meters: they are turned into columns, so that one operation serves all of them.
INLINE void meter_results(
    const Meter *meters, MixLevel *levels) {
  const FoldedMeter a = folded(meters[0]), b = folded(meters[1]);
  const FoldedMeter c = folded(meters[2]), d = folded(meters[3]);
#define EVEN(left, right) __builtin_shufflevector(left, right, 0, 4, 1, 5)
#define ODD(left, right) __builtin_shufflevector(left, right, 2, 6, 3, 7)
#define FIRST(left, right) __builtin_shufflevector(left, right, 0, 1, 4, 5)
#define SECOND(left, right) __builtin_shufflevector(left, right, 2, 3, 6, 7)
  const Four peaks_ab = higher(EVEN(a.peak, b.peak), ODD(a.peak, b.peak));
  const Four peaks_cd = higher(EVEN(c.peak, d.peak), ODD(c.peak, d.peak));
  const Four peaks = higher(FIRST(peaks_ab, peaks_cd), SECOND(peaks_ab, peaks_cd));
  const Four squares_ab = EVEN(a.squares, b.squares) + ODD(a.squares, b.squares);
  const Four squares_cd = EVEN(c.squares, d.squares) + ODD(c.squares, d.squares);
  const Four squares = FIRST(squares_ab, squares_cd) + SECOND(squares_ab, squares_cd);
  for (int index = 0; index < 4; ++index)
    levels[index] = (MixLevel){peaks[index], squares[index]};
}

/// The last `rest` lanes of a vector, the others silent.
INLINE Vector last_lanes(Vector samples, size_t rest) {
  Bits lanes;
  for (int lane = 0; lane < LANES; ++lane) lanes[lane] = lane;
  return lanes >= (int)(LANES - rest) ? samples : 0;
}

/// Frames that a tile sums in registers.
typedef struct {
  /// The first frame of its vectors but the last.
  size_t first;
  /// The first frame of the last vector, which may overlap the one before.
  size_t last;
  /// Frames at the end of the last vector that no other vector has.
  size_t fresh;
} Tile;

/// The first frame of a vector.
INLINE size_t frame_of(Tile tile, int vector, int vectors) {
  return vector == vectors - 1 ? tile.last : tile.first + (size_t)vector * LANES;
}

/// Four gains, repeated through a vector.
INLINE Vector four_gains(const float *gains) {
  Vector four;
#if LANES == 4
  four = *(const Loose *)gains;
#else
  typedef float LooseFour __attribute__((ext_vector_type(4), aligned(4)));
  const Four loaded = *(const LooseFour *)gains;
#if LANES == 16
  four = __builtin_shufflevector(
      loaded, loaded, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3);
#else
  four = __builtin_shufflevector(loaded, loaded, 0, 1, 2, 3, 0, 1, 2, 3);
#endif
#endif
  // Hidden from the optimiser, which would load each gain again: loads are what a tile of one output waits for.
#if defined(__x86_64__)
  __asm__("" : "+x"(four));
#endif
  return four;
}

/// One of four gains, in all lanes.
INLINE Vector gain_of(Vector four, int index) {
#if LANES == 16
#define LANE_OF(i) \
  __builtin_shufflevector( \
      four, four, i, i, i, i, i + 4, i + 4, i + 4, i + 4, i + 8, i + 8, i + 8, i + 8, i + 12, \
      i + 12, i + 12, i + 12)
#elif LANES == 8
#define LANE_OF(i) __builtin_shufflevector(four, four, i, i, i, i, i + 4, i + 4, i + 4, i + 4)
#else
#define LANE_OF(i) __builtin_shufflevector(four, four, i, i, i, i)
#endif
  return index == 0 ? LANE_OF(0) : index == 1 ? LANE_OF(1) : index == 2 ? LANE_OF(2) : LANE_OF(3);
}

/// Adds one input to a set of sums. Its first gain is one of `four`, or lies at `gains`, where that is not null.
INLINE void add_input(
    Vector sums[MOST_OUTPUTS][WIDEST_1], const float *source, Vector four, int first,
    const float *gains, int outputs, int vectors, Tile tile) {
  Vector samples[WIDEST_1];
  UNROLL for (int v = 0; v < vectors; ++v)
      samples[v] = *(const Loose *)(source + frame_of(tile, v, vectors));
  UNROLL for (int out = 0; out < outputs; ++out) {
    const Vector gain = gains ? (Vector)gains[out] : gain_of(four, first + out);
    UNROLL for (int v = 0; v < vectors; ++v) sums[out][v] += gain * samples[v];
  }
}

/// Sums all inputs into some outputs, over some vectors of frames. The counts are constants, so the sums stay in registers.
///
/// Each sample is the sum of the even inputs in their order, plus that of the odd ones. So it is the same, bit by bit,
/// in every tile, whatever its place in the block and whichever outputs are summed with it. Two sums, because a
/// multiply-add takes four cycles and one or two start in each.
INLINE void sum_tile(
    float *const *outs, const float *const *inputs, const float *gains, int count, Tile tile,
    Meter *meters, int outputs, int vectors) {
  Vector sums[2][MOST_OUTPUTS][WIDEST_1];
  UNROLL for (int set = 0; set < 2; ++set)
      UNROLL for (int out = 0; out < outputs; ++out)
          UNROLL for (int v = 0; v < vectors; ++v) sums[set][out][v] = 0;
  const Vector none = 0;
  int input = 0;
  // Four gains in one load: those of 4, 2 or 1 inputs. Two inputs at least in a turn, one for each sum.
  const int shared = 4 / outputs, turn = shared < 2 ? 2 : shared;
  for (; input + turn <= count; input += turn) {
    Vector four = none;
    UNROLL for (int next = 0; next < turn; ++next) {
      if (next % shared == 0) four = four_gains(gains + (input + next) * outputs);
      add_input(
          sums[next & 1], inputs[input + next], four, next % shared * outputs, NULL, outputs,
          vectors, tile);
    }
  }
  for (; input < count; ++input) {
    // At most three.
    const float *own = gains + input * outputs;
    if (input & 1) add_input(sums[1], inputs[input], none, 0, own, outputs, vectors, tile);
    else add_input(sums[0], inputs[input], none, 0, own, outputs, vectors, tile);
  }
  UNROLL for (int out = 0; out < outputs; ++out) {
    UNROLL for (int v = 0; v < vectors; ++v) {
      const Vector sum = sums[0][out][v] + sums[1][out][v];
      const int is_partly_fresh = v == vectors - 1 && tile.fresh < LANES;
      meter_add(&meters[out], is_partly_fresh ? last_lanes(sum, tile.fresh) : sum);
      *(Loose *)(outs[out] + frame_of(tile, v, vectors)) = sum;
    }
  }
}

/// The vectors of the next tile: few tiles, and none of a single vector where that can be.
INLINE size_t tile_vectors(size_t left, size_t widest) {
  if (widest > 4 && (left == widest || left >= widest + 4)) return widest;
  if (widest >= 4 && (left == 4 || left >= 7)) return 4;
  if (widest >= 3 && (left == 3 || left >= 5)) return 3;
  return left >= 2 ? 2 : 1;
}

/// Sums all inputs into some outputs. The number of outputs is a constant, and a block has at least a vector.
INLINE void sum_block(
    float *const *outs, const float *const *inputs, const float *gains, int count, size_t offset,
    size_t frames, Meter *meters, int outputs, size_t widest) {
  const size_t end = offset + frames;
  size_t left = (frames + LANES - 1) / LANES;
  size_t at = offset;
  while (left > 0) {
    const size_t vectors = tile_vectors(left, widest);
    const size_t next = at + vectors * LANES;
    const Tile tile = {
        at, (next < end ? next : end) - LANES, next < end ? LANES : LANES - (next - end),
    };
#define TILE(VECTORS) sum_tile(outs, inputs, gains, count, tile, meters, outputs, VECTORS)
    if (widest > 4 && vectors == widest) TILE(WIDEST_1);
    else if (widest >= 4 && vectors == 4) TILE(4);
    else if (widest >= 3 && vectors == 3) TILE(3);
    else if (vectors == 2) TILE(2);
    else TILE(1);
#undef TILE
    at = next;
    left -= vectors;
  }
}

/// Sums all inputs into an output, of a block that is shorter than a vector.
static MixLevel sum_short(
    float *out, const float *const *inputs, const float *gains, int stride, int count, size_t at,
    size_t frames) {
  float sums[2][LANES] = {{0}};
  for (int input = 0; input < count; ++input) {
    const float *source = inputs[input] + at;
    const float gain = gains[input * stride];
    for (size_t frame = 0; frame < frames; ++frame) sums[input & 1][frame] += gain * source[frame];
  }
  MixLevel level = {0, 0};
  for (size_t frame = 0; frame < frames; ++frame) {
    const float sum = sums[0][frame] + sums[1][frame];
    level_add(&level, sum);
    out[at + frame] = sum;
  }
  return level;
}

static MixLevel sum(
    float *out, const float *const *inputs, const float *gains, int count, size_t offset,
    size_t frames) {
  if (frames < LANES) return sum_short(out, inputs, gains, 1, count, offset, frames);
  Meter meter = {0, 0};
  sum_block(&out, inputs, gains, count, offset, frames, &meter, 1, WIDEST_1);
  return meter_result(meter);
}

static void sum_outputs(
    float *const *outs, int outputs, const float *const *inputs, const float *gains, int count,
    size_t offset, size_t frames, MixLevel *levels) {
  if (frames < LANES) {
    for (int out = 0; out < outputs; ++out)
      levels[out] = sum_short(outs[out], inputs, gains + out, outputs, count, offset, frames);
    return;
  }
  Meter meters[MOST_OUTPUTS] = {{0, 0}, {0, 0}};
#if MOST_OUTPUTS == 4
  if (outputs == 4) {
    sum_block(outs, inputs, gains, count, offset, frames, meters, 4, WIDEST_4);
    meter_results(meters, levels);
    return;
  }
#endif
  sum_block(outs, inputs, gains, count, offset, frames, meters, 2, WIDEST_2);
  for (int out = 0; out < 2; ++out) levels[out] = meter_result(meters[out]);
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
    UNROLL for (int part = 0; part < 4; ++part)
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

static void levels_of_four(const float *const *inputs, size_t frames, MixLevel *levels) {
  if (frames < LANES) {
    for (int index = 0; index < 4; ++index) levels[index] = level(inputs[index], frames);
    return;
  }
  Meter meters[4] = {{0, 0}, {0, 0}, {0, 0}, {0, 0}};
  size_t frame = 0;
  for (; frame + LANES <= frames; frame += LANES)
    UNROLL for (int index = 0; index < 4; ++index)
        meter_add(&meters[index], *(const Loose *)(inputs[index] + frame));
  if (frame < frames)
    UNROLL for (int index = 0; index < 4; ++index) {
      const Vector last = *(const Loose *)(inputs[index] + frames - LANES);
      meter_add(&meters[index], last_lanes(last, frames - frame));
    }
  meter_results(meters, levels);
}

static void clear_outputs(
    float *const *outputs, const int *places, int count, size_t offset, size_t frames) {
  const Vector silence = 0;
  for (int index = 0; index < count; ++index) {
    if (!outputs[places[index]]) continue;
    // Stores in place: for short blocks a call to memset would take longer than its work.
    float *target = outputs[places[index]] + offset;
    size_t frame = 0;
    for (; frame + 4 * LANES <= frames; frame += 4 * LANES)
      UNROLL for (int part = 0; part < 4; ++part)
          *(Loose *)(target + frame + part * LANES) = silence;
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
    UNROLL for (int chain = 0; chain < peak_chains; ++chain)
        chains[chain] = chains[chain] * factor + term;
  float result = 0;
  for (int chain = 0; chain < peak_chains; ++chain) result += chains[chain][0];
  return result;
}

const MixKernels KERNELS = {
    NAME,      MOST_OUTPUTS, sum,            sum_outputs,
    add_ramps, level,        levels_of_four, clear_outputs,
    peak_run,  (size_t)2 * LANES * peak_chains,
};

// SPDX-License-Identifier: MIT
//
// The kernels for one width of vectors. The including file has the compiler's target set, and defines
//   LANES            floats in a vector
//   KERNELS          the name of the table to define
//   NAME             the name of the vectors
//   MOST_OUTPUTS     outputs that are summed together at most: 4 or 2
//   WIDEST_n         vectors of a tile with n outputs: 4 * n * WIDEST_n registers or fewer are there

#include "kernels.h"

#include <float.h>

#pragma STDC FP_CONTRACT ON

#define INLINE static inline __attribute__((always_inline))
#define UNROLL _Pragma("clang loop unroll(full)")

typedef float Vector __attribute__((ext_vector_type(LANES)));
typedef float Loose __attribute__((ext_vector_type(LANES), aligned(4)));
typedef int Bits __attribute__((ext_vector_type(LANES)));
typedef float Two __attribute__((ext_vector_type(2)));
typedef float Four __attribute__((ext_vector_type(4)));
typedef int FourBits __attribute__((ext_vector_type(4)));
#if LANES > 4
typedef float Eight __attribute__((ext_vector_type(8)));
#endif

/// Running peak and sum of squares, lane by lane.
typedef struct {
  Vector peak;
  Vector squares;
} Meter;

/// The higher of a peak and the magnitudes; a sample that is not a number leaves the peak as it is.
INLINE Vector higher_magnitude(Vector peak, Vector samples) {
#if LANES == 16
  // The higher of two magnitudes (3), without its sign (8), in one instruction.
  return _mm512_range_ps(peak, samples, 8 | 3);
#else
  const Vector magnitude = (Vector)((Bits)samples & 0x7fffffff);
  return magnitude > peak ? magnitude : peak;
#endif
}

INLINE void meter_add(Meter *meter, Vector samples) {
  meter->peak = higher_magnitude(meter->peak, samples);
  meter->squares += samples * samples;
}

/// One meter for the samples of two.
INLINE Meter both(Meter left, Meter right) {
  return (Meter){
      right.peak > left.peak ? right.peak : left.peak, left.squares + right.squares,
  };
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

/// The results of four meters.
typedef struct {
  Four peaks;
  Four squares;
} FourLevels;

/// The meters are turned into columns, so that one operation serves all of them.
INLINE FourLevels meter_results(const Meter *meters) {
  const FoldedMeter a = folded(meters[0]), b = folded(meters[1]);
  const FoldedMeter c = folded(meters[2]), d = folded(meters[3]);
#define EVEN(left, right) __builtin_shufflevector(left, right, 0, 4, 1, 5)
#define ODD(left, right) __builtin_shufflevector(left, right, 2, 6, 3, 7)
#define FIRST(left, right) __builtin_shufflevector(left, right, 0, 1, 4, 5)
#define SECOND(left, right) __builtin_shufflevector(left, right, 2, 3, 6, 7)
  const Four peaks_ab = higher(EVEN(a.peak, b.peak), ODD(a.peak, b.peak));
  const Four peaks_cd = higher(EVEN(c.peak, d.peak), ODD(c.peak, d.peak));
  const Four squares_ab = EVEN(a.squares, b.squares) + ODD(a.squares, b.squares);
  const Four squares_cd = EVEN(c.squares, d.squares) + ODD(c.squares, d.squares);
  return (FourLevels){
      higher(FIRST(peaks_ab, peaks_cd), SECOND(peaks_ab, peaks_cd)),
      FIRST(squares_ab, squares_cd) + SECOND(squares_ab, squares_cd),
  };
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

/// Meters of an output, used in turn by its vectors: a meter waits for its own last sum, and one output has no other work.
#define METERS_OF(outputs) ((outputs) == 1 ? 2 : 1)

/// Sums all inputs into some outputs, over some vectors of frames. The numbers of outputs and vectors are constants, so the
/// sums stay in registers; so is `is_whole`, which says that the tile's vectors lie side by side.
///
/// Each sample is the sum of the even inputs in their order, plus that of the odd ones. So it is the same, bit by bit,
/// in every tile, whatever its place in the block and whichever outputs are summed with it. Two sums, because a
/// multiply-add takes four cycles and one or two start in each.
INLINE void sum_tile(
    float *const *outs, const float *const *inputs, const float *gains, int count, Tile tile,
    int is_whole, Meter *meters, int outputs, int vectors) {
  if (is_whole) {
    tile.last = tile.first + (size_t)(vectors - 1) * LANES;
    tile.fresh = LANES;
  }
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
  if (turn == 4 && count & 2) {
    UNROLL for (int next = 0; next < 2; ++next) add_input(
        sums[next], inputs[input + next], none, 0, gains + (input + next) * outputs, outputs,
        vectors, tile);
    input += 2;
  }
  if (count & 1)
    add_input(
        sums[0], inputs[input], none, 0, gains + input * outputs, outputs, vectors, tile);
  UNROLL for (int out = 0; out < outputs; ++out) {
    UNROLL for (int v = 0; v < vectors; ++v) {
      const Vector sum = sums[0][out][v] + sums[1][out][v];
      const int is_partly_fresh = v == vectors - 1 && tile.fresh < LANES;
      meter_add(
          &meters[out * METERS_OF(outputs) + v % METERS_OF(outputs)],
          is_partly_fresh ? last_lanes(sum, tile.fresh) : sum);
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
#define TILE(IS_WHOLE, VECTORS) \
  sum_tile(outs, inputs, gains, count, tile, IS_WHOLE, meters, outputs, VECTORS)
#define TILE_OF(IS_WHOLE) \
  if (widest > 4 && vectors == widest) TILE(IS_WHOLE, WIDEST_1); \
  else if (widest >= 4 && vectors == 4) TILE(IS_WHOLE, 4); \
  else if (widest >= 3 && vectors == 3) TILE(IS_WHOLE, 3); \
  else if (vectors == 2) TILE(IS_WHOLE, 2); \
  else TILE(IS_WHOLE, 1)
  while (left > 0) {
    const size_t vectors = tile_vectors(left, widest);
    const size_t next = at + vectors * LANES;
    Tile tile = {at, 0, LANES};
    if (next <= end) {
      TILE_OF(1);
    } else {
      tile.last = end - LANES;
      tile.fresh = LANES - (next - end);
      TILE_OF(0);
    }
    at = next;
    left -= vectors;
  }
#undef TILE_OF
#undef TILE
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

/// A vector of the sum of a few inputs; see `sum_tile` for the order.
INLINE Vector sum_few_at(
    const float *const *sources, const Vector *gains, int count, size_t frame) {
  Vector even = 0, odd = 0;
  UNROLL for (int input = 0; input < count; ++input) {
    const Vector samples = *(const Loose *)(sources[input] + frame);
    if (input & 1) odd += gains[input] * samples;
    else even += gains[input] * samples;
  }
  return even + odd;
}

enum { most_few = 7 };

/// Sums a few inputs, whose number is a constant: all gains and pointers stay in registers. A block has at least a vector.
INLINE MixLevel sum_few(
    float *out, const float *const *inputs, const float *gains, int count, size_t offset,
    size_t frames) {
  const float *sources[most_few];
  Vector factors[most_few];
  UNROLL for (int input = 0; input < count; ++input) {
    sources[input] = inputs[input] + offset;
    factors[input] = gains[input];
  }
  float *target = out + offset;
  Meter meters[2] = {{0, 0}, {0, 0}};
  size_t frame = 0;
  for (; frame + 4 * LANES <= frames; frame += 4 * LANES)
    UNROLL for (int part = 0; part < 4; ++part) {
      const Vector sum = sum_few_at(sources, factors, count, frame + part * LANES);
      meter_add(&meters[part & 1], sum);
      *(Loose *)(target + frame + part * LANES) = sum;
    }
  UNROLL for (int part = 0; part < 3; ++part) {
    if (frame + LANES > frames) break;
    const Vector sum = sum_few_at(sources, factors, count, frame);
    meter_add(&meters[part & 1], sum);
    *(Loose *)(target + frame) = sum;
    frame += LANES;
  }
  if (frame < frames) {
    const Vector sum = sum_few_at(sources, factors, count, frames - LANES);
    meter_add(&meters[1], last_lanes(sum, frames - frame));
    *(Loose *)(target + frames - LANES) = sum;
  }
  return meter_result(both(meters[0], meters[1]));
}

static MixLevel sum(
    float *out, const float *const *inputs, const float *gains, int count, size_t offset,
    size_t frames) {
  if (frames < LANES) return sum_short(out, inputs, gains, 1, count, offset, frames);
  switch (count) {
#define FEW(COUNT) \
  case COUNT: \
    return sum_few(out, inputs, gains, COUNT, offset, frames)
    FEW(2);
    FEW(3);
    FEW(4);
    FEW(5);
    FEW(6);
    FEW(most_few);
#undef FEW
  }
  Meter meters[2] = {{0, 0}, {0, 0}};
  sum_block(&out, inputs, gains, count, offset, frames, meters, 1, WIDEST_1);
  return meter_result(both(meters[0], meters[1]));
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
    const FourLevels four = meter_results(meters);
    for (int out = 0; out < 4; ++out) levels[out] = (MixLevel){four.peaks[out], four.squares[out]};
    return;
  }
#endif
  sum_block(outs, inputs, gains, count, offset, frames, meters, 2, WIDEST_2);
  for (int out = 0; out < 2; ++out) levels[out] = meter_result(meters[out]);
}

/// Writes an input times its gain; at gain 1 the samples are copied bit by bit.
INLINE void scale(float *out, const float *in, float gain, size_t frames) {
  size_t frame = 0;
  if (gain == 1) {
    for (; frame + LANES <= frames; frame += LANES)
      *(Loose *)(out + frame) = *(const Loose *)(in + frame);
    for (; frame < frames; ++frame) out[frame] = in[frame];
    return;
  }
  // Zero is added as in the sums: no sample becomes -0.
  const Vector zero = 0;
  for (; frame + 4 * LANES <= frames; frame += 4 * LANES)
    UNROLL for (int part = 0; part < 4; ++part)
        *(Loose *)(out + frame + part * LANES) =
            gain * *(const Loose *)(in + frame + part * LANES) + zero;
  for (; frame + LANES <= frames; frame += LANES)
    *(Loose *)(out + frame) = gain * *(const Loose *)(in + frame) + zero;
  for (; frame < frames; ++frame) out[frame] = gain * in[frame] + 0.0f;
}

/// The level of an input behind a gain. Rounding keeps the order of magnitudes, so the peak is that of the samples.
INLINE MixLevel scaled_level(MixLevel level, float gain) {
  return (MixLevel){__builtin_fabsf(gain) * level.peak, gain * gain * level.squares};
}

/// Puts those inputs of a group side by side that are there. Returns their number.
INLINE int gather(const MixGroups *groups, const MixGroup *group, const MixInput *inputs) {
  int count = 0;
  for (int index = 0; index < group->count; ++index) {
    const float *samples = inputs[groups->inputs[group->first_input + index]].samples;
    groups->input_room[count] = samples;
    count += samples != NULL;
  }
  return count;
}

/// Puts the gains of one output of a group, for the inputs that are there, side by side.
static void gather_gains(
    const MixGroups *groups, const MixGroup *group, const MixInput *inputs, int output) {
  int count = 0;
  for (int index = 0; index < group->count; ++index) {
    if (!inputs[groups->inputs[group->first_input + index]].samples) continue;
    groups->gain_room[count++] = groups->gains[group->first_gain + index * group->outputs + output];
  }
}

/// Sums into one output. A single input needs no meter: its level is known.
INLINE MixLevel sum_alone(
    float *out, const MixGroups *groups, const MixGroup *group, const float *gains, int count,
    const MixInput *inputs, size_t offset, size_t frames) {
  if (count > 1) return sum(out, groups->input_room, gains, count, offset, frames);
  if (count == 0) {
    const Vector silence = 0;
    size_t frame = 0;
    for (; frame + LANES <= frames; frame += LANES) *(Loose *)(out + offset + frame) = silence;
    for (; frame < frames; ++frame) out[offset + frame] = 0;
    return (MixLevel){0, 0};
  }
  scale(out + offset, groups->input_room[0] + offset, gains[0], frames);
  int place = group->first_input;
  while (!inputs[groups->inputs[place]].samples) ++place;
  return scaled_level(inputs[groups->inputs[place]].level, gains[0]);
}

/// Sums a group that is not the usual single input, or lacks an input or an output.
static void sum_group(
    const MixGroups *groups, const MixGroup *group, const MixInput *inputs, float *const *outputs,
    size_t offset, size_t frames, MixLevel *levels) {
  const float *gains = groups->gains + group->first_gain;
  const int *places = groups->outputs + group->first_output;
  const int count = gather(groups, group, inputs);
  float *outs[4];
  bool are_all_there = count == group->count;
  for (int out = 0; out < group->outputs; ++out) {
    outs[out] = outputs[places[out]];
    are_all_there &= outs[out] != NULL;
  }
  if (are_all_there && group->outputs > 1) {
    MixLevel together[4];
    sum_outputs(outs, group->outputs, groups->input_room, gains, count, offset, frames, together);
    for (int out = 0; out < group->outputs; ++out) levels[places[out]] = together[out];
    return;
  }
  for (int out = 0; out < group->outputs; ++out) {
    MixLevel *level = &levels[places[out]];
    *level = (MixLevel){0, 0};
    if (!outs[out]) continue;
    const float *own = gains;
    if (!are_all_there) {
      gather_gains(groups, group, inputs, out);
      own = groups->gain_room;
    }
    *level = sum_alone(outs[out], groups, group, own, count, inputs, offset, frames);
  }
}

static void sum_groups(
    const MixGroups *groups, const MixInput *inputs, float *const *outputs, size_t offset,
    size_t frames, MixLevel *levels) {
  // A copy, which no store to the levels can change.
  const MixGroups all = *groups;
  for (int index = 0; index < all.count; ++index) {
    const MixGroup *group = &all.groups[index];
    if (group->count == 1 && group->outputs == 1) {
      const MixInput *input = &inputs[all.inputs[group->first_input]];
      const int target = all.outputs[group->first_output];
      if (input->samples && outputs[target]) {
        const float gain = all.gains[group->first_gain];
        levels[target] = scaled_level(input->level, gain);
        scale(outputs[target] + offset, input->samples + offset, gain, frames);
        continue;
      }
    }
    sum_group(&all, group, inputs, outputs, offset, frames, levels);
  }
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

/// The levels of four blocks of one length, at least a vector.
INLINE FourLevels four_levels(const float *const *inputs, size_t frames) {
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
  return meter_results(meters);
}

static bool read_inputs(
    const float *const *samples, const int *places, int count, size_t frames, uint64_t cycle,
    MixInput *inputs) {
  const float *four[4];
  MixInput *waiting[4];
  int waiting_count = 0;
  bool is_any_unclean = false;
  for (int index = 0; index < count; ++index) {
    MixInput *input = &inputs[places[index]];
    if (input->cycle == cycle) continue;
    const float *found = samples[places[index]];
    *input = (MixInput){found, {0, 0}, cycle};
    if (!found) continue;
    if (frames < LANES) {
      input->level = level(found, frames);
      is_any_unclean |= mix_needs_cleaning(input->level);
      continue;
    }
    four[waiting_count] = found;
    waiting[waiting_count++] = input;
    if (waiting_count < 4) continue;
    const FourLevels levels = four_levels(four, frames);
    for (int one = 0; one < 4; ++one)
      waiting[one]->level = (MixLevel){levels.peaks[one], levels.squares[one]};
    const FourBits clean = (levels.peaks <= MIX_LOUDEST_INPUT) & (levels.squares <= FLT_MAX);
    is_any_unclean |= !__builtin_reduce_and(clean);
    waiting_count = 0;
  }
  for (int one = 0; one < waiting_count; ++one) {
    waiting[one]->level = level(four[one], frames);
    is_any_unclean |= mix_needs_cleaning(waiting[one]->level);
  }
  return is_any_unclean;
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
    NAME,      MOST_OUTPUTS, sum,         sum_outputs,   sum_groups,
    add_ramps, level,        read_inputs, clear_outputs, peak_run,
    (size_t)2 * LANES * peak_chains,
};

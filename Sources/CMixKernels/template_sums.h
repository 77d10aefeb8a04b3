// SPDX-License-Identifier: MIT
//
// Sums of inputs. Part of kernels_template.h.

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

/// The parts that a sample's sum is made of; `sum_tile` says how.
typedef struct {
  Vector parts[CHAINS];
} Chains;

INLINE Vector total(Chains chains) {
  return CHAINS == 2 ? chains.parts[0] + chains.parts[CHAINS - 1] : chains.parts[0];
}

/// Adds one input to its chain of each sum. Its first gain is one of `four`, or lies at `gains`, where that is not null.
INLINE void add_input(
    Chains sums[MOST_OUTPUTS][WIDEST_1], int input, const float *source, Vector four, int first,
    const float *gains, int outputs, int vectors, Tile tile) {
  Vector own[MOST_OUTPUTS];
  UNROLL for (int out = 0; out < outputs; ++out)
      own[out] = gains ? (Vector)gains[out] : gain_of(four, first + out);
  UNROLL for (int v = 0; v < vectors; ++v) {
    const Vector samples = *(const Loose *)(source + frame_of(tile, v, vectors));
    UNROLL for (int out = 0; out < outputs; ++out)
        sums[out][v].parts[input % CHAINS] += own[out] * samples;
  }
}

/// Meters of an output, used in turn by its vectors: a meter waits for its own last sum, and one output has no other work.
#define METERS_OF(outputs) ((outputs) == 1 ? 2 : 1)

/// Sums all inputs into some outputs, over some vectors of frames. The numbers of outputs and vectors are constants, so the
/// sums stay in registers; so is `is_whole`, which says that the tile's vectors lie side by side.
///
/// With one chain, each sample is the sum of the inputs in their order; with two, it is the sum of the even ones plus that of
/// the odd ones. So it is the same, bit by bit, in every tile, whatever its place in the block and whichever outputs are
/// summed with it. A multiply-add takes four cycles, and one or two start in each: four or eight chains keep them busy. With
/// one for each sample a tile has twice as many vectors, and loads each pointer and gain half as often, but is slower in
/// blocks of few vectors.
INLINE void sum_tile(
    float *const *outs, const float *const *inputs, const float *gains, int count, Tile tile,
    int is_whole, Meter *meters, int outputs, int vectors) {
  if (is_whole) {
    tile.last = tile.first + (size_t)(vectors - 1) * LANES;
    tile.fresh = LANES;
  }
  Chains sums[MOST_OUTPUTS][WIDEST_1];
  UNROLL for (int out = 0; out < outputs; ++out)
      UNROLL for (int v = 0; v < vectors; ++v)
          UNROLL for (int chain = 0; chain < CHAINS; ++chain) sums[out][v].parts[chain] = 0;
  const Vector none = 0;
  int input = 0;
  // Four gains in one load: those of 4, 2 or 1 inputs. Two inputs at least in a turn, one for each chain.
  const int shared = 4 / outputs, turn = shared < 2 ? 2 : shared;
  for (; input + turn <= count; input += turn) {
    Vector four = none;
    UNROLL for (int next = 0; next < turn; ++next) {
      const float *own = gains + (input + next) * outputs;
      if (next % shared == 0) four = four_gains(own);
      add_input(
          sums, next, inputs[input + next], four, next % shared * outputs,
          LOADS_GAINS_OF_2 && outputs == 2 ? own : NULL, outputs, vectors, tile);
    }
  }
  if (turn == 4 && count & 2) {
    UNROLL for (int next = 0; next < 2; ++next) add_input(
        sums, next, inputs[input + next], none, 0, gains + (input + next) * outputs, outputs,
        vectors, tile);
    input += 2;
  }
  if (count & 1)
    add_input(
        sums, 0, inputs[input], none, 0, gains + input * outputs, outputs, vectors, tile);
  UNROLL for (int out = 0; out < outputs; ++out) {
    UNROLL for (int v = 0; v < vectors; ++v) {
      const Vector sum = total(sums[out][v]);
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
  if (widest >= 8 && (left == 8 || left >= 12)) return 8;
  if (widest >= 6 && (left == 6 || left >= 10)) return 6;
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
  if (widest >= 8 && vectors == 8) TILE(IS_WHOLE, 8); \
  else if (widest >= 6 && vectors == 6) TILE(IS_WHOLE, 6); \
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
static __attribute__((noinline)) MixLevel sum_short(
    float *out, const float *const *inputs, const float *gains, int stride, int count, size_t at,
    size_t frames) {
  float sums[CHAINS][LANES] = {{0}};
  for (int input = 0; input < count; ++input) {
    const float *source = inputs[input] + at;
    const float gain = gains[input * stride];
    for (size_t frame = 0; frame < frames; ++frame) sums[input % CHAINS][frame] += gain * source[frame];
  }
  MixLevel level = {0, 0};
  for (size_t frame = 0; frame < frames; ++frame) {
    const float sum = CHAINS == 2 ? sums[0][frame] + sums[CHAINS - 1][frame] : sums[0][frame];
    level_add(&level, sum);
    out[at + frame] = sum;
  }
  return level;
}

/// A vector of the sum of a few inputs, at least two; see `sum_tile` for the order.
///
/// A second chain begins with a product, not with a zero: as the first one is never -0, the bits are the same.
INLINE Vector sum_few_at(
    const float *const *sources, const Vector *gains, int count, size_t frame) {
  Chains sum;
  sum.parts[0] = 0;
  UNROLL for (int input = 0; input < count; ++input) {
    const Vector samples = *(const Loose *)(sources[input] + frame);
    if (CHAINS == 2 && input == 1) sum.parts[CHAINS - 1] = gains[1] * samples;
    else sum.parts[input % CHAINS] += gains[input] * samples;
  }
  return total(sum);
}

enum { most_few = 7 };

/// Sums a few inputs: all gains and pointers stay in registers. Their number and that of the meter's sums of squares are
/// constants. A block has at least a vector.
INLINE MixLevel sum_few(
    float *out, const float *const *inputs, const float *gains, int count, int parts, size_t offset,
    size_t frames) {
  const float *sources[most_few];
  Vector factors[most_few];
  UNROLL for (int input = 0; input < count; ++input) {
    sources[input] = inputs[input] + offset;
    factors[input] = gains[input];
  }
  float *target = out + offset;
  SumMeter meter = {{0, 0}, {0, 0, 0, 0}};
  const size_t runs = whole_runs(frames);
  size_t frame = 0;
  for (; frame != runs; frame += 4 * LANES)
    UNROLL for (int part = 0; part < 4; ++part) {
      const Vector sum = sum_few_at(sources, factors, count, frame + part * LANES);
      sum_meter_add(&meter, sum, part % parts);
      *(Loose *)(target + frame + part * LANES) = sum;
    }
  if (frame == frames) return meter_result(as_meter(meter, parts));
  UNROLL for (int part = 0; part < 3; ++part) {
    if (frame + LANES > frames) break;
    const Vector sum = sum_few_at(sources, factors, count, frame);
    sum_meter_add(&meter, sum, part & 1);
    *(Loose *)(target + frame) = sum;
    frame += LANES;
  }
  if (frame < frames) {
    const Vector sum = sum_few_at(sources, factors, count, frames - LANES);
    sum_meter_add(&meter, last_lanes(sum, frames - frame), 1);
    *(Loose *)(target + frames - LANES) = sum;
  }
  return meter_result(as_meter(meter, parts));
}

// A function of its own for each number of inputs: all of them in one would save every register at each call.
#define FEW(FUNCTION, COUNT, PARTS) \
  static __attribute__((noinline)) MixLevel FUNCTION( \
      float *out, const float *const *inputs, const float *gains, size_t offset, size_t frames) { \
    return sum_few(out, inputs, gains, COUNT, PARTS, offset, frames); \
  }
FEW(sum_2_short, 2, 2)
FEW(sum_2_long, 2, 4)
FEW(sum_3, 3, 2)
FEW(sum_4, 4, 2)
FEW(sum_5, 5, 2)
FEW(sum_6, 6, 2)
FEW(sum_7, 7, 2)
#undef FEW

/// Whether a block is so long that four sums of squares cost less than waiting for two.
INLINE bool is_long(size_t frames) { return frames >= 256; }

/// Sums many inputs into an output.
static __attribute__((noinline)) MixLevel sum_many(
    float *out, const float *const *inputs, const float *gains, int count, size_t offset,
    size_t frames) {
  Meter meters[2] = {{0, 0}, {0, 0}};
  sum_block(&out, inputs, gains, count, offset, frames, meters, 1, WIDEST_1);
  return meter_result(both(meters[0], meters[1]));
}

static MixLevel sum(
    float *out, const float *const *inputs, const float *gains, int count, size_t offset,
    size_t frames) {
  if (frames < LANES) return sum_short(out, inputs, gains, 1, count, offset, frames);
  switch (count) {
  case 2:
    return is_long(frames) ? sum_2_long(out, inputs, gains, offset, frames)
                           : sum_2_short(out, inputs, gains, offset, frames);
  case 3: return sum_3(out, inputs, gains, offset, frames);
  case 4: return sum_4(out, inputs, gains, offset, frames);
  case 5: return sum_5(out, inputs, gains, offset, frames);
  case 6: return sum_6(out, inputs, gains, offset, frames);
  case 7: return sum_7(out, inputs, gains, offset, frames);
  default: return sum_many(out, inputs, gains, count, offset, frames);
  }
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

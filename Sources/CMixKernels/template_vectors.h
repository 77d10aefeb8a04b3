// SPDX-License-Identifier: MIT
//
// Vectors of one width, and what is summed up over them. Part of kernels_template.h.

#define INLINE static inline __attribute__((always_inline))
#define UNROLL _Pragma("clang loop unroll(full)")
/// Keeps a loop that only writes or copies from being made a call to memset or memcpy, which takes longer than a short block.
#define STAYS_A_LOOP __asm__ volatile("")

typedef float Vector __attribute__((ext_vector_type(LANES)));
typedef float Loose __attribute__((ext_vector_type(LANES), aligned(4)));
typedef int Bits __attribute__((ext_vector_type(LANES)));
typedef float Two __attribute__((ext_vector_type(2)));
typedef float Four __attribute__((ext_vector_type(4)));
typedef int FourBits __attribute__((ext_vector_type(4)));
typedef float Eight __attribute__((ext_vector_type(8)));
/// Four pairs of floats.
typedef uint64_t Pairs __attribute__((ext_vector_type(4)));

/// Running peak and sum of squares, lane by lane.
typedef struct {
  Vector peak;
  Vector squares;
} Meter;

#if LANES == 16
/// The higher of a peak and the magnitudes: the higher of two magnitudes (3), without its sign (8), in one instruction.
INLINE Vector higher_magnitude(Vector peak, Vector samples) {
  return _mm512_range_ps(peak, samples, 8 | 3);
}
#endif

/// Takes in a vector; a sample that is not a number leaves the peak as it is.
INLINE void meter_add(Meter *meter, Vector samples) {
#if LANES == 16
  meter->peak = higher_magnitude(meter->peak, samples);
  meter->squares += samples * samples;
#else
  // Squared without its sign: a sample that is only metered is loaded by the instruction that takes the sign away.
  const Vector magnitude = (Vector)((Bits)samples & 0x7fffffff);
  meter->peak = magnitude > meter->peak ? magnitude : meter->peak;
  meter->squares += magnitude * magnitude;
#endif
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

/// The meter of sums, which lie in registers: to take their signs away would cost an instruction of those that multiply.
typedef struct {
  /// The highest and the lowest sample, or the highest magnitudes of the even and the odd vectors, with 16 lanes.
  Vector extremes[2];
  /// Taken in turn by the vectors, because each waits for its own last sum.
  Vector squares[4];
} SumMeter;

/// Takes in a vector; a sample that is not a number leaves the extremes as they are.
INLINE void sum_meter_add(SumMeter *meter, Vector sum, int part) {
  Vector *extremes = meter->extremes;
#if LANES == 16
  extremes[part & 1] = higher_magnitude(extremes[part & 1], sum);
#else
  extremes[0] = sum > extremes[0] ? sum : extremes[0];
  extremes[1] = sum < extremes[1] ? sum : extremes[1];
#endif
  meter->squares[part] += sum * sum;
}

/// The usual meter, with the first `parts` sums of squares: 2 or 4.
INLINE Meter as_meter(SumMeter meter, int parts) {
  const Vector first = meter.extremes[0];
  const Vector second = LANES == 16 ? meter.extremes[1] : -meter.extremes[1];
  Meter result = {second > first ? second : first, meter.squares[0] + meter.squares[1]};
  if (parts == 4) result.squares += meter.squares[2] + meter.squares[3];
  return result;
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

/// The frames of a block that make up whole runs of four vectors.
INLINE size_t whole_runs(size_t frames) { return frames - frames % (4 * LANES); }

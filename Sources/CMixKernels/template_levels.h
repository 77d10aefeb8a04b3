// SPDX-License-Identifier: MIT
//
// Levels of blocks, and the meters of channels. Part of kernels_template.h.

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
  const size_t whole = frames - frames % LANES;
  size_t frame = whole % (2 * LANES);
  if (frame)
    UNROLL for (int index = 0; index < 4; ++index)
        meter_add(&meters[index], *(const Loose *)inputs[index]);
  for (; frame != whole; frame += 2 * LANES)
    UNROLL for (int part = 0; part < 2; ++part)
      UNROLL for (int index = 0; index < 4; ++index)
          meter_add(&meters[index], *(const Loose *)(inputs[index] + frame + part * LANES));
  if (whole != frames)
    UNROLL for (int index = 0; index < 4; ++index) {
      const Vector last = *(const Loose *)(inputs[index] + frames - LANES);
      meter_add(&meters[index], last_lanes(last, frames - whole));
    }
  return meter_results(meters);
}

/// Reads an input unless it was read in this cycle already. Returns whether it needs cleaning.
///
/// Not inlined, so that the inputs that are read together keep the registers.
static __attribute__((noinline)) bool read_input(
    const float *samples, size_t frames, uint64_t cycle, MixInput *input) {
  if (input->cycle == cycle) return false;
  *input = (MixInput){samples, {0, 0}, cycle};
  if (!samples) return false;
  input->level = level(samples, frames);
  return mix_needs_cleaning(input->level);
}

/// Reads four inputs of at least a vector, where all of them are there and were not read in this cycle yet.
///
/// Returns whether it has; `is_any_unclean` becomes true where one of them needs cleaning.
INLINE bool read_four(
    const float *const *samples, const int *places, size_t frames, uint64_t cycle,
    MixInput *inputs, bool *is_any_unclean) {
  const float *four[4];
  UNROLL for (int one = 0; one < 4; ++one) {
    four[one] = samples[places[one]];
    if (!four[one]) return false;
    if (inputs[places[one]].cycle == cycle) return false;
  }
  const FourLevels levels = four_levels(four, frames);
  const Eight pairs = __builtin_shufflevector(levels.peaks, levels.squares, 0, 4, 1, 5, 2, 6, 3, 7);
  UNROLL for (int one = 0; one < 4; ++one) {
    MixInput *input = &inputs[places[one]];
    input->samples = four[one];
    const uint64_t level = ((Pairs)pairs)[one];
    memcpy(&input->level, &level, sizeof level);
    input->cycle = cycle;
  }
  const FourBits clean = (levels.peaks <= MIX_LOUDEST_INPUT) & (levels.squares <= FLT_MAX);
  *is_any_unclean |= !__builtin_reduce_and(clean);
  return true;
}

static bool read_inputs(
    const float *const *samples, const int *places, int count, size_t frames, uint64_t cycle,
    MixInput *inputs) {
  bool is_any_unclean = false;
  const int *end = places + count;
  while (places != end) {
    if (end - places >= 4 && frames >= LANES
        && read_four(samples, places, frames, cycle, inputs, &is_any_unclean)) {
      places += 4;
      continue;
    }
    is_any_unclean |= read_input(samples[*places], frames, cycle, &inputs[*places]);
    ++places;
  }
  return is_any_unclean;
}

/// Peaks and mean squares of up to four channels, at both taps of each.
typedef struct {
  Eight peaks;
  Eight means;
} Intake;

/// Takes in a block of each of up to four channels, whose number is a constant.
INLINE void take_in(MixTaps *const *taps, int count, const Intake *intake, float smoothing) {
  const Eight peaks = intake->peaks, means = intake->means;
  Pairs old_peaks = 0, old_squares = 0;
  UNROLL for (int index = 0; index < count; ++index) {
    old_peaks[index] = __atomic_load_n(&taps[index]->peaks, __ATOMIC_RELAXED);
    old_squares[index] = __atomic_load_n(&taps[index]->mean_squares, __ATOMIC_RELAXED);
  }
  const Eight was = (Eight)old_squares;
  const Eight moved = was + smoothing * ((means < __builtin_inff() ? means : 0) - was);
  // Values below -200 dB count as silence: a decaying mean must not end among the denormals.
  const Pairs new_squares = (Pairs)(moved > 1e-20f ? moved : 0);
  UNROLL for (int index = 0; index < count; ++index)
      __atomic_store_n(&taps[index]->mean_squares, new_squares[index], __ATOMIC_RELAXED);
  // Most blocks are no new peak.
  if (!__builtin_reduce_or(peaks > (Eight)old_peaks)) return;
  for (int index = 0; index < count; ++index)
    taps_raise(taps[index], old_peaks[index], peaks[2 * index], peaks[2 * index + 1]);
}

INLINE uint64_t level_bits(const MixLevel *level) {
  uint64_t bits;
  memcpy(&bits, level, sizeof bits);
  return bits;
}

/// Meters up to four channels, whose number is a constant.
INLINE void meter_few(const MixMetered *metered, int count, float per_frame, float smoothing) {
  MixTaps *own[4];
  Pairs levels = 0, gains = 0;
  UNROLL for (int index = 0; index < count; ++index) {
    const MixMetered *one = &metered[index];
    own[index] = one->taps;
    levels[index] = level_bits(&one->input->level);
    uint64_t both_gains;
    memcpy(&both_gains, one->gains, sizeof both_gains);
    gains[index] = both_gains;
  }
  // Peak and sum of squares of each channel, once for each tap.
  const Eight found = (Eight)levels, factors = (Eight)gains;
  const Eight peaks = __builtin_shufflevector(found, found, 0, 0, 2, 2, 4, 4, 6, 6);
  const Eight squares = __builtin_shufflevector(found, found, 1, 1, 3, 3, 5, 5, 7, 7);
  const Intake intake = {factors * peaks, factors * factors * (squares * per_frame)};
  take_in(own, count, &intake, smoothing);
  // Most blocks have nothing new to note.
  unsigned noted = all_notes;
  UNROLL for (int index = 0; index < count; ++index)
      noted &= __atomic_load_n(&own[index]->notes, __ATOMIC_RELAXED);
  if (noted == all_notes) return;
  for (int index = 0; index < count; ++index) {
    if (__atomic_load_n(&own[index]->notes, __ATOMIC_RELAXED) == all_notes) continue;
    const float peak = metered[index].input->level.peak;
    if (peak > 0 && metered[index].is_heard) taps_note(own[index], peak);
  }
}

static void meter_taps(const MixMetered *metered, int count, float per_frame, float smoothing) {
  int index = 0;
  for (; index + 4 <= count; index += 4) meter_few(metered + index, 4, per_frame, smoothing);
  for (; index < count; ++index) meter_few(metered + index, 1, per_frame, smoothing);
}

/// Meters up to four outputs, whose number is a constant.
INLINE void meter_few_outputs(
    const MixMeteredOutput *metered, int count, float per_frame, float smoothing) {
  MixTaps *own[4];
  Pairs levels = 0;
  UNROLL for (int index = 0; index < count; ++index) {
    own[index] = metered[index].taps;
    levels[index] = level_bits(metered[index].level);
  }
  // The second tap is silent.
  const Intake intake = {(Eight)(levels & UINT32_MAX), (Eight)(levels >> 32) * per_frame};
  take_in(own, count, &intake, smoothing);
}

static void meter_outputs(
    const MixMeteredOutput *metered, int count, float per_frame, float smoothing) {
  int index = 0;
  for (; index + 4 <= count; index += 4)
    meter_few_outputs(metered + index, 4, per_frame, smoothing);
  for (; index < count; ++index) meter_few_outputs(metered + index, 1, per_frame, smoothing);
}

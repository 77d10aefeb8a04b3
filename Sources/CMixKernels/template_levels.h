// SPDX-License-Identifier: MIT
//
// Levels of blocks, and the meters of strips. Part of kernels_template.h.

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
  for (size_t frame = 0; frame != whole; frame += LANES)
    UNROLL for (int index = 0; index < 4; ++index)
        meter_add(&meters[index], *(const Loose *)(inputs[index] + frame));
  if (whole != frames)
    UNROLL for (int index = 0; index < 4; ++index) {
      const Vector last = *(const Loose *)(inputs[index] + frames - LANES);
      meter_add(&meters[index], last_lanes(last, frames - whole));
    }
  return meter_results(meters);
}

/// Reads an input that was not read in this cycle yet. Returns whether it needs cleaning.
INLINE bool read_input(
    const float *samples, size_t frames, uint64_t cycle, MixInput *input) {
  if (input->cycle == cycle) return false;
  *input = (MixInput){samples, {0, 0}, cycle};
  if (!samples) return false;
  input->level = level(samples, frames);
  return mix_needs_cleaning(input->level);
}

static bool read_inputs(
    const float *const *samples, const int *places, int count, size_t frames, uint64_t cycle,
    MixInput *inputs) {
  bool is_any_unclean = false;
  int index = 0;
  while (index < count) {
    // Four at a time where all of them are there and new, as they are but for rare cycles.
    if (index + 4 <= count && frames >= LANES) {
      const float *four[4];
      MixInput *into[4];
      bool are_all_new = true;
      UNROLL for (int one = 0; one < 4; ++one) {
        const int place = places[index + one];
        four[one] = samples[place];
        into[one] = &inputs[place];
        are_all_new &= four[one] != NULL && into[one]->cycle != cycle;
      }
      if (are_all_new) {
        const FourLevels levels = four_levels(four, frames);
        UNROLL for (int one = 0; one < 4; ++one) *into[one] = (MixInput){
            four[one], {levels.peaks[one], levels.squares[one]}, cycle,
        };
        const FourBits clean = (levels.peaks <= MIX_LOUDEST_INPUT) & (levels.squares <= FLT_MAX);
        is_any_unclean |= !__builtin_reduce_and(clean);
        index += 4;
        continue;
      }
    }
    is_any_unclean |= read_input(samples[places[index]], frames, cycle, &inputs[places[index]]);
    ++index;
  }
  return is_any_unclean;
}

/// Takes in a block of each of up to four channels, whose number is a constant.
INLINE void meter_few(const MixMetered *metered, int count, float per_frame, float smoothing) {
  Pairs levels = 0, gains = 0, old_peaks = 0, old_squares = 0;
  UNROLL for (int index = 0; index < count; ++index) {
    const MixMetered *one = &metered[index];
    uint64_t level, gain;
    memcpy(&level, &one->input->level, sizeof level);
    memcpy(&gain, one->gains, sizeof gain);
    levels[index] = level;
    gains[index] = gain;
    old_peaks[index] = __atomic_load_n(&one->taps->peaks, __ATOMIC_RELAXED);
    old_squares[index] = __atomic_load_n(&one->taps->mean_squares, __ATOMIC_RELAXED);
  }
  // Peak and sum of squares of each channel, once for each tap.
  const Eight found = (Eight)levels, taps = (Eight)gains;
  const Eight peaks = taps * __builtin_shufflevector(found, found, 0, 0, 2, 2, 4, 4, 6, 6);
  const Eight squares = __builtin_shufflevector(found, found, 1, 1, 3, 3, 5, 5, 7, 7);
  const Eight means = taps * taps * (squares * per_frame);
  const Eight was = (Eight)old_squares;
  const Eight moved = was + smoothing * ((means < __builtin_inff() ? means : 0) - was);
  // Values below -200 dB count as silence: a decaying mean must not end among the denormals.
  const Pairs new_squares = (Pairs)(moved > 1e-20f ? moved : 0);
  // Most blocks are no new peak, and have nothing new to note.
  const bool is_peak = __builtin_reduce_or(peaks > (Eight)old_peaks);
  UNROLL for (int index = 0; index < count; ++index) {
    MixTaps *own = metered[index].taps;
    __atomic_store_n(&own->mean_squares, new_squares[index], __ATOMIC_RELAXED);
    if (__atomic_load_n(&own->notes, __ATOMIC_RELAXED) == all_notes) continue;
    const float peak = metered[index].input->level.peak;
    if (peak > 0 && metered[index].is_heard) taps_note(own, peak);
  }
  if (!is_peak) return;
  for (int index = 0; index < count; ++index)
    taps_raise(metered[index].taps, old_peaks[index], peaks[2 * index], peaks[2 * index + 1]);
}

static void meter_taps(const MixMetered *metered, int count, float per_frame, float smoothing) {
  int index = 0;
  for (; index + 4 <= count; index += 4) meter_few(metered + index, 4, per_frame, smoothing);
  for (; index < count; ++index) meter_few(metered + index, 1, per_frame, smoothing);
}

// SPDX-License-Identifier: MIT

#include "taps.h"

#include <math.h>
#include <string.h>

static float half(uint64_t pair, int index) {
  const uint32_t bits = (uint32_t)(pair >> 32 * index);
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static uint64_t pair_of(float first, float second) {
  const float values[2] = {first, second};
  uint32_t bits[2];
  memcpy(bits, values, sizeof bits);
  return bits[0] | (uint64_t)bits[1] << 32;
}

/// A peak, or 0 where it is not finite.
static float sound(float peak) { return peak < INFINITY ? peak : 0; }

void taps_raise(MixTaps *taps, uint64_t old, float before, float behind) {
  const uint64_t raised = pair_of(
      fmaxf(half(old, 0), sound(before)), fmaxf(half(old, 1), sound(behind)));
  // The reader alone changes the peaks meanwhile, to 0: what it has read must not come back.
  if (!__atomic_compare_exchange_n(
          &taps->peaks, &old, raised, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
    __atomic_store_n(&taps->peaks, pair_of(sound(before), sound(behind)), __ATOMIC_RELAXED);
}

void taps_note(MixTaps *taps, float peak) {
  if (!(peak < INFINITY)) return;
  const uint8_t notes = peak > MIX_SOUND_PEAK ? had_signal | has_sounded : had_signal;
  __atomic_fetch_or(&taps->notes, notes, __ATOMIC_RELAXED);
}

MixTapsReading mix_taps_read(MixTaps *taps) {
  const uint64_t peaks = __atomic_exchange_n(&taps->peaks, 0, __ATOMIC_RELAXED);
  const uint64_t squares = __atomic_load_n(&taps->mean_squares, __ATOMIC_RELAXED);
  return (MixTapsReading){
      {half(peaks, 0), half(squares, 0)},
      {half(peaks, 1), half(squares, 1)},
  };
}

/// Takes back a note. Each has its own, so that two that ask do not take each other's answers.
static bool take(MixTaps *taps, uint8_t note) {
  return __atomic_fetch_and(&taps->notes, (uint8_t)~note, __ATOMIC_RELAXED) & note;
}

bool mix_taps_take_signal(MixTaps *taps) { return take(taps, had_signal); }

bool mix_taps_take_sounded(MixTaps *taps) { return take(taps, has_sounded); }

bool mix_taps_are_at_rest(const MixTaps *taps) {
  return __atomic_load_n(&taps->mean_squares, __ATOMIC_RELAXED) == 0;
}

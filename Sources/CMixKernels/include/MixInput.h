// SPDX-License-Identifier: MIT
//
// The inputs of a mix, and the meters of its channels.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Lets Swift code that is checked for locks and allocation call the function.
#define MIX_AUDIO __attribute__((swift_attr("@_noLocks"), swift_attr("@_noAllocation")))

/// The levels of a block, for a meter.
typedef struct {
  /// The highest magnitude; samples that are not a number do not count.
  float peak;
  /// The sum of squares; not finite if a sample is not.
  float squares;
} MixLevel;

/// An input in the cycle in which it was read last.
typedef struct {
  /// Its samples; null is silence.
  const float *samples;
  MixLevel level;
  /// The number of that cycle.
  uint64_t cycle;
} MixInput;

/// The meters of one channel of a strip at two taps: before and behind all that acts on its level. An output has the first one alone.
///
/// All gains of a strip are numbers that its channels have in common. So the level behind them is the level before
/// them times the gain, and needs no samples of its own. Written by the audio thread, read by one other at any time, by the
/// functions below alone. All zeros is silence.
typedef struct {
  /// The peaks since the last reading, the first tap's in the lower half. Bits of floats.
  uint64_t peaks;
  /// The integrated mean squares, likewise.
  uint64_t mean_squares;
  /// Whether it has had a signal, and whether it has sounded, since each was asked last.
  uint8_t notes;
} MixTaps;

/// The peak above which a channel sounds: -80 dB, so that the dither of a silent program does not count.
#define MIX_SOUND_PEAK 1e-4f

/// A channel that is metered.
typedef struct {
  MixTaps *taps;
  /// The input that it has in each cycle.
  const MixInput *input;
  /// The gains of the taps: 1, and the one behind the fader.
  float gains[2];
  /// Whether a send takes it, so that its signal is noted.
  bool is_heard;
} MixMetered;

/// Takes in a block of each of some channels.
///
/// The mean squares are integrated exponentially: `smoothing` is the share of the old ones that goes, and `per_frame`
/// is 1 over the frames of the block. Values that are not finite are left out. [audio-thread]
MIX_AUDIO
void mix_meter_taps(const MixMetered *metered, int count, float per_frame, float smoothing);

/// An output that is metered, and where its level is in each cycle.
typedef struct {
  MixTaps *taps;
  const MixLevel *level;
} MixMeteredOutput;

/// Takes in a block of each of some outputs, at the first tap; see `mix_meter_taps`. [audio-thread]
MIX_AUDIO
void mix_meter_outputs(
    const MixMeteredOutput *metered, int count, float per_frame, float smoothing);

/// A reading: the highest magnitude since the last one, and the mean square.
typedef struct {
  float peak;
  float mean_square;
} MixTapReading;

/// The readings of both taps.
typedef struct {
  MixTapReading before;
  MixTapReading behind;
} MixTapsReading;

/// Reads the levels and starts new peaks. [control-thread]
MixTapsReading mix_taps_read(MixTaps *taps);

/// Whether there was any signal but exact silence while a send was open, since this was asked last. [control-thread]
bool mix_taps_take_signal(MixTaps *taps);

/// Whether there was a peak above `MIX_SOUND_PEAK` while a send was open, since this was asked last. [control-thread]
bool mix_taps_take_sounded(MixTaps *taps);

/// Whether both mean squares have decayed to 0. [any-thread]
MIX_AUDIO
bool mix_taps_are_at_rest(const MixTaps *taps);

// SPDX-License-Identifier: MIT
//
// Sample loops of the mixer, in the widest vectors that the machine has.
//
// The choice is made once, before main. Pointers need no alignment, any number of frames will do,
// and functions never wait, allocate or call the system, except those marked [control-thread].
#pragma once

#include "MixInput.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The vectors in use: "avx512", "avx2", "sse2", "neon" or "generic". [any-thread]
const char *mix_vectors(void);

/// Sums `count` inputs times their gains into `out`, which is overwritten (cleared for none).
///
/// A single input at gain 1 is copied bit by bit. `out` and the inputs are taken from sample
/// `offset` on. Returns the level of what was written. [audio-thread]
MIX_AUDIO
MixLevel mix_sum(
    float *out, const float *const *inputs, const float *gains, int count, size_t offset,
    size_t frames);

/// The most outputs of `mix_sum_outputs`: 4, or 2 where registers are few. [any-thread]
MIX_AUDIO
int mix_most_outputs(void);

/// Sums the same inputs into 2 or `mix_most_outputs()` outputs, each with gains of its own: faster than one output after the
/// other, because each sample is loaded once.
///
/// `gains` has those of the first input for all outputs, then those of the second, and so on. The samples are those of
/// `mix_sum`, bit by bit. Writes the level of each output to `levels`. [audio-thread]
MIX_AUDIO
void mix_sum_outputs(
    float *const *outs, int outputs, const float *const *inputs, const float *gains, int count,
    size_t offset, size_t frames, MixLevel *levels);

/// An output with a single input, at a gain that stands still.
typedef struct {
  /// Their places among all inputs and all outputs.
  int input;
  int output;
  float gain;
} MixSingle;

/// An output with two inputs, at gains that stand still, that is summed by itself.
typedef struct {
  /// Their places among all inputs and all outputs.
  int inputs[2];
  int output;
  float gains[2];
} MixPair;

/// Outputs that take the same inputs at gains that stand still, and are summed together.
typedef struct {
  /// The first of its inputs in the list of all groups, and their number; an output without inputs is cleared.
  int first_input;
  int count;
  /// The first of its gains: those of the first input for all outputs, then those of the second, and so on.
  int first_gain;
  /// The first of its outputs in the list of all groups, and their number: 1, 2 or `mix_most_outputs()`.
  int first_output;
  int outputs;
} MixGroup;

/// All that a mix sums.
typedef struct {
  const MixSingle *singles;
  int single_count;
  const MixPair *pairs;
  int pair_count;
  const MixGroup *groups;
  int count;
  /// The inputs of the groups, by their places among all inputs.
  const int *inputs;
  const float *gains;
  /// The outputs of the groups, by their places among all outputs.
  const int *outputs;
  /// Room for the inputs of one group, and as many gains.
  const float **input_room;
  float *gain_room;
} MixGroups;

/// Sums all singles, pairs and groups. The samples are those of `mix_sum`, bit by bit; null inputs are silence, null outputs are skipped.
///
/// Writes the level of each output, which is of use where the block is the whole cycle: that of an output with a single
/// input is worked out from the input's. [audio-thread]
MIX_AUDIO
void mix_sum_groups(
    const MixGroups *groups, const MixInput *inputs, float *const *outputs, size_t offset,
    size_t frames, MixLevel *levels);

/// Adds inputs times gains that move: sample k gets `gains[i] + k * steps[i]`. [audio-thread]
MIX_AUDIO
void mix_add_ramps(
    float *out, const float *const *inputs, const float *gains, const float *steps, int count,
    size_t offset, size_t frames);

/// The level of a block. [audio-thread]
MIX_AUDIO
MixLevel mix_level(const float *samples, size_t frames);

/// Reads each of the inputs at some `places` that was not read in this cycle yet: notes its samples, and their level.
///
/// Null samples are silence. Returns whether any block needs cleaning (`mix_needs_cleaning`). [audio-thread]
MIX_AUDIO
bool mix_read_inputs(
    const float *const *samples, const int *places, int count, size_t frames, uint64_t cycle,
    MixInput *inputs);

/// Whether no level is above its limit, and all are numbers. [audio-thread]
MIX_AUDIO
bool mix_levels_pass(const MixLevel *levels, const MixLevel *limits, int count);

/// The cosine, for laws of equal power. [any-thread]
MIX_AUDIO
static inline double mix_cosine(double angle) { return cos(angle); }

/// Writes silence. [audio-thread]
MIX_AUDIO
void mix_clear(float *samples, size_t frames);

/// Writes silence into the outputs at some `places` of a list, from sample `offset` on; null
/// outputs are skipped. [audio-thread]
MIX_AUDIO
void mix_clear_outputs(
    float *const *outputs, const int *places, int count, size_t offset, size_t frames);

/// Replaces samples that are infinite or not a number by silence. [audio-thread]
MIX_AUDIO
void mix_replace_nonfinite(float *samples, size_t frames);

/// The magnitude to which samples of inputs are clamped, linear: 24 dB over full scale.
#define MIX_LOUDEST_INPUT 16.0f

/// The magnitude from which on a sample is no sound but a fault, linear: 60 dB over full scale.
#define MIX_FAULTY_INPUT 1000.0f

/// The samples of an input that were changed.
typedef struct {
  /// Replaced by silence: infinite, not a number, or at least `MIX_FAULTY_INPUT`.
  size_t silenced;
  /// Clamped to `MIX_LOUDEST_INPUT`.
  size_t clamped;
} MixFaults;

/// Whether `mix_clean_input` would change a block of this level. [audio-thread]
MIX_AUDIO
static inline bool mix_needs_cleaning(MixLevel level) {
  // The peak leaves out what is not a number; the sum of squares does not.
  return !(level.peak <= MIX_LOUDEST_INPUT) || !(level.squares <= FLT_MAX);
}

/// Copies an input with its faulty samples silenced or clamped, and counts them. [audio-thread]
MIX_AUDIO
MixFaults mix_clean_input(float *out, const float *in, size_t frames);

/// The kernels for one width of vectors; the functions are those above.
typedef struct {
  const char *name;
  int most_outputs;
  MixLevel (*sum)(
      float *out, const float *const *inputs, const float *gains, int count, size_t offset,
      size_t frames);
  void (*sum_outputs)(
      float *const *outs, int outputs, const float *const *inputs, const float *gains, int count,
      size_t offset, size_t frames, MixLevel *levels);
  void (*sum_groups)(
      const MixGroups *groups, const MixInput *inputs, float *const *outputs, size_t offset,
      size_t frames, MixLevel *levels);
  void (*add_ramps)(
      float *out, const float *const *inputs, const float *gains, const float *steps, int count,
      size_t offset, size_t frames);
  MixLevel (*level)(const float *samples, size_t frames);
  bool (*read_inputs)(
      const float *const *samples, const int *places, int count, size_t frames, uint64_t cycle,
      MixInput *inputs);
  void (*clear_outputs)(
      float *const *outputs, const int *places, int count, size_t offset, size_t frames);
  void (*meter_taps)(const MixMetered *metered, int count, float per_frame, float smoothing);
  void (*meter_outputs)(
      const MixMeteredOutput *metered, int count, float per_frame, float smoothing);
  float (*peak_run)(size_t rounds);
  size_t peak_operations;
} MixKernels;

/// The kernels of the given name, or null when this machine has none: for tests and comparisons.
///
/// [any-thread]
const MixKernels *mix_kernels_named(const char *name);

/// A brick-wall limiter with one gain for all its channels.
typedef struct MixLimiter MixLimiter;

/// Makes a limiter that lets everything through, delayed by `lookahead` frames.
///
/// Null when there is no memory. [control-thread]
MixLimiter *mix_limiter_create(int channels, int lookahead);

/// Frees a limiter that no other thread uses any more. [control-thread]
void mix_limiter_destroy(MixLimiter *limiter);

/// Sets the ceiling (linear; infinity lets everything through) and the release.
///
/// `release` is the share of the missing gain that comes back each frame, 0…1. [audio-thread]
MIX_AUDIO
void mix_limiter_set(MixLimiter *limiter, float ceiling, float release);

/// The highest magnitude of a block that would pass unchanged and leave the limiter as it is; below 0 where none would.
///
/// [audio-thread]
MIX_AUDIO
float mix_limiter_passing_peak(const MixLimiter *limiter);

/// Limits the channels in place; their samples must be finite, null channels are skipped.
///
/// `peak` is the highest magnitude in the block. Returns whether any sample may have
/// changed. [audio-thread]
MIX_AUDIO
bool mix_limiter_process(MixLimiter *limiter, float *const *channels, size_t frames, float peak);

/// The lowest gain since the last reading, 0…1: 1 where nothing was held down. [control-thread]
float mix_limiter_take_lowest_gain(MixLimiter *limiter);

/// Whether silence would pass without a remainder that comes out later. [audio-thread]
MIX_AUDIO
bool mix_limiter_is_at_rest(const MixLimiter *limiter);

/// Multiplies and adds in registers alone: `rounds` times `mix_peak_operations()` of both.
///
/// Returns a value that depends on all of them. [control-thread]
float mix_peak_run(size_t rounds);

/// Multiplies and adds, counted apart, in a round of `mix_peak_run`. [any-thread]
size_t mix_peak_operations(void);

// SPDX-License-Identifier: MIT
//
// Exhaustive proofs about the limiter, with the very source of it (LIMITER is its path).
//
// Apart from arithmetic, which gains.smt2 covers, the limiter only compares samples: so all orders of a few magnitudes
// are all that it can tell apart in so many frames.
#include LIMITER

#include <float.h>
#include <stdio.h>

enum { MOST_FRAMES = 12 };

#define PROVE(HOLDS, ...)                                  \
  do {                                                     \
    if (!(HOLDS)) {                                        \
      printf("not proven: " __VA_ARGS__);                  \
      printf("\n");                                        \
      exit(1);                                             \
    }                                                      \
  } while (0)

/// The expected output, with the lowest need searched for frame by frame.
static void expect(const float *in, float *out, int frames, int lookahead, float ceiling, float release) {
  double gain = 1;
  int32_t gains[MOST_FRAMES];
  float before = 1;
  for (int frame = 0; frame < frames; ++frame) {
    float needed = 1;
    for (int past = frame - lookahead < 0 ? 0 : frame - lookahead; past <= frame; ++past) {
      const float magnitude = fabsf(in[past]);
      const float need = magnitude > ceiling ? ceiling / magnitude : 1;
      if (need < needed) needed = need;
    }
    double next = gain + (1 - gain) * release;
    if (next > 1 - 1e-6) next = 1;
    gain = next < needed ? next : needed;
    gains[frame] = (int32_t)(gain * unity);
    float mean = (float)gain;
    if (lookahead > 0) {
      int64_t sum = 0;
      for (int past = frame - lookahead + 1; past <= frame; ++past) sum += past < 0 ? unity : gains[past];
      mean = (float)((double)sum / ((double)lookahead * unity));
      PROVE(fabsf(mean - before) <= 1.0f / (float)lookahead + 1e-7f, "the gain moves by at most 1 / look-ahead");
    }
    PROVE(mean >= 0 && mean <= 1, "the gain is in 0...1: %g", (double)mean);
    before = mean;
    const float leaving = frame < lookahead ? 0 : in[frame - lookahead];
    const float product = leaving * mean;
    // The gain alone keeps the ceiling, but for rounding.
    PROVE(fabsf(product) <= ceiling * (1 + 4 * FLT_EPSILON), "the gain comes in time: %g", (double)product);
    out[frame] = product > ceiling ? ceiling : product < -ceiling ? -ceiling : product;
  }
}

static uint64_t sequences;

static void run(const float *in, int frames, int lookahead, float ceiling, float release) {
  float expected[MOST_FRAMES], out[MOST_FRAMES];
  expect(in, expected, frames, lookahead, ceiling, release);
  for (int block = 1; block <= frames; block = block == 1 ? 3 : block == 3 ? frames : frames + 1) {
    MixLimiter *limiter = mix_limiter_create(1, lookahead);
    mix_limiter_set(limiter, ceiling, release);
    memcpy(out, in, sizeof out);
    float told = 1;
    for (int frame = 0; frame < frames; frame += block) {
      const int count = frames - frame < block ? frames - frame : block;
      float peak = 0;
      for (int index = frame; index < frame + count; ++index)
        if (fabsf(in[index]) > peak) peak = fabsf(in[index]);
      float *channel = out + frame;
      mix_limiter_process(limiter, &channel, (size_t)count, peak);
      const float lowest = mix_limiter_take_lowest_gain(limiter);
      PROVE(lowest >= 0 && lowest <= 1, "the lowest gain is in 0...1");
      if (lowest < told) told = lowest;
    }
    for (int frame = 0; frame < frames; ++frame) {
      PROVE(fabsf(out[frame]) <= ceiling, "no sample is above the ceiling: %g", (double)out[frame]);
      PROVE(
          out[frame] == expected[frame], "look-ahead %d, frame %d: %.9g instead of %.9g", lookahead, frame,
          (double)out[frame], (double)expected[frame]);
    }
    mix_limiter_destroy(limiter);
  }
  ++sequences;
}

/// All sequences of some magnitudes.
static void prove_sequences(int lookahead, int frames, int magnitudes, float ceiling, float release) {
  static const float values[] = {0.25f, -1.3f, 2, 3.7f, -9, 16};
  int digits[MOST_FRAMES] = {0};
  float in[MOST_FRAMES];
  for (;;) {
    for (int frame = 0; frame < frames; ++frame) in[frame] = values[digits[frame]];
    run(in, frames, lookahead, ceiling, release);
    int place = 0;
    while (place < frames && ++digits[place] == magnitudes) digits[place++] = 0;
    if (place == frames) return;
  }
}

/// All peaks above the ceiling.
static void prove_peaks(float ceiling) {
  uint64_t count = 0;
  const MixLimiter limiter = {.channels = 1, .ceiling = ceiling};
  for (uint32_t number = bits(ceiling) + 1; number <= 0x7f7fffffu; ++number, ++count) {
    float peak;
    memcpy(&peak, &number, sizeof peak);
    float *channel = &peak;
    const float gain = needed_gain(&limiter, &channel, 0);
    const float out = clamp(peak * gain, ceiling);
    PROVE(gain >= 0 && gain <= 1 && out <= ceiling, "%g leaves within the ceiling", (double)peak);
    // Beyond that the gain is no normal number any more; inputs are clamped to MIX_LOUDEST_INPUT.
    if (peak < 1e36f) PROVE(out >= ceiling * (1 - 2 * FLT_EPSILON), "%g leaves no lower than needed", (double)peak);
  }
  printf("  all %llu floats above a ceiling of %g leave at it, within 2 parts in 2^23\n", (unsigned long long)count, (double)ceiling);
}

int main(void) {
  static const float releases[] = {0, 0.0002f, 0.1f, 1};
  for (size_t index = 0; index < sizeof releases / sizeof *releases; ++index) {
    prove_sequences(0, 6, 5, 1, releases[index]);
    prove_sequences(1, 6, 5, 0.8912509f, releases[index]);
    prove_sequences(2, 7, 5, 1, releases[index]);
    prove_sequences(3, 9, 4, 0.8912509f, releases[index]);
    prove_sequences(4, 11, 3, 1, releases[index]);
  }
  printf("  look-ahead of 0 to 4 frames, 4 releases, blocks of 1, 3 and all frames: all %llu sequences of up to 5 magnitudes in 6 to 11 frames\n", (unsigned long long)sequences);
  prove_peaks(1);
  prove_peaks(0.8912509f);
  prove_peaks(0.1f);
}

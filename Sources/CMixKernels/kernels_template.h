// SPDX-License-Identifier: MIT
//
// The kernels for one width of vectors. The including file has the compiler's target set, and defines
//   LANES            floats in a vector
//   KERNELS          the name of the table to define
//   NAME             the name of the vectors
//   MOST_OUTPUTS     outputs that are summed together at most: 4 or 2
//   CHAINS           sums that the inputs of a sample are added to in turn: 1 or 2
//   WIDEST_n         vectors of a tile with n outputs: CHAINS * n * WIDEST_n registers hold its sums
//   LOADS_GAINS_OF_2 1 where a tile of two outputs loads each gain for itself, which leaves registers for more vectors; else 0

#include "kernels.h"
#include "taps.h"

#include <float.h>
#include <string.h>

#pragma STDC FP_CONTRACT ON

#include "template_vectors.h"

#include "template_levels.h"
#include "template_sums.h"

#include "template_groups.h"

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
    add_ramps, level,        read_inputs, clear_outputs, meter_taps,
    meter_outputs, peak_run, (size_t)2 * LANES * peak_chains,
};

// SPDX-License-Identifier: MIT
//
// All that a mix sums while no gain moves. Part of kernels_template.h.

/// Writes an input times its gain; at gain 1 the samples are copied bit by bit.
INLINE void scale(float *out, const float *in, float gain, size_t frames) {
  const size_t runs = whole_runs(frames);
  size_t frame = 0;
  if (gain == 1) {
    for (; frame != runs; frame += 4 * LANES) {
      STAYS_A_LOOP;
      UNROLL for (int part = 0; part < 4; ++part)
          *(Loose *)(out + frame + part * LANES) = *(const Loose *)(in + frame + part * LANES);
    }
    for (; frame + LANES <= frames; frame += LANES) {
      STAYS_A_LOOP;
      *(Loose *)(out + frame) = *(const Loose *)(in + frame);
    }
    for (; frame < frames; ++frame) out[frame] = in[frame];
    return;
  }
  // Zero is added as in the sums: no sample becomes -0.
  const Vector zero = 0;
  for (; frame != runs; frame += 4 * LANES)
    UNROLL for (int part = 0; part < 4; ++part)
        *(Loose *)(out + frame + part * LANES) =
            gain * *(const Loose *)(in + frame + part * LANES) + zero;
  if (frame == frames) return;
  for (; frame + LANES <= frames; frame += LANES)
    *(Loose *)(out + frame) = gain * *(const Loose *)(in + frame) + zero;
  for (; frame < frames; ++frame) out[frame] = gain * in[frame] + 0.0f;
}

/// The level of an input behind a gain. Rounding keeps the order of magnitudes, so the peak is that of the samples.
INLINE MixLevel scaled_level(MixLevel level, float gain) {
  return (MixLevel){__builtin_fabsf(gain) * level.peak, gain * gain * level.squares};
}

/// Writes silence.
INLINE void clear(float *out, size_t frames) {
  const Vector silence = 0;
  const size_t runs = whole_runs(frames);
  size_t frame = 0;
  for (; frame != runs; frame += 4 * LANES) {
    STAYS_A_LOOP;
    UNROLL for (int part = 0; part < 4; ++part) *(Loose *)(out + frame + part * LANES) = silence;
  }
  for (; frame + LANES <= frames; frame += LANES) {
    STAYS_A_LOOP;
    *(Loose *)(out + frame) = silence;
  }
  for (; frame < frames; ++frame) out[frame] = 0;
}

/// Puts the inputs of a group side by side. Returns whether all of them are there.
INLINE bool gather(const MixGroups *groups, const MixGroup *group, const MixInput *inputs) {
  const int *places = groups->inputs + group->first_input;
  bool are_all_there = true;
  for (int index = 0; index < group->count; ++index) {
    const float *samples = inputs[places[index]].samples;
    groups->input_room[index] = samples;
    are_all_there &= samples != NULL;
  }
  return are_all_there;
}

/// Puts those inputs of a group side by side that are there, with their gains for one of its outputs. Returns their number.
static int gather_some(
    const MixGroups *groups, const MixGroup *group, const MixInput *inputs, int output) {
  int count = 0;
  for (int index = 0; index < group->count; ++index) {
    const float *samples = inputs[groups->inputs[group->first_input + index]].samples;
    if (!samples) continue;
    groups->input_room[count] = samples;
    groups->gain_room[count++] = groups->gains[group->first_gain + index * group->outputs + output];
  }
  return count;
}

/// Scales the inputs of outputs that have a single one, which needs no meter: the level is known.
static void scale_singles(
    const MixSingle *singles, int count, const MixInput *inputs, float *const *outputs,
    size_t offset, size_t frames, MixLevel *levels) {
  for (int index = 0; index < count; ++index) {
    const MixSingle one = singles[index];
    const MixInput input = inputs[one.input];
    float *out = outputs[one.output];
    levels[one.output] = out ? scaled_level(input.level, one.gain) : (MixLevel){0, 0};
    if (!out) continue;
    if (input.samples) scale(out + offset, input.samples + offset, one.gain, frames);
    else clear(out + offset, frames);
  }
}

/// Sums those inputs that are there, which may be one or none.
///
/// Not inlined, as it is rare: its many values would push those of the usual sums out of the registers.
static __attribute__((noinline)) MixLevel sum_some(
    float *out, const float *const *sources, const float *gains, int count, size_t offset,
    size_t frames) {
  if (count >= 2) return sum(out, sources, gains, count, offset, frames);
  if (count == 1) scale(out + offset, sources[0] + offset, gains[0], frames);
  else clear(out + offset, frames);
  return count == 1 ? level(out + offset, frames) : (MixLevel){0, 0};
}

/// Sums a pair of which an input or the output may be missing, or in a block that is shorter than a vector.
static __attribute__((noinline)) MixLevel sum_pair_apart(
    MixPair pair, const MixInput *inputs, float *out, size_t offset, size_t frames) {
  const float *sources[2];
  float gains[2];
  int count = 0;
  for (int index = 0; index < 2; ++index) {
    const float *samples = inputs[pair.inputs[index]].samples;
    if (!samples) continue;
    sources[count] = samples;
    gains[count++] = pair.gains[index];
  }
  return out ? sum_some(out, sources, gains, count, offset, frames) : (MixLevel){0, 0};
}

/// Sums the outputs that have two inputs of their own: without calls and lists, which would cost more than a short block.
///
/// The number of the meters' sums of squares is a constant.
INLINE void sum_pairs(
    const MixPair *pairs, int count, const MixInput *inputs, float *const *outputs, int parts,
    size_t offset, size_t frames, MixLevel *levels) {
  for (int index = 0; index < count; ++index) {
    const MixPair *pair = &pairs[index];
    const float *both[] = {inputs[pair->inputs[0]].samples, inputs[pair->inputs[1]].samples};
    float *out = outputs[pair->output];
    const bool is_usual = both[0] && both[1] && out && frames >= LANES;
    levels[pair->output] = is_usual
        ? sum_few(out, both, pair->gains, 2, parts, offset, frames)
        : sum_pair_apart(*pair, inputs, out, offset, frames);
  }
}

/// Sums a group output by output, because it lacks an input or an output.
static __attribute__((noinline)) void sum_apart(
    const MixGroups *groups, const MixGroup *group, const MixInput *inputs, float *const *outputs,
    size_t offset, size_t frames, MixLevel *levels) {
  for (int index = 0; index < group->outputs; ++index) {
    const int place = groups->outputs[group->first_output + index];
    float *out = outputs[place];
    levels[place] = (MixLevel){0, 0};
    if (!out) continue;
    const int count = gather_some(groups, group, inputs, index);
    levels[place] = sum_some(out, groups->input_room, groups->gain_room, count, offset, frames);
  }
}

/// Sums a group of several outputs, or of several inputs, or without any.
INLINE void sum_group(
    const MixGroups *groups, const MixGroup *group, const MixInput *inputs, float *const *outputs,
    size_t offset, size_t frames, MixLevel *levels) {
  const int *places = groups->outputs + group->first_output;
  const float *gains = groups->gains + group->first_gain;
  bool are_all_there = group->count > 1 && gather(groups, group, inputs);
  if (group->outputs == 1) {
    float *out = outputs[places[0]];
    if (are_all_there && out) {
      levels[places[0]] = sum(out, groups->input_room, gains, group->count, offset, frames);
      return;
    }
  } else if (are_all_there) {
    float *outs[4];
    for (int out = 0; out < group->outputs; ++out) {
      outs[out] = outputs[places[out]];
      are_all_there &= outs[out] != NULL;
    }
    if (are_all_there) {
      MixLevel together[4];
      sum_outputs(
          outs, group->outputs, groups->input_room, gains, group->count, offset, frames, together);
      for (int out = 0; out < group->outputs; ++out) levels[places[out]] = together[out];
      return;
    }
  }
  sum_apart(groups, group, inputs, outputs, offset, frames, levels);
}

static void sum_groups(
    const MixGroups *groups, const MixInput *inputs, float *const *outputs, size_t offset,
    size_t frames, MixLevel *levels) {
  // A copy, which no store to the levels can change.
  const MixGroups all = *groups;
  scale_singles(all.singles, all.single_count, inputs, outputs, offset, frames, levels);
  if (is_long(frames))
    sum_pairs(all.pairs, all.pair_count, inputs, outputs, 4, offset, frames, levels);
  else
    sum_pairs(all.pairs, all.pair_count, inputs, outputs, 2, offset, frames, levels);
  for (int index = 0; index < all.count; ++index)
    sum_group(&all, &all.groups[index], inputs, outputs, offset, frames, levels);
}

static void clear_outputs(
    float *const *outputs, const int *places, int count, size_t offset, size_t frames) {
  for (int index = 0; index < count; ++index)
    if (outputs[places[index]]) clear(outputs[places[index]] + offset, frames);
}

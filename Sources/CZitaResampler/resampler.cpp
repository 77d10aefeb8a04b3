// SPDX-License-Identifier: MIT
#include "CZitaResampler.h"

#include <new>
#include <zita-resampler/vresampler.h>

struct zita_resampler {
  VResampler resampler;
};

zita_resampler *zita_resampler_create(
  double nominal_ratio, uint32_t channels, uint32_t half_length) {
  auto *made = new (std::nothrow) zita_resampler;
  if (made && made->resampler.setup(nominal_ratio, channels, half_length) == 0) return made;
  delete made;
  return nullptr;
}

void zita_resampler_destroy(zita_resampler *resampler) { delete resampler; }

void zita_resampler_reset(zita_resampler *resampler) { resampler->resampler.reset(); }

void zita_resampler_set_relative_ratio(zita_resampler *resampler, double ratio) {
  resampler->resampler.set_rratio(ratio);
}

double zita_resampler_input_distance(const zita_resampler *resampler) {
  return resampler->resampler.inpdist();
}

zita_counts zita_resampler_process(
  zita_resampler *resampler, const float *input, uint32_t input_frames, float *output,
  uint32_t output_frames) {
  VResampler &zita = resampler->resampler;
  zita.inp_count = input_frames;
  zita.inp_data = const_cast<float *>(input);
  zita.out_count = output_frames;
  zita.out_data = output;
  zita.process();
  return {input_frames - zita.inp_count, output_frames - zita.out_count};
}

// SPDX-License-Identifier: MIT
#include "device.h"

#include <math.h>
#include <string.h>

const snd_pcm_format_t calsa_formats[] = {
  SND_PCM_FORMAT_FLOAT_LE, SND_PCM_FORMAT_S32_LE, SND_PCM_FORMAT_S24_LE, SND_PCM_FORMAT_S24_3LE,
  SND_PCM_FORMAT_S16_LE,
};
const unsigned calsa_format_count = sizeof calsa_formats / sizeof *calsa_formats;

/// Rounds to `bits` bits; what is too loud, or no number, stays inside.
static int32_t quantize(float sample, int bits) {
  const double limit = (double)(1u << (bits - 1));
  const double scaled = (double)sample * limit;
  if (!(scaled > -limit)) return scaled <= -limit ? (int32_t)-limit : 0;
  return scaled >= limit - 1 ? (int32_t)(limit - 1) : (int32_t)lrint(scaled);
}

static void put(unsigned char *to, int32_t value, int bytes) {
  for (int byte = 0; byte < bytes; byte++) to[byte] = (unsigned char)((uint32_t)value >> (8 * byte));
}

/// The bytes as the top of a 32-bit number.
static int32_t take(const unsigned char *from, int bytes) {
  uint32_t value = 0;
  for (int byte = 0; byte < bytes; byte++) value |= (uint32_t)from[byte] << (8 * (4 - bytes + byte));
  return (int32_t)value;
}

void calsa_from_float(snd_pcm_format_t format, const float *from, unsigned char *to, size_t samples) {
  const int bytes = snd_pcm_format_physical_width(format) / 8;
  const int bits = snd_pcm_format_width(format);
  // Silence is all zeros in each of these formats.
  if (!from) {
    memset(to, 0, samples * (size_t)bytes);
  } else if (format == SND_PCM_FORMAT_FLOAT_LE) {
    memcpy(to, from, samples * sizeof *from);
  } else {
    for (size_t i = 0; i < samples; i++) put(to + i * (size_t)bytes, quantize(from[i], bits), bytes);
  }
}

void calsa_to_float(snd_pcm_format_t format, const unsigned char *from, float *to, size_t samples) {
  const int bytes = snd_pcm_format_physical_width(format) / 8;
  if (format == SND_PCM_FORMAT_FLOAT_LE) {
    memcpy(to, from, samples * sizeof *to);
    return;
  }
  // 24 bits in 32 lie at the bottom; the top byte may hold anything.
  const int used = format == SND_PCM_FORMAT_S24_LE ? 3 : bytes;
  for (size_t i = 0; i < samples; i++) {
    to[i] = (float)take(from + i * (size_t)bytes, used) / 2147483648.0f;
  }
}

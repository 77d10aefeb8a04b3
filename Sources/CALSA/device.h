// SPDX-License-Identifier: MIT
#pragma once

#include "CALSA.h"

#include <alsa/asoundlib.h>

enum { CALSA_CHUNK_FRAMES = 1024 };

struct calsa_device {
  snd_pcm_t *pcm;
  snd_pcm_status_t *status;
  snd_pcm_format_t format;
  calsa_geometry geometry;
  size_t sample_bytes;
  /// Room for CALSA_CHUNK_FRAMES frames in the device's format.
  unsigned char *chunk;
};

/// The formats that are converted, the best first.
extern const snd_pcm_format_t calsa_formats[];
extern const unsigned calsa_format_count;

/// Converts `samples` values; `from` NULL is silence.
void calsa_from_float(snd_pcm_format_t format, const float *from, unsigned char *to, size_t samples);
void calsa_to_float(snd_pcm_format_t format, const unsigned char *from, float *to, size_t samples);

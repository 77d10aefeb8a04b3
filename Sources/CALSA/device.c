// SPDX-License-Identifier: MIT
#include "device.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

static void ignore_errors(
  const char *file, int line, const char *function, int error, const char *format, ...) {
  (void)file, (void)line, (void)function, (void)error, (void)format;
}

/// Sets one thing and returns its name and error from the calling function if it fails.
#define TRY(call)                  \
  do {                             \
    const int result = (call);     \
    if (result < 0) {              \
      *step = #call;               \
      return result;               \
    }                              \
  } while (0)

static int choose_format(calsa_device *device, snd_pcm_hw_params_t *hardware) {
  for (unsigned i = 0; i < calsa_format_count; i++) {
    if (snd_pcm_hw_params_set_format(device->pcm, hardware, calsa_formats[i]) == 0) {
      device->format = calsa_formats[i];
      return 0;
    }
  }
  return -EINVAL;
}

static int set_hardware(
  calsa_device *device, calsa_geometry *geometry, snd_pcm_hw_params_t *hardware, const char **step) {
  snd_pcm_t *pcm = device->pcm;
  TRY(snd_pcm_hw_params_any(pcm, hardware));
  // No hidden resampler: it would hide the clock.
  snd_pcm_hw_params_set_rate_resample(pcm, hardware, 0);
  TRY(snd_pcm_hw_params_set_access(pcm, hardware, SND_PCM_ACCESS_RW_INTERLEAVED));
  TRY(choose_format(device, hardware));
  TRY(snd_pcm_hw_params_set_channels(pcm, hardware, geometry->channels));
  TRY(snd_pcm_hw_params_set_rate_near(pcm, hardware, &geometry->rate_hz, NULL));
  snd_pcm_uframes_t period = geometry->period_frames;
  TRY(snd_pcm_hw_params_set_period_size_near(pcm, hardware, &period, NULL));
  snd_pcm_uframes_t buffer = period * geometry->periods;
  TRY(snd_pcm_hw_params_set_buffer_size_near(pcm, hardware, &buffer));
  TRY(snd_pcm_hw_params(pcm, hardware));
  geometry->period_frames = (unsigned)period;
  geometry->buffer_frames = (unsigned)buffer;
  geometry->periods = (unsigned)(buffer / period);
  return 0;
}

static int set_software(
  calsa_device *device, const calsa_geometry *geometry, snd_pcm_sw_params_t *software,
  const char **step) {
  snd_pcm_t *pcm = device->pcm;
  TRY(snd_pcm_sw_params_current(pcm, software));
  TRY(snd_pcm_sw_params_set_avail_min(pcm, software, geometry->period_frames));
  // Started by hand, once its buffer holds silence.
  snd_pcm_uframes_t boundary;
  TRY(snd_pcm_sw_params_get_boundary(software, &boundary));
  TRY(snd_pcm_sw_params_set_start_threshold(pcm, software, boundary));
  // Where time stamps are not to be had, wake-ups are stamped instead.
  snd_pcm_sw_params_set_tstamp_mode(pcm, software, SND_PCM_TSTAMP_ENABLE);
  snd_pcm_sw_params_set_tstamp_type(pcm, software, SND_PCM_TSTAMP_TYPE_MONOTONIC);
  TRY(snd_pcm_sw_params(pcm, software));
  return 0;
}

static int prepare(calsa_device *device) {
  const int result = snd_pcm_prepare(device->pcm);
  if (result < 0 || device->geometry.is_capture) return result;
  for (long left = device->geometry.buffer_frames; left > 0;) {
    const long written = calsa_write(device, NULL, left);
    if (written <= 0) return written < 0 ? (int)written : -EIO;
    left -= written;
  }
  return 0;
}

static int set_up(
  calsa_device *device, const char *name, calsa_geometry *geometry, const char **step) {
  const snd_pcm_stream_t stream =
    geometry->is_capture ? SND_PCM_STREAM_CAPTURE : SND_PCM_STREAM_PLAYBACK;
  TRY(snd_pcm_open(&device->pcm, name, stream, SND_PCM_NONBLOCK));
  snd_pcm_hw_params_t *hardware;
  snd_pcm_sw_params_t *software;
  snd_pcm_hw_params_alloca(&hardware);
  snd_pcm_sw_params_alloca(&software);
  const int result = set_hardware(device, geometry, hardware, step);
  if (result < 0) return result;
  TRY(set_software(device, geometry, software, step));
  device->geometry = *geometry;
  device->sample_bytes = (size_t)snd_pcm_format_physical_width(device->format) / 8;
  device->chunk = calloc(CALSA_CHUNK_FRAMES * (size_t)device->geometry.channels, device->sample_bytes);
  TRY(device->chunk ? 0 : -ENOMEM);
  TRY(snd_pcm_status_malloc(&device->status));
  TRY(prepare(device));
  return 0;
}

int calsa_open(
  const char *name, calsa_geometry *geometry, calsa_device **opened, const char **step) {
  // alsa-lib would write its complaints to standard error, twice a second while a card is away.
  snd_lib_error_set_handler(ignore_errors);
  calsa_device *device = calloc(1, sizeof *device);
  if (!device) return -ENOMEM;
  const int result = set_up(device, name, geometry, step);
  if (result < 0) {
    calsa_close(device);
    return result;
  }
  *opened = device;
  return 0;
}

int calsa_start(calsa_device *device) { return snd_pcm_start(device->pcm); }

int calsa_recover(calsa_device *device) {
  snd_pcm_drop(device->pcm);
  const int result = prepare(device);
  return result < 0 ? result : calsa_start(device);
}

int calsa_wait(calsa_device *device, int timeout_ms) {
  return snd_pcm_wait(device->pcm, timeout_ms);
}

static int64_t nanoseconds(struct timespec time) {
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

long calsa_available(calsa_device *device, int64_t *age_nanoseconds) {
  *age_nanoseconds = 0;
  const snd_pcm_sframes_t available = snd_pcm_avail(device->pcm);
  if (available < 0) return available;
  const int result = snd_pcm_status(device->pcm, device->status);
  if (result < 0) return result;
  const snd_pcm_state_t state = snd_pcm_status_get_state(device->status);
  if (state == SND_PCM_STATE_DISCONNECTED) return -ENODEV;
  if (state == SND_PCM_STATE_XRUN) return -EPIPE;
  struct timespec counted, now;
  snd_pcm_status_get_htstamp(device->status, &counted);
  clock_gettime(CLOCK_MONOTONIC, &now);
  const int64_t age = nanoseconds(now) - nanoseconds(counted);
  // A stamp of another clock, or none, is nowhere near now.
  if (age > 0 && age < 100000000) *age_nanoseconds = age;
  return (long)snd_pcm_status_get_avail(device->status);
}

long calsa_write(calsa_device *device, const float *samples, long frames) {
  long done = 0;
  while (done < frames) {
    const long part = frames - done < CALSA_CHUNK_FRAMES ? frames - done : CALSA_CHUNK_FRAMES;
    calsa_from_float(
      device->format, samples ? samples + done * device->geometry.channels : NULL, device->chunk,
      (size_t)part * device->geometry.channels);
    const snd_pcm_sframes_t written =
      snd_pcm_writei(device->pcm, device->chunk, (snd_pcm_uframes_t)part);
    if (written == -EAGAIN || written == 0) break;
    if (written < 0) return done > 0 ? done : written;
    done += written;
    if (written < part) break;
  }
  return done;
}

long calsa_read(calsa_device *device, float *samples, long frames) {
  long done = 0;
  while (done < frames) {
    const long part = frames - done < CALSA_CHUNK_FRAMES ? frames - done : CALSA_CHUNK_FRAMES;
    const snd_pcm_sframes_t read =
      snd_pcm_readi(device->pcm, device->chunk, (snd_pcm_uframes_t)part);
    if (read == -EAGAIN || read == 0) break;
    if (read < 0) return done > 0 ? done : read;
    calsa_to_float(
      device->format, device->chunk, samples + done * device->geometry.channels,
      (size_t)read * device->geometry.channels);
    done += read;
    if (read < part) break;
  }
  return done;
}

void calsa_close(calsa_device *device) {
  if (device->pcm) {
    snd_pcm_drop(device->pcm);
    snd_pcm_close(device->pcm);
  }
  if (device->status) snd_pcm_status_free(device->status);
  free(device->chunk);
  free(device);
}

const char *calsa_error(int error) { return snd_strerror(error); }

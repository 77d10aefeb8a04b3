// SPDX-License-Identifier: MIT
//
// An ALSA device as a bridge's device thread needs it: interleaved Float frames, whatever the hardware
// takes. Nothing here is for the audio thread.
#pragma once

#include <stdbool.h>
#include <stdint.h>

/// An open device.
typedef struct calsa_device calsa_device;

/// The requested and the actual settings of a device.
typedef struct {
  bool is_capture;
  unsigned channels;
  unsigned rate_hz;
  unsigned period_frames;
  unsigned periods;
  /// Given: the length of the buffer.
  unsigned buffer_frames;
} calsa_geometry;

/// Opens and prepares a device, and fills its buffer with silence for playback.
///
/// `geometry` says what is wanted (rate and period as near as the device has them) and comes back
/// as it is. 0, or a negative errno with `step` the call that failed. May block for as long as a driver likes.
/// [device-thread]
int calsa_open(
  const char *name, calsa_geometry *geometry, calsa_device **device, const char **step);

/// Begins to play or to capture. 0, or a negative errno.
/// [device-thread]
int calsa_start(calsa_device *device);

/// After running empty or full, or a suspend: as freshly opened, and begun. 0, or a negative errno.
/// [device-thread]
int calsa_recover(calsa_device *device);

/// Waits until a period can be moved: 1; 0 when it took longer than `timeout_ms`; or a negative errno.
/// [device-thread]
int calsa_wait(calsa_device *device, int timeout_ms);

/// Frames that can be moved, or a negative errno; how long ago the driver counted them, 0 if unknown.
/// [device-thread]
long calsa_available(calsa_device *device, int64_t *age_nanoseconds);

/// Plays interleaved frames; NULL is silence. Frames taken, or a negative errno.
/// [device-thread]
long calsa_write(calsa_device *device, const float *samples, long frames);

/// Captures interleaved frames. Frames read, or a negative errno.
/// [device-thread]
long calsa_read(calsa_device *device, float *samples, long frames);

/// Closes a device; what was to be played is dropped.
/// [device-thread]
void calsa_close(calsa_device *device);

/// An error's words.
/// [any-thread]
const char *calsa_error(int error);

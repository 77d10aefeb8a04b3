// SPDX-License-Identifier: MIT
// libsndfile, loaded with the first file: with its codecs it would take a tenth of the time of short commands.
#include "CSndfile.h"
#include "late_library.h"

#define SNDFILE_FUNCTION(missing, result, name, parameters, arguments)                             \
  LATE("libsndfile.so.1", missing, result, name, parameters, arguments)

// Without the library no file is open, so only these are reached.
SNDFILE_FUNCTION(
  return NULL, SNDFILE *, sf_open_fd, (int fd, int mode, SF_INFO *info, int close),
  (fd, mode, info, close))
SNDFILE_FUNCTION(return late_reason(), const char *, sf_strerror, (SNDFILE * file), (file))
SNDFILE_FUNCTION(return late_reason(), const char *, sf_error_number, (int number), (number))

SNDFILE_FUNCTION(late_give_up(), int, sf_close, (SNDFILE * file), (file))
SNDFILE_FUNCTION(
  late_give_up(), int, sf_command, (SNDFILE * file, int command, void *data, int size),
  (file, command, data, size))
SNDFILE_FUNCTION(late_give_up(), int, sf_error, (SNDFILE * file), (file))
SNDFILE_FUNCTION(
  late_give_up(), sf_count_t, sf_readf_float, (SNDFILE * file, float *frames, sf_count_t count),
  (file, frames, count))
SNDFILE_FUNCTION(
  late_give_up(), sf_count_t, sf_seek, (SNDFILE * file, sf_count_t frames, int whence),
  (file, frames, whence))
SNDFILE_FUNCTION(
  late_give_up(), sf_count_t, sf_writef_float,
  (SNDFILE * file, const float *frames, sf_count_t count), (file, frames, count))

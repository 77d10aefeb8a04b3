// SPDX-License-Identifier: MIT
#include "library.h"
#include "headers.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define TEXT_(number) #number
#define TEXT(number) TEXT_(number)

static struct {
  media_library functions;
  bool is_there;
  char reason[256];
} loaded;

static pthread_once_t once = PTHREAD_ONCE_INIT;

// The versions are those of the headers, because the members of their structures depend on them.
static void load(void) {
  void *util = dlopen("libavutil.so." TEXT(LIBAVUTIL_VERSION_MAJOR), RTLD_NOW);
  void *resample = dlopen("libswresample.so." TEXT(LIBSWRESAMPLE_VERSION_MAJOR), RTLD_NOW);
  void *codec = dlopen("libavcodec.so." TEXT(LIBAVCODEC_VERSION_MAJOR), RTLD_NOW);
  void *format = dlopen("libavformat.so." TEXT(LIBAVFORMAT_VERSION_MAJOR), RTLD_NOW);
  if (!util || !resample || !codec || !format) {
    snprintf(
      loaded.reason, sizeof loaded.reason,
      "this format needs FFmpeg's libraries, which are not there (apt install libavformat%d)",
      LIBAVFORMAT_VERSION_MAJOR);
    return;
  }
#define MEDIA_FIND(library, function)                                                              \
  *(void **)&loaded.functions.function = dlsym(library, #function);                                \
  if (!loaded.functions.function) {                                                                \
    snprintf(loaded.reason, sizeof loaded.reason, "FFmpeg's libraries lack " #function);           \
    return;                                                                                        \
  }
  MEDIA_FUNCTIONS(MEDIA_FIND)
#undef MEDIA_FIND
  loaded.functions.av_log_set_level(AV_LOG_QUIET);
  loaded.is_there = true;
}

const media_library *media_load(char *reason, size_t reason_size) {
  pthread_once(&once, load);
  if (loaded.is_there) return &loaded.functions;
  snprintf(reason, reason_size, "%s", loaded.reason);
  return NULL;
}

static int64_t part_bytes(const media_stream *stream) {
  int64_t bytes = media_file_bytes(stream->descriptor);
  if (stream->end > 0 && bytes > stream->end) bytes = stream->end;
  return bytes > stream->begin ? bytes - stream->begin : 0;
}

static int read_some(void *context, uint8_t *bytes, int count) {
  media_stream *stream = context;
  int64_t left = part_bytes(stream) - stream->position;
  if (stream->allowance && left > *stream->allowance) left = *stream->allowance;
  if (left <= 0) return AVERROR_EOF;
  size_t wanted = left < count ? (size_t)left : (size_t)count;
  ssize_t done =
    pread(stream->descriptor, bytes, wanted, stream->begin + stream->position);
  if (done < 0) {
    if (!stream->fault) stream->fault = errno;
    return AVERROR(errno);
  }
  stream->position += done;
  if (stream->allowance) *stream->allowance -= done;
  return done > 0 ? (int)done : AVERROR_EOF;
}

#if LIBAVFORMAT_VERSION_MAJOR >= 61
static int write_some(void *context, const uint8_t *bytes, int count) {
#else
static int write_some(void *context, uint8_t *bytes, int count) {
#endif
  media_stream *stream = context;
  int done = 0;
  while (done < count) {
    ssize_t part =
      pwrite(stream->descriptor, bytes + done, (size_t)(count - done), stream->position);
    if (part < 0 && errno == EINTR) continue;
    if (part <= 0) {
      int fault = part < 0 ? errno : ENOSPC;
      if (!stream->fault) stream->fault = fault;
      return AVERROR(fault);
    }
    done += (int)part;
    stream->position += part;
  }
  return done;
}

static int64_t seek_to(void *context, int64_t offset, int whence) {
  media_stream *stream = context;
  int64_t target;
  switch (whence & ~AVSEEK_FORCE) {
    case AVSEEK_SIZE: return part_bytes(stream);
    case SEEK_SET: target = offset; break;
    case SEEK_CUR: target = stream->position + offset; break;
    case SEEK_END: target = part_bytes(stream) + offset; break;
    default: return AVERROR(EINVAL);
  }
  if (target < 0) return AVERROR(EINVAL);
  stream->position = target;
  return target;
}

AVIOContext *media_io(const media_library *library, media_stream *stream, bool is_writable) {
  const int size = 32768;
  uint8_t *buffer = library->av_malloc(size);
  if (!buffer) return NULL;
  AVIOContext *io = library->avio_alloc_context(
    buffer, size, is_writable, stream, is_writable ? NULL : read_some,
    is_writable ? write_some : NULL, seek_to);
  if (!io) library->av_freep(&buffer);
  return io;
}

void media_io_free(const media_library *library, AVIOContext **io) {
  if (!*io) return;
  library->av_freep(&(*io)->buffer);
  library->avio_context_free(io);
}

void media_explain(
  const media_library *library, const char *what, int status, char *reason, size_t reason_size) {
  char text[AV_ERROR_MAX_STRING_SIZE] = "";
  library->av_strerror(status, text, sizeof text);
  snprintf(reason, reason_size, "%s: %s", what, text);
}

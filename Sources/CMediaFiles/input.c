// SPDX-License-Identifier: MIT
#include "library.h"

static const char *demuxer(media_kind kind) {
  switch (kind) {
    case MEDIA_ADTS: return "aac";
    case MEDIA_MPEG_AUDIO: return "mp3";
    case MEDIA_OGG: return "ogg";
    default: return "mov";
  }
}

int media_input_open(const media_library *library, media_input *input, media_kind kind) {
  input->io = media_io(library, &input->stream, false);
  input->format = library->avformat_alloc_context();
  if (!input->format || !input->io) return AVERROR(ENOMEM);
  input->format->pb = input->io;
  input->format->max_streams = 64;
  input->format->probesize = 1 << 20;
  input->format->max_analyze_duration = 2 * AV_TIME_BASE;
  // A file names no other files.
  input->format->protocol_whitelist = library->av_strdup("none");
  int status = library->avformat_open_input(
    &input->format, NULL, library->av_find_input_format(demuxer(kind)), NULL);
  if (status >= 0) status = library->avformat_find_stream_info(input->format, NULL);
  if (status >= 0) {
    status = library->av_find_best_stream(input->format, AVMEDIA_TYPE_AUDIO, -1, -1, NULL, 0);
  }
  if (status < 0) return status;
  input->index = status;
  for (unsigned index = 0; index < input->format->nb_streams; index += 1) {
    if ((int)index != input->index) input->format->streams[index]->discard = AVDISCARD_ALL;
  }
  return 0;
}

void media_input_close(const media_library *library, media_input *input) {
  library->avformat_close_input(&input->format);
  media_io_free(library, &input->io);
}

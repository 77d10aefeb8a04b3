// SPDX-License-Identifier: MIT
#include "library.h"
#include "media_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// A decoder needs some packets before a place to give it exactly.
static const int64_t PREROLL = 4096;
static const int MAXIMUM_CHANNELS = 64;
static const int MAXIMUM_RATE = 384000;

struct media_reader {
  const media_library *library;
  media_stream stream;
  AVIOContext *io;
  AVFormatContext *format;
  AVCodecContext *codec;
  struct SwrContext *converter;
  AVPacket *packet;
  AVFrame *frame;
  int index;
  int32_t rate_hz, channels;
  bool is_raw;
  /// -1 where it is not known.
  int64_t frames;
  /// The time stamp of frame 0, in frames.
  int64_t origin;
  /// The next frame that is given.
  int64_t position;
  /// The next frame that the decoder gives, where it does not say.
  int64_t decoded;
  /// Frames before this one are left out, after a change of place.
  int64_t wanted;
  float *samples;
  int64_t start, count, capacity;
  bool is_drained, has_ended;
  char fault[160];
};

static bool is_mpeg4(const uint8_t *start, size_t count) {
  return count >= 12 && memcmp(start + 4, "ftyp", 4) == 0;
}

static bool is_adts(const uint8_t *start, size_t count) {
  // The sync word, layer 0, and a sample rate that exists.
  return count >= 7 && start[0] == 0xFF && (start[1] & 0xF6) == 0xF0
    && ((start[2] >> 2) & 0xF) < 13;
}

bool media_is_known(const uint8_t *start, size_t count) {
  return is_mpeg4(start, count) || is_adts(start, count);
}

static void fail(media_reader *reader, const char *what, int status) {
  reader->has_ended = true;
  media_explain(reader->library, what, status, reader->fault, sizeof reader->fault);
}

static int64_t in_frames(const media_reader *reader, int64_t stamp) {
  const AVStream *stream = reader->format->streams[reader->index];
  return reader->library->av_rescale_q(
    stamp, stream->time_base, (AVRational){1, reader->rate_hz});
}

// Gives the decoder the next packet; 0, or a status of FFmpeg.
static int feed(media_reader *reader) {
  const media_library *library = reader->library;
  for (;;) {
    int status = library->av_read_frame(reader->format, reader->packet);
    if (status == AVERROR_EOF) {
      if (reader->stream.fault) return AVERROR(reader->stream.fault);
      reader->is_drained = true;
      return library->avcodec_send_packet(reader->codec, NULL);
    }
    if (status < 0) return status;
    if (reader->packet->stream_index != reader->index) {
      library->av_packet_unref(reader->packet);
      continue;
    }
    status = library->avcodec_send_packet(reader->codec, reader->packet);
    library->av_packet_unref(reader->packet);
    return status;
  }
}

// Decodes one frame into `frame`; 0, or a status of FFmpeg.
static int decode(media_reader *reader) {
  for (;;) {
    int status = reader->library->avcodec_receive_frame(reader->codec, reader->frame);
    if (status != AVERROR(EAGAIN) || reader->is_drained) return status;
    status = feed(reader);
    if (status < 0) return status;
  }
}

static bool has_format(const media_reader *reader) {
  const AVFrame *frame = reader->frame;
  return frame->sample_rate == reader->rate_hz && frame->ch_layout.nb_channels == reader->channels
    && frame->nb_samples > 0 && frame->format == reader->codec->sample_fmt;
}

static bool reserve(media_reader *reader, int64_t frames) {
  if (frames <= reader->capacity) return true;
  size_t size = (size_t)frames * (size_t)reader->channels * sizeof(float);
  float *samples = realloc(reader->samples, size);
  if (!samples) return false;
  reader->samples = samples;
  reader->capacity = frames;
  return true;
}

// Takes the decoded frame over as interleaved floats, from the wanted place on.
static void take(media_reader *reader) {
  const media_library *library = reader->library;
  AVFrame *frame = reader->frame;
  if (!has_format(reader)) {
    library->av_frame_unref(frame);
    reader->has_ended = true;
    snprintf(
      reader->fault, sizeof reader->fault, "its rate or its channels change within the file");
    return;
  }
  int64_t first = reader->decoded;
  // Only after a change of place: stamps of a damaged file must not shorten or repeat its sound.
  if (reader->wanted > 0 && frame->pts != AV_NOPTS_VALUE) {
    first = in_frames(reader, frame->pts) - reader->origin;
  }
  int64_t count = frame->nb_samples;
  reader->decoded = first + count;
  if (first + count > reader->wanted) {
    if (!reserve(reader, count)) {
      fail(reader, "cannot be read", AVERROR(ENOMEM));
    } else {
      uint8_t *output[] = {(uint8_t *)reader->samples};
      int done = library->swr_convert(
        reader->converter, output, (int)count, (const uint8_t **)frame->extended_data, (int)count);
      reader->start = reader->wanted > first ? reader->wanted - first : 0;
      reader->count = (done > 0 ? done : 0) - reader->start;
      reader->wanted = 0;
    }
  }
  library->av_frame_unref(frame);
}

static void advance(media_reader *reader) {
  int status = decode(reader);
  if (status == AVERROR_EOF) {
    reader->has_ended = true;
  } else if (status < 0) {
    fail(reader, "cannot be decoded", status);
  } else {
    take(reader);
  }
}

int64_t media_reader_read(media_reader *reader, float *interleaved, int64_t frames) {
  int64_t done = 0;
  if (reader->frames >= 0 && frames > reader->frames - reader->position) {
    frames = reader->frames - reader->position;
  }
  const size_t width = (size_t)reader->channels;
  while (done < frames) {
    if (reader->count <= 0) {
      if (reader->has_ended) break;
      advance(reader);
      continue;
    }
    int64_t part = reader->count < frames - done ? reader->count : frames - done;
    memcpy(
      interleaved + (size_t)done * width, reader->samples + (size_t)reader->start * width,
      (size_t)part * width * sizeof(float));
    reader->start += part;
    reader->count -= part;
    done += part;
  }
  reader->position += done > 0 ? done : 0;
  return done > 0 ? done : 0;
}

int media_reader_seek(media_reader *reader, int64_t frame) {
  const media_library *library = reader->library;
  const AVStream *stream = reader->format->streams[reader->index];
  int64_t place = frame + reader->origin - PREROLL;
  // The stream of raw packets begins at its first one; an MPEG-4 file can have packets before frame 0.
  if (reader->is_raw && place < reader->origin) place = reader->origin;
  int64_t stamp =
    library->av_rescale_q(place, (AVRational){1, reader->rate_hz}, stream->time_base);
  if (library->av_seek_frame(reader->format, reader->index, stamp, AVSEEK_FLAG_BACKWARD) < 0) {
    return -1;
  }
  library->avcodec_flush_buffers(reader->codec);
  library->swr_init(reader->converter);
  reader->count = 0;
  reader->is_drained = false;
  reader->has_ended = false;
  reader->fault[0] = 0;
  reader->stream.fault = 0;
  reader->position = frame;
  reader->decoded = 0;
  reader->wanted = frame;
  return 0;
}

const char *media_reader_fault(const media_reader *reader) {
  return reader->fault[0] ? reader->fault : NULL;
}

void media_reader_close(media_reader *reader) {
  const media_library *library = reader->library;
  library->swr_free(&reader->converter);
  library->avcodec_free_context(&reader->codec);
  library->avformat_close_input(&reader->format);
  media_io_free(library, &reader->io);
  library->av_packet_free(&reader->packet);
  library->av_frame_free(&reader->frame);
  free(reader->samples);
  free(reader);
}

// MARK: - Opening

// Counts the packets of a stream of raw AAC by their headers, which say their sizes; -1 where they are too many.
static int64_t count_packets(int descriptor) {
  int64_t packets = 0, offset = 0;
  uint8_t header[7];
  while (pread(descriptor, header, sizeof header, offset) == sizeof header) {
    if (!is_adts(header, sizeof header)) break;
    int64_t size = (header[3] & 3) << 11 | header[4] << 3 | header[5] >> 5;
    if (size < 7) break;
    packets += (header[6] & 3) + 1;
    offset += size;
    // A day of sound at 48 kHz.
    if (packets > 4050000) return -1;
  }
  return packets;
}

static int open_codec(media_reader *reader, char *reason, size_t reason_size) {
  const media_library *library = reader->library;
  const AVStream *stream = reader->format->streams[reader->index];
  enum AVCodecID id = stream->codecpar->codec_id;
  if (id != AV_CODEC_ID_AAC && id != AV_CODEC_ID_ALAC) {
    snprintf(
      reason, reason_size, "contains %s, and can contain AAC or Apple Lossless",
      library->avcodec_get_name(id));
    return -1;
  }
  const AVCodec *codec = library->avcodec_find_decoder(id);
  reader->codec = codec ? library->avcodec_alloc_context3(codec) : NULL;
  if (!reader->codec) {
    snprintf(reason, reason_size, "FFmpeg has no decoder for it");
    return -1;
  }
  int status = library->avcodec_parameters_to_context(reader->codec, stream->codecpar);
  reader->codec->thread_count = 1;
  reader->codec->pkt_timebase = stream->time_base;
  if (status >= 0) status = library->avcodec_open2(reader->codec, codec, NULL);
  // The first frame says what the header may not: the rate after spectral band replication, and the channels.
  if (status >= 0) status = decode(reader);
  if (status < 0) media_explain(library, "cannot be decoded", status, reason, reason_size);
  return status < 0 ? -1 : 0;
}

static int find_stream(media_reader *reader, const char *name, char *reason, size_t reason_size) {
  const media_library *library = reader->library;
  reader->format = library->avformat_alloc_context();
  if (!reader->format || !reader->io) {
    snprintf(reason, reason_size, "there is not enough memory");
    return -1;
  }
  reader->format->pb = reader->io;
  reader->format->max_streams = 64;
  reader->format->probesize = 1 << 20;
  reader->format->max_analyze_duration = 2 * AV_TIME_BASE;
  // A file names no other files.
  reader->format->protocol_whitelist = library->av_strdup("none");
  int status = library->avformat_open_input(
    &reader->format, NULL, library->av_find_input_format(name), NULL);
  if (status >= 0) status = library->avformat_find_stream_info(reader->format, NULL);
  if (status >= 0) {
    status = library->av_find_best_stream(reader->format, AVMEDIA_TYPE_AUDIO, -1, -1, NULL, 0);
  }
  if (status < 0) {
    media_explain(library, "has no sound that can be read", status, reason, reason_size);
    return -1;
  }
  reader->index = status;
  for (unsigned index = 0; index < reader->format->nb_streams; index += 1) {
    if ((int)index != reader->index) reader->format->streams[index]->discard = AVDISCARD_ALL;
  }
  return 0;
}

static int note_format(media_reader *reader, char *reason, size_t reason_size) {
  const media_library *library = reader->library;
  const AVStream *stream = reader->format->streams[reader->index];
  AVFrame *frame = reader->frame;
  reader->rate_hz = frame->sample_rate;
  reader->channels = frame->ch_layout.nb_channels;
  if (reader->rate_hz < 1 || reader->rate_hz > MAXIMUM_RATE || reader->channels < 1
      || reader->channels > MAXIMUM_CHANNELS) {
    snprintf(
      reason, reason_size, "its header says %d channels and %d Hz", reader->channels,
      reader->rate_hz);
    return -1;
  }
  if (frame->pts != AV_NOPTS_VALUE) reader->origin = in_frames(reader, frame->pts);
  if (reader->is_raw) {
    int64_t packets = count_packets(reader->stream.descriptor);
    reader->frames = packets < 0 ? -1 : packets * frame->nb_samples;
  } else if (stream->duration != AV_NOPTS_VALUE && stream->duration > 0) {
    reader->frames = in_frames(reader, stream->duration);
  }
  int status = library->swr_alloc_set_opts2(
    &reader->converter, &frame->ch_layout, AV_SAMPLE_FMT_FLT, reader->rate_hz, &frame->ch_layout,
    reader->codec->sample_fmt, reader->rate_hz, 0, NULL);
  if (status >= 0) status = library->swr_init(reader->converter);
  if (status < 0) media_explain(library, "cannot be converted", status, reason, reason_size);
  return status < 0 ? -1 : 0;
}

int media_reader_open(
  int descriptor, media_info *info, media_reader **result, char *reason, size_t reason_size) {
  const media_library *library = media_load(reason, reason_size);
  if (!library) return -1;
  media_reader *reader = calloc(1, sizeof *reader);
  if (!reader) {
    snprintf(reason, reason_size, "there is not enough memory");
    return -1;
  }
  uint8_t start[12] = {0};
  ssize_t count = pread(descriptor, start, sizeof start, 0);
  reader->library = library;
  reader->stream.descriptor = descriptor;
  reader->is_raw = count > 0 && is_adts(start, (size_t)count);
  reader->frames = -1;
  reader->io = media_io(library, &reader->stream, false);
  reader->packet = library->av_packet_alloc();
  reader->frame = library->av_frame_alloc();
  if (find_stream(reader, reader->is_raw ? "aac" : "mov", reason, reason_size) < 0
      || open_codec(reader, reason, reason_size) < 0
      || note_format(reader, reason, reason_size) < 0) {
    media_reader_close(reader);
    return -1;
  }
  take(reader);
  info->rate_hz = reader->rate_hz;
  info->channels = reader->channels;
  info->frames = reader->frames;
  snprintf(
    info->name, sizeof info->name, "%s, %s", reader->is_raw ? "AAC stream" : "MPEG-4",
    reader->codec->codec_id == AV_CODEC_ID_AAC ? "AAC" : "Apple Lossless");
  *result = reader;
  return 0;
}

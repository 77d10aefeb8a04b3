// SPDX-License-Identifier: MIT
#include "headers.h"
#include "reader.h"

#include <stdio.h>
#include <stdlib.h>

static bool is_allowed(media_kind kind, enum AVCodecID id) {
  switch (kind) {
    case MEDIA_MPEG4: return id == AV_CODEC_ID_AAC || id == AV_CODEC_ID_ALAC;
    case MEDIA_ADTS: return id == AV_CODEC_ID_AAC;
    case MEDIA_MPEG_AUDIO:
      return id == AV_CODEC_ID_MP1 || id == AV_CODEC_ID_MP2 || id == AV_CODEC_ID_MP3;
    case MEDIA_OGG:
      return id == AV_CODEC_ID_VORBIS || id == AV_CODEC_ID_OPUS || id == AV_CODEC_ID_FLAC;
    default: return false;
  }
}

static const char *codec_name(enum AVCodecID id) {
  switch (id) {
    case AV_CODEC_ID_AAC: return "AAC";
    case AV_CODEC_ID_ALAC: return "Apple Lossless";
    case AV_CODEC_ID_MP1: return "Layer I";
    case AV_CODEC_ID_MP2: return "Layer II";
    case AV_CODEC_ID_MP3: return "Layer III (MP3)";
    case AV_CODEC_ID_VORBIS: return "Vorbis";
    case AV_CODEC_ID_OPUS: return "Opus";
    case AV_CODEC_ID_FLAC: return "FLAC";
    default: return "unknown";
  }
}

static const char *kind_name(media_kind kind) {
  switch (kind) {
    case MEDIA_MPEG4: return "MPEG-4";
    case MEDIA_ADTS: return "AAC stream";
    case MEDIA_MPEG_AUDIO: return "MPEG audio";
    default: return "Ogg";
  }
}

static int refuse(const char *text, char *reason, size_t reason_size) {
  snprintf(reason, reason_size, "%s", text);
  return -1;
}

static int open_codec(media_reader *reader, char *reason, size_t reason_size) {
  const media_library *library = reader->library;
  const AVStream *track = media_track(&reader->input);
  enum AVCodecID id = track->codecpar->codec_id;
  if (!is_allowed(reader->kind, id)) {
    snprintf(
      reason, reason_size, "contains %s; %s can contain %s", library->avcodec_get_name(id),
      kind_name(reader->kind),
      reader->kind == MEDIA_OGG ? "Vorbis, Opus or FLAC" : "AAC or Apple Lossless");
    return -1;
  }
  const AVCodec *codec = library->avcodec_find_decoder(id);
  reader->codec = codec ? library->avcodec_alloc_context3(codec) : NULL;
  if (!reader->codec) return refuse("FFmpeg has no decoder for it", reason, reason_size);
  int status = library->avcodec_parameters_to_context(reader->codec, track->codecpar);
  reader->codec->thread_count = 1;
  reader->codec->pkt_timebase = track->time_base;
  // After a change of place FFmpeg estimates time stamps, by which the decoder would leave out other frames than the encoder's.
  if (reader->kind != MEDIA_MPEG4) reader->codec->flags2 |= AV_CODEC_FLAG2_SKIP_MANUAL;
  if (status >= 0) status = library->avcodec_open2(reader->codec, codec, NULL);
  // The first frame says what the header may not: the rate after spectral band replication, and the channels.
  if (status >= 0) status = media_decode(reader);
  if (status < 0) media_explain(library, "cannot be decoded", status, reason, reason_size);
  return status < 0 ? -1 : 0;
}

// The frames of the sound; -1 where they are not known.
static int64_t sound_frames(const media_reader *reader) {
  const media_measure *measure = &reader->measure;
  const AVStream *track = media_track(&reader->input);
  if (measure->is_longer) return -1;
  int64_t frames;
  if (media_has_even_packets(reader->kind)) {
    int64_t padding = measure->padding_end - measure->padding_begin;
    frames = measure->packets * reader->packet_frames - measure->skipped - padding;
  } else if (reader->kind == MEDIA_OGG) {
    frames = measure->frames - measure->skipped;
  } else if (track->duration != AV_NOPTS_VALUE && track->duration > 0) {
    return media_in_frames(reader, track->duration);
  } else {
    return -1;
  }
  return frames > 0 ? frames : 0;
}

static int note_format(
  media_reader *reader, const media_request *request, char *reason, size_t reason_size) {
  AVFrame *frame = reader->frame;
  int channels = frame->ch_layout.nb_channels;
  if (frame->sample_rate < 1 || frame->sample_rate > MEDIA_MAXIMUM_RATE || channels < 1
      || channels > MEDIA_MAXIMUM_CHANNELS) {
    snprintf(
      reason, reason_size, "its header says %d channels and %d Hz", channels, frame->sample_rate);
    return -1;
  }
  reader->rate_hz = request->rate_hz > 0 ? request->rate_hz : frame->sample_rate;
  reader->channels = request->channels > 0 ? request->channels : channels;
  if (reader->rate_hz / MEDIA_MAXIMUM_RATIO > frame->sample_rate
      || frame->sample_rate / MEDIA_MAXIMUM_RATIO > reader->rate_hz) {
    snprintf(
      reason, reason_size, "has %d Hz behind %d Hz, and may differ by a factor of %d",
      frame->sample_rate, reader->rate_hz, MEDIA_MAXIMUM_RATIO);
    return -1;
  }
  int status = media_convert_from(reader, frame);
  if (status < 0) {
    media_explain(reader->library, "cannot be converted", status, reason, reason_size);
    return -1;
  }
  reader->wanted = reader->measure.skipped;
  if (media_has_even_packets(reader->kind)) {
    reader->packet_frames = frame->nb_samples;
    reader->decoded = (reader->packet_number - 1) * reader->packet_frames;
  } else if (reader->kind == MEDIA_MPEG4 && frame->pts != AV_NOPTS_VALUE) {
    reader->origin = media_in_frames(reader, frame->pts);
  }
  int64_t frames = sound_frames(reader);
  // A conversion begins with the first frame, and gives all that begin before the last one ends.
  int64_t rate = reader->rate_hz, decoded = reader->decoded_rate_hz;
  reader->frames = frames < 0 ? -1 : (frames * rate + decoded - 1) / decoded;
  return 0;
}

// Finds the end of the link and the length of its sound; 0 or -1.
static int measure_link(
  media_reader *reader, int descriptor, media_request *link, char *reason, size_t reason_size) {
  if (link->kind == MEDIA_MPEG4) return 0;
  if (link->kind == MEDIA_OGG && link->end == 0) link->end = media_ogg_end(descriptor, link->begin);
  int status = media_measure_link(reader->library, descriptor, link, &reader->measure);
  if (status < 0) {
    media_explain(reader->library, "has no sound that can be read", status, reason, reason_size);
    return -1;
  }
  if (reader->measure.packets == 0) return refuse("has no sound", reason, reason_size);
  return 0;
}

static int open_link(
  media_reader *reader, int descriptor, const media_request *request, media_info *info,
  char *reason, size_t reason_size) {
  const media_library *library = reader->library;
  media_request link = *request;
  int status = measure_link(reader, descriptor, &link, reason, reason_size);
  info->end = link.end > 0 ? link.end : info->end;
  info->is_last = info->end >= media_file_bytes(descriptor);
  if (status < 0) return -1;
  reader->allowance = MEDIA_MAXIMUM_GAP;
  reader->input.stream = media_link_stream(descriptor, &link);
  reader->input.stream.allowance = &reader->allowance;
  reader->packet = library->av_packet_alloc();
  reader->frame = library->av_frame_alloc();
  if (!reader->packet || !reader->frame) {
    return refuse("there is not enough memory", reason, reason_size);
  }
  status = media_input_open(library, &reader->input, reader->kind);
  if (status < 0) {
    media_explain(library, "has no sound that can be read", status, reason, reason_size);
    return -1;
  }
  if (open_codec(reader, reason, reason_size) < 0) return -1;
  return note_format(reader, request, reason, reason_size);
}

int media_reader_open(
  int descriptor, const media_request *request, media_info *info, media_reader **result,
  char *reason, size_t reason_size) {
  info->end = media_file_bytes(descriptor);
  info->is_last = true;
  const media_library *library = media_load(reason, reason_size);
  if (!library) return -1;
  media_reader *reader = calloc(1, sizeof *reader);
  if (!reader) return refuse("there is not enough memory", reason, reason_size);
  reader->library = library;
  reader->kind = request->kind;
  if (open_link(reader, descriptor, request, info, reason, reason_size) < 0) {
    media_reader_close(reader);
    return -1;
  }
  media_take(reader);
  info->rate_hz = reader->rate_hz;
  info->channels = reader->channels;
  info->frames = reader->frames;
  snprintf(
    info->name, sizeof info->name, "%s, %s", kind_name(reader->kind),
    codec_name(reader->codec->codec_id));
  *result = reader;
  return 0;
}

// SPDX-License-Identifier: MIT
#include "headers.h"
#include "reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Gives the decoder a packet. One that it cannot decode is left out, as by the ffmpeg program; 0 or a status of FFmpeg.
static int send(media_reader *reader, AVPacket *packet) {
  int status = reader->library->avcodec_send_packet(reader->codec, packet);
  if (status >= 0 || status == AVERROR(ENOMEM)) return status;
  reader->left_out += 1;
  return 0;
}

// Whether a packet is one of this link's sound.
static bool is_wanted(media_reader *reader) {
  const AVPacket *packet = reader->packet;
  if (packet->stream_index != reader->input.index) return false;
  if (reader->unused_packets > 0) reader->unused_packets -= 1;
  if (!media_has_even_packets(reader->kind)) return true;
  uint32_t form = media_packet_form(reader->kind, packet->data, packet->size);
  if (form == 0 || form != reader->measure.form) return false;
  // Each packet has its place, also one that cannot be decoded.
  reader->decoded = reader->packet_number * reader->packet_frames;
  reader->packet_number += 1;
  return true;
}

// Reads the next packet; 0, AVERROR_EOF, or another status of FFmpeg.
static int read_packet(media_reader *reader) {
  const media_measure *measure = &reader->measure;
  // Behind the last packet of the link another one can begin.
  bool is_last = media_has_even_packets(reader->kind) && !measure->is_longer
    && reader->packet_number >= measure->packets;
  if (is_last) return AVERROR_EOF;
  reader->allowance = MEDIA_MAXIMUM_GAP;
  return reader->library->av_read_frame(reader->input.format, reader->packet);
}

// Gives the decoder the next packet; 0 or a status of FFmpeg.
static int feed(media_reader *reader) {
  const media_library *library = reader->library;
  for (;;) {
    int status = read_packet(reader);
    if (status == AVERROR_EOF) {
      if (reader->input.stream.fault) return AVERROR(reader->input.stream.fault);
      reader->is_drained = true;
      return library->avcodec_send_packet(reader->codec, NULL);
    }
    if (status < 0) return status;
    bool is_sent = is_wanted(reader);
    if (is_sent) status = send(reader, reader->packet);
    library->av_packet_unref(reader->packet);
    if (is_sent) return status;
  }
}

int media_decode(media_reader *reader) {
  for (;;) {
    int status = reader->library->avcodec_receive_frame(reader->codec, reader->frame);
    if (status >= 0 && reader->unused_packets > 0) {
      reader->library->av_frame_unref(reader->frame);
      continue;
    }
    if (status >= 0 || status == AVERROR_EOF || status == AVERROR(ENOMEM)) return status;
    if (status != AVERROR(EAGAIN)) reader->left_out += 1;
    // A decoder that reports a fault while it is drained has nothing more.
    if (reader->is_drained) return AVERROR_EOF;
    status = feed(reader);
    if (status < 0) return status;
  }
}

// MARK: - Conversion

int media_convert_from(media_reader *reader, AVFrame *frame) {
  const media_library *library = reader->library;
  AVChannelLayout given = {0};
  int status = 0;
  if (reader->channels == frame->ch_layout.nb_channels) {
    status = library->av_channel_layout_copy(&given, &frame->ch_layout);
  } else {
    library->av_channel_layout_default(&given, reader->channels);
  }
  library->swr_free(&reader->converter);
  if (status >= 0) {
    status = library->swr_alloc_set_opts2(
      &reader->converter, &given, AV_SAMPLE_FMT_FLT, reader->rate_hz, &frame->ch_layout,
      frame->format, frame->sample_rate, 0, NULL);
  }
  library->av_channel_layout_uninit(&given);
  if (status >= 0) status = library->swr_init(reader->converter);
  reader->decoded_rate_hz = frame->sample_rate;
  reader->decoded_channels = frame->ch_layout.nb_channels;
  reader->decoded_format = frame->format;
  return status;
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

// Converts `count` frames from `from` on; without a frame, the rest that the converter has.
static void convert(media_reader *reader, const AVFrame *frame, int64_t from, int64_t count) {
  const media_library *library = reader->library;
  int64_t room = library->swr_get_out_samples(reader->converter, (int)count);
  reader->start = reader->count = 0;
  if (room <= 0) return;
  if (!reserve(reader, room)) {
    media_fail(reader, "cannot be read", AVERROR(ENOMEM));
    return;
  }
  const uint8_t *planes[MEDIA_MAXIMUM_CHANNELS] = {0};
  if (frame) {
    bool is_planar = library->av_sample_fmt_is_planar(frame->format);
    int channels = frame->ch_layout.nb_channels;
    int64_t width = library->av_get_bytes_per_sample(frame->format) * (is_planar ? 1 : channels);
    for (int plane = 0; plane < (is_planar ? channels : 1); plane += 1) {
      planes[plane] = frame->extended_data[plane] + from * width;
    }
  }
  uint8_t *output[] = {(uint8_t *)reader->samples};
  int done = library->swr_convert(
    reader->converter, output, (int)room, frame ? planes : NULL, (int)count);
  if (done <= 0) return;
  int64_t left_out = reader->surplus < done ? reader->surplus : done;
  reader->surplus -= left_out;
  reader->start = left_out;
  reader->count = done - left_out;
}

// Has the converter fit the decoded frame; whether it does.
static bool fit_converter(media_reader *reader) {
  AVFrame *frame = reader->frame;
  if (frame->sample_rate != reader->decoded_rate_hz) {
    reader->has_ended = true;
    snprintf(reader->fault, sizeof reader->fault, "its rate changes within the file");
    return false;
  }
  if (frame->ch_layout.nb_channels == reader->decoded_channels
      && frame->format == reader->decoded_format) {
    return true;
  }
  bool is_possible = frame->ch_layout.nb_channels >= 1
    && frame->ch_layout.nb_channels <= MEDIA_MAXIMUM_CHANNELS;
  int status = is_possible ? media_convert_from(reader, frame) : AVERROR(EINVAL);
  if (status < 0) media_fail(reader, "its channels change within the file", status);
  return status >= 0;
}

// The frames of the decoded one that are wanted, as a range.
static void find_wanted(const media_reader *reader, int64_t first, int64_t *from, int64_t *to) {
  const media_measure *measure = &reader->measure;
  *from = reader->wanted > first ? reader->wanted - first : 0;
  if (first < measure->padding_end && first + *to > measure->padding_begin) {
    *to = measure->padding_begin > first ? measure->padding_begin - first : 0;
  }
  bool has_end = reader->kind == MEDIA_OGG && !measure->is_longer;
  if (has_end && first + *to > measure->frames) *to = measure->frames - first;
}

void media_take(media_reader *reader) {
  AVFrame *frame = reader->frame;
  if (frame->nb_samples > 0 && fit_converter(reader)) {
    int64_t first = reader->decoded;
    // Only after a change of place: stamps of a damaged file must not shorten or repeat its sound.
    if (reader->kind == MEDIA_MPEG4 && reader->wanted > 0 && frame->pts != AV_NOPTS_VALUE) {
      first = media_in_frames(reader, frame->pts) - reader->origin;
    }
    int64_t from = 0, to = frame->nb_samples;
    reader->decoded = first + frame->nb_samples;
    find_wanted(reader, first, &from, &to);
    if (from < to) {
      convert(reader, frame, from, to - from);
      reader->wanted = 0;
    }
  }
  reader->library->av_frame_unref(frame);
}

void media_take_rest(media_reader *reader) {
  reader->has_ended = true;
  if (reader->rate_hz == reader->decoded_rate_hz) return;
  convert(reader, NULL, 0, 0);
  // Of the last frame, which begins before the end of the sound, the converter gives nothing where it is too near to that.
  int64_t given = reader->start + reader->count;
  if (reader->position + reader->count + 1 != reader->frames || !reserve(reader, given + 1)) return;
  const size_t width = (size_t)reader->channels;
  memset(reader->samples + (size_t)given * width, 0, width * sizeof(float));
  reader->count += 1;
}

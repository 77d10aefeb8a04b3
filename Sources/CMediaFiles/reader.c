// SPDX-License-Identifier: MIT
#include "reader.h"
#include "headers.h"

#include <stdlib.h>
#include <string.h>

// A decoder needs so much before a place to give it exactly. MPEG-4, in frames.
static const int64_t PREROLL = 4096;
// Ogg: the state of Opus fades away within some tenths of a second.
static const int64_t OGG_PREROLL = 24000;
// In packets: MPEG audio has parts of its sound in up to 511 bytes before them.
static const int64_t PREROLL_PACKETS = 32;
// The frames before a place that a conversion to another rate needs.
static const int64_t CONVERTER_PREROLL = 2048;

void media_fail(media_reader *reader, const char *what, int status) {
  reader->has_ended = true;
  media_explain(reader->library, what, status, reader->fault, sizeof reader->fault);
}

static void advance(media_reader *reader) {
  int status = media_decode(reader);
  if (status == AVERROR_EOF) {
    media_take_rest(reader);
  } else if (status < 0) {
    media_fail(reader, "cannot be decoded", status);
  } else {
    media_take(reader);
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

static int64_t greatest_divisor(int64_t one, int64_t other) {
  while (other != 0) {
    int64_t rest = one % other;
    one = other;
    other = rest;
  }
  return one;
}

// The frame of the sound from which on it is to be converted for a frame that is given; `surplus` becomes the frames before that one.
static int64_t source_frame(media_reader *reader, int64_t frame) {
  reader->surplus = 0;
  if (reader->rate_hz == reader->decoded_rate_hz) return frame;
  // Places where a frame of either rate falls on one of the other.
  int64_t divisor = greatest_divisor(reader->rate_hz, reader->decoded_rate_hz);
  int64_t given = reader->rate_hz / divisor, decoded = reader->decoded_rate_hz / divisor;
  int64_t block = frame / given - (CONVERTER_PREROLL + decoded - 1) / decoded;
  if (block < 0) block = 0;
  reader->surplus = frame - block * given;
  return block * decoded;
}

// Goes to a noted place before a frame of the sound; a status of FFmpeg.
static int go_to_place(media_reader *reader, int64_t frame) {
  const media_measure *measure = &reader->measure;
  bool is_even = media_has_even_packets(reader->kind);
  int64_t wanted = frame + measure->skipped;
  if (measure->padding_end > 0 && wanted >= measure->padding_begin) {
    wanted += measure->padding_end - measure->padding_begin;
  }
  int64_t target = is_even ? wanted / reader->packet_frames : wanted;
  // Behind what is measured the way would be long.
  if (target > (is_even ? measure->packets : measure->frames)) return AVERROR(EINVAL);
  target -= is_even ? PREROLL_PACKETS : OGG_PREROLL;
  int64_t low = 0, high = measure->place_count;
  while (high - low > 1) {
    int64_t middle = (low + high) / 2;
    if (measure->places[middle].before <= target) low = middle;
    else high = middle;
  }
  const media_place *place = measure->places + low;
  bool is_vorbis = reader->codec->codec_id == AV_CODEC_ID_VORBIS;
  reader->packet_number = is_even ? place->before : 0;
  reader->decoded = is_even ? 0 : place->before;
  // Counted down by the packets themselves, so that the first one is left out.
  reader->unused_packets = is_vorbis ? 2 : 0;
  reader->wanted = wanted;
  return reader->library->av_seek_frame(
    reader->input.format, reader->input.index, place->byte, AVSEEK_FLAG_BYTE);
}

// The same in MPEG-4, by time stamps.
static int go_by_stamps(media_reader *reader, int64_t frame) {
  const AVStream *track = media_track(&reader->input);
  // There can be packets before frame 0.
  int64_t place = frame + reader->origin - PREROLL;
  int64_t stamp = reader->library->av_rescale_q(
    place, (AVRational){1, reader->decoded_rate_hz}, track->time_base);
  reader->decoded = 0;
  reader->wanted = frame;
  return reader->library->av_seek_frame(
    reader->input.format, reader->input.index, stamp, AVSEEK_FLAG_BACKWARD);
}

int media_reader_seek(media_reader *reader, int64_t frame) {
  // A decoder of AAC makes other noise after each change of place.
  if (frame == reader->position && !reader->has_ended) return 0;
  reader->allowance = MEDIA_MAXIMUM_GAP;
  int64_t source = source_frame(reader, frame);
  bool is_mpeg4 = reader->kind == MEDIA_MPEG4;
  int status = is_mpeg4 ? go_by_stamps(reader, source) : go_to_place(reader, source);
  if (status < 0) return -1;
  reader->library->avcodec_flush_buffers(reader->codec);
  reader->library->swr_init(reader->converter);
  reader->count = 0;
  reader->is_drained = false;
  reader->has_ended = false;
  reader->fault[0] = 0;
  reader->left_out = 0;
  reader->input.stream.fault = 0;
  reader->position = frame;
  return 0;
}

const char *media_reader_fault(const media_reader *reader) {
  return reader->fault[0] ? reader->fault : NULL;
}

int64_t media_reader_left_out(const media_reader *reader) {
  return reader->left_out;
}

void media_reader_close(media_reader *reader) {
  const media_library *library = reader->library;
  library->swr_free(&reader->converter);
  library->avcodec_free_context(&reader->codec);
  media_input_close(library, &reader->input);
  library->av_packet_free(&reader->packet);
  library->av_frame_free(&reader->frame);
  free(reader->measure.places);
  free(reader->samples);
  free(reader);
}

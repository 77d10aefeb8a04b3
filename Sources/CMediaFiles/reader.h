// SPDX-License-Identifier: MIT
#pragma once

#include "measure.h"

enum { MEDIA_MAXIMUM_CHANNELS = 64, MEDIA_MAXIMUM_RATE = 384000 };

/// The largest ratio of two rates of a chain: a converter takes memory in proportion to it.
enum { MEDIA_MAXIMUM_RATIO = 64 };

/// A link that is read. Its frames are counted on three scales: those that the decoder gives, with what encoders have put before and
/// behind the sound; those of the sound, at the rate of the file; and those that are given, at the rate that was asked for.
struct media_reader {
  const media_library *library;
  media_input input;
  media_measure measure;
  AVCodecContext *codec;
  struct SwrContext *converter;
  AVPacket *packet;
  AVFrame *frame;
  media_kind kind;

  // The frames that are given.
  int32_t rate_hz, channels;
  /// -1 where it is not known.
  int64_t frames;
  /// The next frame that is given, and the number of converted ones before it that are not.
  int64_t position, surplus;

  // The frames that are decoded.
  int32_t decoded_rate_hz, decoded_channels;
  enum AVSampleFormat decoded_format;
  /// MPEG audio and AAC streams: the frames of each packet, and the number of the next one.
  int64_t packet_frames, packet_number;
  /// MPEG-4: the time stamp of frame 0 of the sound, in frames.
  int64_t origin;
  /// The next frame that the decoder gives, and the first one that is wanted of it, after a change of place.
  int64_t decoded, wanted;
  /// Ogg: packets whose frames are not used, after a change of place, because the decoder does not know those before them.
  int64_t unused_packets;

  /// Converted frames that are not given yet.
  float *samples;
  int64_t start, count, capacity;
  bool is_drained, has_ended;
  int64_t allowance, left_out;
  char fault[160];
};

/// Whether all packets of a kind have the same number of frames.
static inline bool media_has_even_packets(media_kind kind) {
  return kind == MEDIA_ADTS || kind == MEDIA_MPEG_AUDIO;
}

/// A time stamp of the file in decoded frames.
static inline int64_t media_in_frames(const media_reader *reader, int64_t stamp) {
  return reader->library->av_rescale_q(
    stamp, media_track(&reader->input)->time_base, (AVRational){1, reader->decoded_rate_hz});
}

/// Decodes the next frame into `frame`; 0, AVERROR_EOF, or another status of FFmpeg.
int media_decode(media_reader *reader);

/// Makes the converter from the form of a decoded frame to what is given; 0 or a status of FFmpeg.
int media_convert_from(media_reader *reader, AVFrame *frame);

/// Converts the decoded frame into `samples`, without what is not wanted of it.
void media_take(media_reader *reader);

/// Converts what is left at the end of the link into `samples`.
void media_take_rest(media_reader *reader);

/// Ends reading with a fault.
void media_fail(media_reader *reader, const char *what, int status);

// SPDX-License-Identifier: MIT
#pragma once

#include "library.h"

/// A place of a link from which on it can be decoded.
typedef struct media_place {
  /// The byte in the link.
  int64_t byte;
  /// MPEG audio and streams of AAC: the packets before it. Ogg: the frames that are decoded before its first packet, and of Vorbis those
  /// before its second one, because the first one only prepares that.
  int64_t before;
} media_place;

/// The length and the places of a link, found by its packets: headers estimate, are wrong, or say nothing.
typedef struct media_measure {
  int64_t packets;
  /// In ascending order; the first one is the beginning.
  media_place *places;
  int64_t place_count, capacity;
  /// The common part of the headers of MPEG audio and AAC (`media_packet_form`): packets with another one are not of this link.
  uint32_t form;
  /// The decoded frames that the encoder has put before the sound; and those behind it, from `padding_begin` to `padding_end`, of MPEG
  /// audio, where more sound can follow.
  int64_t skipped, padding_begin, padding_end;
  /// Ogg: the decoded frames without those behind the sound.
  int64_t frames;
  /// Whether there is more of it than is counted.
  bool is_longer;
} media_measure;

/// The part of a packet's header that stays the same throughout a link; 0 for data that are no packet.
uint32_t media_packet_form(media_kind kind, const uint8_t *data, int size);

/// The bytes that are read of a link.
media_stream media_link_stream(int descriptor, const media_request *link);

/// Reads through the packets of a link.
///
/// @param link Its kind and its bytes; `end` becomes the place where a next link begins.
/// @return 0 or a status of FFmpeg; `measure` is to be freed in both cases.
int media_measure_link(
  const media_library *library, int descriptor, media_request *link, media_measure *measure);

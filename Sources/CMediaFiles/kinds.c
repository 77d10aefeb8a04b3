// SPDX-License-Identifier: MIT
#include "headers.h"
#include "media_files.h"

#include <string.h>
#include <unistd.h>

// Where a stream was cut out of a longer one, its first whole frame begins within so many bytes.
static const int64_t SEARCHED_BYTES = 65536;
// A sync word is 11 bits, and found in any data: so many frames in a row are not.
static const int ROW = 4;
static const int MAXIMUM_TAGS = 16;

bool media_is_mpeg_header(const uint8_t *header) {
  // Sync word, version, layer, bit rate and sample rate; without a bit rate the format is free, which FFmpeg does not decode.
  int bit_rate = header[2] >> 4;
  return header[0] == 0xFF && (header[1] & 0xE0) == 0xE0 && (header[1] & 0x18) != 0x08
    && (header[1] & 0x06) != 0 && bit_rate > 0 && bit_rate < 15 && (header[2] & 0x0C) != 0x0C;
}

bool media_is_adts_header(const uint8_t *header) {
  // Sync word, layer 0, and a sample rate that exists.
  return header[0] == 0xFF && (header[1] & 0xF6) == 0xF0 && ((header[2] >> 2) & 0xF) < 13;
}

static int mpeg_frame_bytes(const uint8_t *header) {
  // In units of 1,000 bits a second: version 1 with layers I, II and III, then the others with layer I, and with II and III.
  static const int16_t RATES[5][15] = {
    {0, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448},
    {0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384},
    {0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320},
    {0, 32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256},
    {0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160},
  };
  static const int SAMPLE_RATES[] = {44100, 48000, 32000};
  bool is_version1 = (header[1] & 0x18) == 0x18;
  int halvings = is_version1 ? 0 : (header[1] & 0x18) == 0x10 ? 1 : 2;
  int layer = 4 - ((header[1] >> 1) & 3);
  int row = is_version1 ? layer - 1 : layer == 1 ? 3 : 4;
  int bits = RATES[row][header[2] >> 4] * 1000;
  int rate = SAMPLE_RATES[(header[2] >> 2) & 3] >> halvings;
  int padding = (header[2] >> 1) & 1;
  if (layer == 1) return (12 * bits / rate + padding) * 4;
  return (layer == 3 && !is_version1 ? 72 : 144) * bits / rate + padding;
}

static int adts_frame_bytes(const uint8_t *header) {
  return (header[3] & 3) << 11 | header[4] << 3 | header[5] >> 5;
}

static media_kind kind_of_header(const uint8_t *header) {
  if (media_is_adts_header(header)) return MEDIA_ADTS;
  return media_is_mpeg_header(header) ? MEDIA_MPEG_AUDIO : MEDIA_NONE;
}

bool media_has_row(int descriptor, int64_t place, media_kind kind) {
  uint8_t first[6], header[6];
  for (int count = 0; count < ROW; count += 1) {
    if (pread(descriptor, header, sizeof header, place) != sizeof header) return false;
    if (count == 0) memcpy(first, header, sizeof header);
    if (kind_of_header(header) != kind || header[1] != first[1]
        || (header[2] & 0x0C) != (first[2] & 0x0C)) {
      return false;
    }
    int bytes = kind == MEDIA_ADTS ? adts_frame_bytes(header) : mpeg_frame_bytes(header);
    if (bytes < 7) return false;
    place += bytes;
  }
  return true;
}

static media_kind search(int descriptor, int64_t *begin) {
  uint8_t bytes[4096];
  const int64_t from = *begin;
  for (int64_t base = from; base < from + SEARCHED_BYTES; base += (int64_t)sizeof bytes - 3) {
    ssize_t count = pread(descriptor, bytes, sizeof bytes, base);
    for (ssize_t index = 0; index + 4 <= count; index += 1) {
      media_kind kind = kind_of_header(bytes + index);
      if (kind == MEDIA_NONE || !media_has_row(descriptor, base + index, kind)) continue;
      *begin = base + index;
      return kind;
    }
    if (count < (ssize_t)sizeof bytes) break;
  }
  return MEDIA_NONE;
}

// The size of an ID3 tag of version 2 with its header; 0 where there is none.
static int64_t tag_bytes(const uint8_t *start, ssize_t count) {
  if (count < 10 || memcmp(start, "ID3", 3) != 0) return 0;
  int64_t size = 0;
  for (int index = 6; index < 10; index += 1) {
    if (start[index] & 0x80) return 0;
    size = size << 7 | start[index];
  }
  return size + ((start[5] & 0x10) ? 20 : 10);
}

static media_kind kind_of_ogg(int descriptor) {
  // The first page has one packet, behind its header and the table of its sizes.
  uint8_t page[28 + 255 + 7] = {0};
  ssize_t count = pread(descriptor, page, sizeof page, 0);
  const uint8_t *packet = page + 27 + page[26];
  bool is_vorbis = count >= packet - page + 7 && memcmp(packet, "\x01vorbis", 7) == 0;
  // libsndfile reads one link.
  if (is_vorbis && media_ogg_end(descriptor, 0) == media_file_bytes(descriptor)) return MEDIA_NONE;
  return MEDIA_OGG;
}

// Whether a file is a WAV with MPEG audio in it, of which libsndfile estimates the length.
static bool is_wave_with_mpeg(const uint8_t *start, ssize_t count) {
  if (count < 22 || memcmp(start, "RIFF", 4) != 0) return false;
  return memcmp(start + 8, "WAVEfmt ", 8) == 0 && (start[20] == 0x50 || start[20] == 0x55)
    && start[21] == 0;
}

media_kind media_find_kind(int descriptor, bool searches, int64_t *begin) {
  uint8_t start[22] = {0};
  *begin = 0;
  ssize_t count = pread(descriptor, start, sizeof start, 0);
  if (count >= 12 && memcmp(start + 4, "ftyp", 4) == 0) return MEDIA_MPEG4;
  if (count >= 4 && memcmp(start, "OggS", 4) == 0) return kind_of_ogg(descriptor);
  if (is_wave_with_mpeg(start, count)) return search(descriptor, begin);
  // Behind the tags, which can contain pictures of many megabytes that nobody here looks at.
  for (int tags = 0; tags < MAXIMUM_TAGS; tags += 1) {
    int64_t size = tag_bytes(start, count);
    if (size == 0) break;
    *begin += size;
    count = pread(descriptor, start, sizeof start, *begin);
  }
  media_kind kind = count >= 7 ? kind_of_header(start) : MEDIA_NONE;
  bool is_flac = count >= 4 && memcmp(start, "fLaC", 4) == 0;
  if (kind != MEDIA_NONE || is_flac) return kind;
  return searches || *begin > 0 ? search(descriptor, begin) : MEDIA_NONE;
}

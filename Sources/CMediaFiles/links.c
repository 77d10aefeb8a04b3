// SPDX-License-Identifier: MIT
#include "headers.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PAGE_HEADER = 27, BEGINS_STREAM = 2 };

int64_t media_file_bytes(int descriptor) {
  struct stat facts;
  return fstat(descriptor, &facts) == 0 ? facts.st_size : 0;
}

static bool is_page(const uint8_t *bytes) {
  return memcmp(bytes, "OggS", 4) == 0 && bytes[4] == 0;
}

// The next page from a place in damaged data on; -1 without one.
static int64_t next_page(int descriptor, int64_t place) {
  static const size_t overlap = 4;
  uint8_t bytes[32768];
  const int64_t last = place + MEDIA_MAXIMUM_GAP;
  while (place < last) {
    ssize_t count = pread(descriptor, bytes, sizeof bytes, place);
    for (ssize_t index = 0; index + (ssize_t)overlap < count; index += 1) {
      if (is_page(bytes + index)) return place + index;
    }
    if (count < (ssize_t)sizeof bytes) return -1;
    place += (int64_t)(sizeof bytes - overlap);
  }
  return -1;
}

int64_t media_ogg_end(int descriptor, int64_t begin) {
  uint8_t header[PAGE_HEADER + 255];
  bool has_data = false;
  int64_t place = begin;
  for (;;) {
    ssize_t count = pread(descriptor, header, sizeof header, place);
    if (count < PAGE_HEADER) break;
    if (!is_page(header)) {
      place = next_page(descriptor, place);
      if (place < 0) break;
      continue;
    }
    // The streams of one link begin together, before all data.
    bool begins = header[5] & BEGINS_STREAM;
    if (begins && has_data) return place;
    has_data = has_data || !begins;
    int64_t size = PAGE_HEADER + header[26];
    for (int index = 0; index < header[26]; index += 1) {
      if (PAGE_HEADER + index < count) size += header[PAGE_HEADER + index];
    }
    place += size;
  }
  return media_file_bytes(descriptor);
}

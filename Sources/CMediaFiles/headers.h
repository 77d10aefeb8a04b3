// SPDX-License-Identifier: MIT
#pragma once

#include "media_files.h"

#include <stdbool.h>
#include <stdint.h>

/// The bytes of data between two packets or pages that are passed over; behind more, a file counts as ended. Without a limit a file with
/// a hole of terabytes would be read for hours.
#define MEDIA_MAXIMUM_GAP (INT64_C(64) << 20)

/// Whether four bytes are the header of a frame of MPEG audio that FFmpeg decodes.
bool media_is_mpeg_header(const uint8_t *header);

/// Whether three bytes begin a packet of a stream of AAC.
bool media_is_adts_header(const uint8_t *header);

/// Whether several frames of one kind, layer and rate follow each other from a byte of a file on: single headers are found in any data.
bool media_has_row(int descriptor, int64_t place, media_kind kind);

/// The length of a file in bytes; 0 where the system does not say.
int64_t media_file_bytes(int descriptor);

/// Finds the end of an Ogg link by the headers of its pages: the byte at which the next link begins, or the end of the file.
int64_t media_ogg_end(int descriptor, int64_t begin);

// SPDX-License-Identifier: MIT
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// AAC and Apple Lossless with FFmpeg's libraries, which are loaded when the first such file is opened: a program that opens none
// needs none, and does not wait for them. Nothing here is for the audio thread; one thread at a time per object.

/// A file that is read.
typedef struct media_reader media_reader;

/// A file that is written.
typedef struct media_writer media_writer;

/// The facts of a file.
typedef struct media_info {
  int32_t rate_hz;
  int32_t channels;
  /// -1 where the file does not say.
  int64_t frames;
  /// The format as text.
  char name[96];
} media_info;

/// Whether a file that begins so is one for `media_reader_open`: MPEG-4 or raw AAC.
bool media_is_known(const uint8_t *start, size_t count);

/// Opens a file through its descriptor, which stays the caller's and must stay open.
///
/// 0, or -1 with the reason.
int media_reader_open(
  int descriptor, media_info *info, media_reader **reader, char *reason, size_t reason_size);

/// Reads interleaved frames; fewer than asked for only at the end, or where the file is damaged.
int64_t media_reader_read(media_reader *reader, float *interleaved, int64_t frames);

/// Goes to a frame, exactly; 0 or -1.
int media_reader_seek(media_reader *reader, int64_t frame);

/// The damage that ended reading; NULL for none.
const char *media_reader_fault(const media_reader *reader);

/// Frees the reader.
void media_reader_close(media_reader *reader);

/// Begins an AAC file in an empty file that the descriptor has open; it stays the caller's.
///
/// As MPEG-4, the file consists of fragments of a second, and plays up to the last one if the process is killed. Without
/// `is_mpeg4` it is a stream of AAC packets. 0, or -1 with the reason.
int media_writer_open(
  int descriptor, bool is_mpeg4, int32_t rate_hz, int32_t channels, int64_t bits_per_second,
  media_writer **writer, char *reason, size_t reason_size);

/// Writes interleaved frames; 0, or an errno value.
int media_writer_write(media_writer *writer, const float *interleaved, int64_t frames);

/// Writes the rest and frees the writer; 0, or an errno value.
int media_writer_close(media_writer *writer);

/// Copies an MPEG-4 file of fragments into an empty file as one piece, which all programs can position in, and which has exactly
/// the `frames` that were written.
///
/// 0, or an errno value.
int media_defragment(int from, int to, int64_t frames);

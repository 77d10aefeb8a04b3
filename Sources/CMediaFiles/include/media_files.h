// SPDX-License-Identifier: MIT
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The formats that libsndfile cannot read whole, and AAC that is written, with FFmpeg's libraries. They are loaded when the first such
// file is opened: a program that opens none needs none, and does not wait for them. Nothing here is for the audio thread; one
// thread at a time per object.

/// A file that is read.
typedef struct media_reader media_reader;

/// A file that is written.
typedef struct media_writer media_writer;

/// The kinds of file that are read here.
typedef enum media_kind {
  /// A file for libsndfile, or none of sound.
  MEDIA_NONE,
  /// MPEG-4 with AAC or Apple Lossless.
  MEDIA_MPEG4,
  /// A stream of AAC packets.
  MEDIA_ADTS,
  /// MP3, and its older layers I and II.
  MEDIA_MPEG_AUDIO,
  /// Ogg with FLAC or Opus, and each chain of Ogg files.
  MEDIA_OGG,
} media_kind;

/// The part of a file to read: files that were joined are links of a chain, and each is read on its own.
typedef struct media_request {
  media_kind kind;
  /// The bytes of the link; an `end` of 0 has it looked for.
  int64_t begin, end;
  /// The sample rate to give, and the number of channels; 0 for the link's own.
  int32_t rate_hz, channels;
} media_request;

/// The facts of a link.
typedef struct media_info {
  int32_t rate_hz;
  int32_t channels;
  /// Frames at `rate_hz`; -1 where they are not known.
  int64_t frames;
  /// The byte after the link, and whether the file ends with it; also of a link that cannot be opened.
  int64_t end;
  bool is_last;
  /// The format as text.
  char name[96];
} media_info;

/// Finds the kind of a file by its first bytes, and the first byte behind its tags, in `begin`.
///
/// @param searches Whether the file need not begin with its sound: for one that libsndfile has refused.
/// @return The kind; the file's length where it ends is looked for by the reader.
media_kind media_find_kind(int descriptor, bool searches, int64_t *begin);

/// Opens a link through the descriptor of its file, which stays the caller's and must stay open.
///
/// It reads the whole link, except of MPEG-4, because only its packets tell its length. 0, or -1 with the reason.
int media_reader_open(
  int descriptor, const media_request *request, media_info *info, media_reader **reader,
  char *reason, size_t reason_size);

/// Reads interleaved frames; fewer than asked for only at the end, or where the file is damaged.
int64_t media_reader_read(media_reader *reader, float *interleaved, int64_t frames);

/// Goes to a frame, exactly; 0 or -1.
int media_reader_seek(media_reader *reader, int64_t frame);

/// The damage that ended reading; NULL for none.
const char *media_reader_fault(const media_reader *reader);

/// The number of packets that could not be decoded since the last change of place, and that the sound lacks.
int64_t media_reader_left_out(const media_reader *reader);

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

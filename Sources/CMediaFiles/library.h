// SPDX-License-Identifier: MIT
#pragma once

#include "media_files.h"

#include <libavcodec/avcodec.h>
#include <libavcodec/vorbis_parser.h>
#include <libavformat/avformat.h>
#include <libavutil/channel_layout.h>
#include <libavutil/opt.h>
#include <libswresample/swresample.h>
#include <stdbool.h>

// The functions that are used, each with its library.
#define MEDIA_FUNCTIONS(use)                                                                       \
  use(util, av_log_set_level) use(util, av_strerror) use(util, av_malloc) use(util, av_freep)      \
  use(util, av_frame_alloc) use(util, av_frame_free) use(util, av_frame_unref)                     \
  use(util, av_frame_get_buffer) use(util, av_frame_make_writable) use(util, av_dict_set) use(util, av_dict_set_int)          \
  use(util, av_dict_free) use(util, av_rescale_q) use(util, av_channel_layout_default)             \
  use(util, av_channel_layout_uninit) use(util, av_sample_fmt_is_planar)                           \
  use(util, av_get_bytes_per_sample)                                                               \
  use(util, av_channel_layout_copy) use(util, av_strdup)                                           \
  use(codec, avcodec_find_decoder) use(codec, avcodec_find_encoder_by_name)                        \
  use(codec, avcodec_get_name) use(codec, avcodec_alloc_context3) use(codec, avcodec_free_context) \
  use(codec, avcodec_parameters_to_context) use(codec, avcodec_parameters_from_context)            \
  use(codec, avcodec_parameters_copy) use(codec, avcodec_open2) use(codec, avcodec_send_packet)    \
  use(codec, avcodec_receive_frame) use(codec, avcodec_send_frame)                                 \
  use(codec, avcodec_receive_packet) use(codec, avcodec_flush_buffers)                             \
  use(codec, av_packet_alloc) use(codec, av_packet_free) use(codec, av_packet_unref)               \
  use(codec, av_packet_rescale_ts) use(codec, av_packet_get_side_data)                             \
  use(codec, av_vorbis_parse_init) use(codec, av_vorbis_parse_frame)                               \
  use(codec, av_vorbis_parse_free)                                                                 \
  use(format, av_find_input_format) use(format, avformat_alloc_context)                            \
  use(format, avformat_open_input) use(format, avformat_close_input)                               \
  use(format, avformat_find_stream_info) use(format, av_find_best_stream)                          \
  use(format, av_read_frame) use(format, av_seek_frame) use(format, avio_alloc_context)            \
  use(format, avio_context_free) use(format, avio_flush) use(format, avformat_free_context)        \
  use(format, avformat_alloc_output_context2) use(format, avformat_new_stream)                     \
  use(format, avformat_write_header) use(format, av_interleaved_write_frame)                       \
  use(format, av_write_frame) use(format, av_write_trailer)                                        \
  use(resample, swr_alloc_set_opts2) use(resample, swr_init) use(resample, swr_convert)            \
  use(resample, swr_free) use(resample, swr_get_out_samples)

/// FFmpeg's functions.
typedef struct media_library {
#define MEDIA_MEMBER(library, function) __typeof__(function) *function;
  MEDIA_FUNCTIONS(MEDIA_MEMBER)
#undef MEDIA_MEMBER
} media_library;

/// The library, loaded at the first call; NULL with the reason where it is not there.
const media_library *media_load(char *reason, size_t reason_size);

/// A file, or a part of one, by its descriptor, with a position of its own.
typedef struct media_stream {
  int descriptor;
  /// The part, in bytes of the file; an `end` of 0 is the file's.
  int64_t begin, end;
  /// In bytes of the part.
  int64_t position;
  /// The bytes that may still be read, where they are counted; behind them the part counts as ended.
  int64_t *allowance;
  /// The errno value of the first fault, 0 for none.
  int fault;
} media_stream;

/// The input or output of a file for FFmpeg; NULL without memory.
AVIOContext *media_io(const media_library *library, media_stream *stream, bool is_writable);

/// Frees what `media_io` made.
void media_io_free(const media_library *library, AVIOContext **io);

/// Describes a fault of FFmpeg.
void media_explain(
  const media_library *library, const char *what, int status, char *reason, size_t reason_size);

/// The demuxer's view of a link.
typedef struct media_input {
  media_stream stream;
  AVIOContext *io;
  AVFormatContext *format;
  /// The stream of sound.
  int index;
} media_input;

/// Opens a link whose `stream` is set; 0 or a status of FFmpeg. It stays where it is until `media_input_close`, also where this fails.
int media_input_open(const media_library *library, media_input *input, media_kind kind);

/// Closes the link.
void media_input_close(const media_library *library, media_input *input);

/// The stream of sound of an open link.
static inline AVStream *media_track(const media_input *input) {
  return input->format->streams[input->index];
}

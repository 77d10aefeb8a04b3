// SPDX-License-Identifier: MIT
#include "library.h"
#include "media_files.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The frames of a packet, and those that the encoder puts before the sound.
static const int64_t PACKET = 1024, PRIMING = 1024;

struct media_writer {
  const media_library *library;
  media_stream stream;
  AVIOContext *io;
  AVFormatContext *format;
  AVCodecContext *codec;
  AVStream *track;
  AVPacket *packet;
  AVFrame *frame;
  /// The frames in `frame`.
  int filled;
  int64_t written;
  bool has_header;
};

static void free_writer(media_writer *writer) {
  const media_library *library = writer->library;
  library->avcodec_free_context(&writer->codec);
  if (writer->format) library->avformat_free_context(writer->format);
  media_io_free(library, &writer->io);
  library->av_packet_free(&writer->packet);
  library->av_frame_free(&writer->frame);
  free(writer);
}

static int fault_of(const media_writer *writer, int status) {
  if (status >= 0) return 0;
  if (writer->stream.fault) return writer->stream.fault;
  return status == AVERROR(ENOMEM) ? ENOMEM : EIO;
}

static int open_encoder(media_writer *writer, int32_t rate_hz, int32_t channels, int64_t bits) {
  const media_library *library = writer->library;
  const AVCodec *codec = library->avcodec_find_encoder_by_name("aac");
  writer->codec = codec ? library->avcodec_alloc_context3(codec) : NULL;
  if (!writer->codec) return AVERROR_ENCODER_NOT_FOUND;
  writer->codec->sample_fmt = AV_SAMPLE_FMT_FLTP;
  writer->codec->sample_rate = rate_hz;
  writer->codec->bit_rate = bits;
  writer->codec->time_base = (AVRational){1, rate_hz};
  library->av_channel_layout_default(&writer->codec->ch_layout, channels);
  if (writer->format->oformat->flags & AVFMT_GLOBALHEADER) {
    writer->codec->flags |= AV_CODEC_FLAG_GLOBAL_HEADER;
  }
  int status = library->avcodec_open2(writer->codec, codec, NULL);
  if (status < 0) return status;
  writer->frame->format = AV_SAMPLE_FMT_FLTP;
  writer->frame->sample_rate = rate_hz;
  writer->frame->nb_samples = writer->codec->frame_size;
  library->av_channel_layout_copy(&writer->frame->ch_layout, &writer->codec->ch_layout);
  return library->av_frame_get_buffer(writer->frame, 0);
}

static int begin_file(media_writer *writer, bool is_mpeg4) {
  const media_library *library = writer->library;
  writer->track = library->avformat_new_stream(writer->format, NULL);
  if (!writer->track) return AVERROR(ENOMEM);
  writer->track->time_base = writer->codec->time_base;
  int status = library->avcodec_parameters_from_context(writer->track->codecpar, writer->codec);
  AVDictionary *options = NULL;
  if (is_mpeg4) {
    library->av_dict_set(&options, "movflags", "empty_moov+delay_moov+default_base_moof", 0);
    // A second of sound, in microseconds.
    library->av_dict_set(&options, "frag_duration", "1000000", 0);
  }
  if (status >= 0) status = library->avformat_write_header(writer->format, &options);
  library->av_dict_free(&options);
  writer->has_header = status >= 0;
  return status;
}

int media_writer_open(
  int descriptor, bool is_mpeg4, int32_t rate_hz, int32_t channels, int64_t bits_per_second,
  media_writer **result, char *reason, size_t reason_size) {
  const media_library *library = media_load(reason, reason_size);
  if (!library) return -1;
  media_writer *writer = calloc(1, sizeof *writer);
  if (!writer) {
    snprintf(reason, reason_size, "there is not enough memory");
    return -1;
  }
  writer->library = library;
  writer->stream.descriptor = descriptor;
  writer->io = media_io(library, &writer->stream, true);
  writer->packet = library->av_packet_alloc();
  writer->frame = library->av_frame_alloc();
  int status = writer->io && writer->packet && writer->frame ? 0 : AVERROR(ENOMEM);
  if (status >= 0) {
    status = library->avformat_alloc_output_context2(
      &writer->format, NULL, is_mpeg4 ? "ipod" : "adts", NULL);
  }
  if (status >= 0) {
    writer->format->pb = writer->io;
    status = open_encoder(writer, rate_hz, channels, bits_per_second);
  }
  if (status >= 0) status = begin_file(writer, is_mpeg4);
  if (status < 0) {
    media_explain(library, "cannot be encoded", status, reason, reason_size);
    free_writer(writer);
    return -1;
  }
  *result = writer;
  return 0;
}

// Gives the encoder a frame, NULL at the end, and writes the packets that it has ready.
static int encode(media_writer *writer, AVFrame *frame) {
  const media_library *library = writer->library;
  int status = library->avcodec_send_frame(writer->codec, frame);
  while (status >= 0) {
    status = library->avcodec_receive_packet(writer->codec, writer->packet);
    if (status == AVERROR(EAGAIN) || status == AVERROR_EOF) return 0;
    if (status < 0) break;
    library->av_packet_rescale_ts(
      writer->packet, writer->codec->time_base, writer->track->time_base);
    writer->packet->stream_index = writer->track->index;
    status = library->av_write_frame(writer->format, writer->packet);
    library->av_packet_unref(writer->packet);
  }
  return status;
}

static int send_frame(media_writer *writer) {
  writer->frame->nb_samples = writer->filled;
  writer->frame->pts = writer->written;
  writer->written += writer->filled;
  writer->filled = 0;
  int status = encode(writer, writer->frame);
  writer->frame->nb_samples = writer->codec->frame_size;
  if (status >= 0) status = writer->library->av_frame_make_writable(writer->frame);
  return status;
}

int media_writer_write(media_writer *writer, const float *interleaved, int64_t frames) {
  const int channels = writer->codec->ch_layout.nb_channels;
  int status = 0;
  for (int64_t frame = 0; frame < frames && status >= 0; frame += 1) {
    for (int channel = 0; channel < channels; channel += 1) {
      float *plane = (float *)writer->frame->extended_data[channel];
      plane[writer->filled] = interleaved[frame * channels + channel];
    }
    writer->filled += 1;
    if (writer->filled == writer->codec->frame_size) status = send_frame(writer);
  }
  // Finished fragments are in the file from now on, whatever happens to the process.
  writer->library->avio_flush(writer->io);
  return fault_of(writer, writer->io->error < 0 ? writer->io->error : status);
}

int media_writer_close(media_writer *writer) {
  int status = writer->filled > 0 ? send_frame(writer) : 0;
  if (status >= 0) status = encode(writer, NULL);
  int trailer = writer->library->av_write_trailer(writer->format);
  writer->library->avio_flush(writer->io);
  if (status >= 0) status = trailer;
  int fault = fault_of(writer, writer->io->error < 0 ? writer->io->error : status);
  free_writer(writer);
  return fault;
}

// MARK: - From fragments to one piece

// Copies the packets with the time stamps that the encoder gave them; `frames` is the length of the sound.
static int copy_packets(
  const media_library *library, AVFormatContext *input, AVFormatContext *output, int64_t frames) {
  AVPacket *packet = library->av_packet_alloc();
  if (!packet) return AVERROR(ENOMEM);
  int64_t place = -PRIMING;
  int status = 0;
  for (;;) {
    status = library->av_read_frame(input, packet);
    if (status < 0) break;
    int64_t left = frames - place;
    packet->pts = packet->dts = place;
    packet->duration = left < PACKET ? (left > 0 ? left : 1) : PACKET;
    packet->pos = -1;
    place += PACKET;
    library->av_packet_rescale_ts(
      packet, (AVRational){1, input->streams[0]->codecpar->sample_rate},
      output->streams[0]->time_base);
    status = library->av_write_frame(output, packet);
    library->av_packet_unref(packet);
    if (status < 0) break;
  }
  library->av_packet_free(&packet);
  return status == AVERROR_EOF ? 0 : status;
}

static int copy_track(
  const media_library *library, AVFormatContext *input, AVFormatContext *output, int64_t frames) {
  AVStream *track = library->avformat_new_stream(output, NULL);
  if (!track || input->nb_streams != 1) return AVERROR(EINVAL);
  int status = library->avcodec_parameters_copy(track->codecpar, input->streams[0]->codecpar);
  track->codecpar->codec_tag = 0;
  track->codecpar->initial_padding = PRIMING;
  track->time_base = input->streams[0]->time_base;
  // The edit list has the length in units of the movie, which are milliseconds otherwise.
  AVDictionary *options = NULL;
  library->av_dict_set_int(&options, "movie_timescale", track->codecpar->sample_rate, 0);
  if (status >= 0) status = library->avformat_write_header(output, &options);
  library->av_dict_free(&options);
  if (status < 0) return status;
  status = copy_packets(library, input, output, frames);
  int trailer = library->av_write_trailer(output);
  return status < 0 ? status : trailer;
}

int media_defragment(int from, int to, int64_t frames) {
  char reason[1];
  const media_library *library = media_load(reason, sizeof reason);
  if (!library) return ENOENT;
  media_stream source = {.descriptor = from}, target = {.descriptor = to};
  AVIOContext *in = media_io(library, &source, false);
  AVIOContext *out = media_io(library, &target, true);
  AVFormatContext *input = library->avformat_alloc_context(), *output = NULL;
  int status = in && out && input ? 0 : AVERROR(ENOMEM);
  if (status >= 0) {
    input->pb = in;
    status =
      library->avformat_open_input(&input, NULL, library->av_find_input_format("mov"), NULL);
  }
  if (status >= 0) status = library->avformat_find_stream_info(input, NULL);
  if (status >= 0) status = library->avformat_alloc_output_context2(&output, NULL, "ipod", NULL);
  if (status >= 0) {
    output->pb = out;
    status = copy_track(library, input, output, frames);
    library->avio_flush(out);
    if (status >= 0 && out->error < 0) status = out->error;
  }
  library->avformat_close_input(&input);
  if (output) library->avformat_free_context(output);
  media_io_free(library, &in);
  media_io_free(library, &out);
  if (status >= 0) return 0;
  return target.fault ? target.fault : source.fault ? source.fault : EIO;
}

// SPDX-License-Identifier: MIT
#include "measure.h"
#include "headers.h"

#include <stdlib.h>

// A day of sound in packets of 1,024 frames at 48 kHz; of Ogg, in packets of 20 ms.
static const int64_t MAXIMUM_PACKETS = 4050000;
// Packets from one noted place to the next: so many more are decoded than a change of place needs.
static const int64_t PLACE_PACKETS = 64;

uint32_t media_packet_form(media_kind kind, const uint8_t *data, int size) {
  if (size < (kind == MEDIA_ADTS ? 7 : 4)) return 0;
  // Version, layer, sample rate, and the channels: one or two of MPEG audio, any number of AAC.
  uint32_t form = 1u << 31 | (uint32_t)(data[1] & 0x1E) << 16;
  if (kind == MEDIA_ADTS) {
    uint32_t rest = (uint32_t)(data[2] & 0x3D) << 8 | (data[3] & 0xC0);
    return media_is_adts_header(data) ? form | rest : 0;
  }
  uint32_t rest = (uint32_t)(data[2] & 0x0C) << 8 | ((data[3] & 0xC0) == 0xC0);
  return media_is_mpeg_header(data) ? form | rest : 0;
}

static int add_place(media_measure *measure, int64_t byte, int64_t before) {
  if (measure->place_count == measure->capacity) {
    int64_t capacity = measure->capacity > 0 ? 2 * measure->capacity : 64;
    media_place *places = realloc(measure->places, (size_t)capacity * sizeof *places);
    if (!places) return AVERROR(ENOMEM);
    measure->places = places;
    measure->capacity = capacity;
  }
  measure->places[measure->place_count] = (media_place){byte, before};
  measure->place_count += 1;
  return 0;
}

// The frames that do not belong to the sound, at the beginning of a packet and at its end.
typedef struct padding {
  uint32_t before, behind;
} padding;

static uint32_t number(const uint8_t *bytes) {
  return (uint32_t)bytes[3] << 24 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[1] << 8 | bytes[0];
}

static padding find_padding(const media_library *library, const AVPacket *packet) {
  size_t size = 0;
  const uint8_t *data =
    library->av_packet_get_side_data(packet, AV_PKT_DATA_SKIP_SAMPLES, &size);
  return data && size >= 8 ? (padding){number(data), number(data + 4)} : (padding){0, 0};
}

static int64_t duration_frames(
  const media_library *library, const media_input *input, int64_t duration) {
  const AVStream *track = media_track(input);
  return library->av_rescale_q(
    duration, track->time_base, (AVRational){1, track->codecpar->sample_rate});
}

// The state of a walk through the packets.
typedef struct walker {
  const media_library *library;
  media_input *input;
  media_request *link;
  media_measure *measure;
  /// Of Vorbis, whose packets have the lengths that the ones before them give; FFmpeg's stamps are wrong here and there.
  AVVorbisParseContext *vorbis;
  /// Ogg: the byte of the last page, and the packets behind which a place is noted.
  int64_t page, next_place;
} walker;

// Takes a packet of constant length; 1 where the link ends before it.
static int count_packet(walker *walker, const AVPacket *packet) {
  media_request *link = walker->link;
  media_measure *measure = walker->measure;
  uint32_t form = media_packet_form(link->kind, packet->data, packet->size);
  if (form == 0 || packet->pos < 0) return 0;
  if (measure->packets == 0) measure->form = form;
  if (form != measure->form) {
    int64_t place = link->begin + packet->pos;
    if (!media_has_row(walker->input->stream.descriptor, place, link->kind)) return 0;
    link->end = place;
    return 1;
  }
  if (measure->packets % PLACE_PACKETS == 0) {
    int status = add_place(measure, packet->pos, measure->packets);
    if (status < 0) return status;
  }
  padding padding = find_padding(walker->library, packet);
  if (measure->packets == 0) measure->skipped = padding.before;
  measure->packets += 1;
  int64_t frames = duration_frames(walker->library, walker->input, packet->duration);
  if (padding.behind > 0 && padding.behind <= frames) {
    int64_t end = measure->packets * frames;
    if (measure->padding_end == 0) measure->padding_begin = end - padding.behind;
    measure->padding_end = end;
  }
  return 0;
}

// Takes a packet of Ogg.
static int add_packet(walker *walker, const AVPacket *packet) {
  const media_library *library = walker->library;
  media_measure *measure = walker->measure;
  int64_t before = measure->frames;
  if (walker->vorbis) {
    int frames = library->av_vorbis_parse_frame(walker->vorbis, packet->data, packet->size);
    // The first packet only prepares the second one.
    if (frames > 0 && measure->packets > 0) measure->frames += frames;
    before = measure->frames;
  } else if (packet->duration > 0) {
    measure->frames += duration_frames(library, walker->input, packet->duration);
  }
  if (measure->packets == 0) measure->skipped = find_padding(library, packet).before;
  measure->packets += 1;
  // FFmpeg goes to pages, which can have any number of packets.
  bool begins_page = measure->packets == 1 || packet->pos > walker->page;
  walker->page = packet->pos;
  if (!begins_page || measure->packets < walker->next_place) return 0;
  walker->next_place = measure->packets + PLACE_PACKETS;
  return add_place(measure, packet->pos, before);
}

static int walk(walker *walker, AVPacket *packet) {
  const media_library *library = walker->library;
  media_measure *measure = walker->measure;
  int64_t allowance = MEDIA_MAXIMUM_GAP;
  walker->input->stream.allowance = &allowance;
  for (;;) {
    int status = library->av_read_frame(walker->input->format, packet);
    int fault = walker->input->stream.fault;
    if (status < 0) return fault ? AVERROR(fault) : 0;
    allowance = MEDIA_MAXIMUM_GAP;
    measure->is_longer = measure->packets == MAXIMUM_PACKETS;
    if (packet->stream_index == walker->input->index && !measure->is_longer) {
      status = walker->link->kind == MEDIA_OGG
        ? add_packet(walker, packet)
        : count_packet(walker, packet);
    }
    library->av_packet_unref(packet);
    if (status != 0 || measure->is_longer) return status < 0 ? status : 0;
  }
}

static int measure_input(walker *walker, AVPacket *packet) {
  const media_library *library = walker->library;
  int status = media_input_open(library, walker->input, walker->link->kind);
  if (status < 0) return status;
  const AVStream *track = media_track(walker->input);
  bool is_vorbis = track->codecpar->codec_id == AV_CODEC_ID_VORBIS;
  if (is_vorbis) {
    walker->vorbis =
      library->av_vorbis_parse_init(track->codecpar->extradata, track->codecpar->extradata_size);
    if (!walker->vorbis) return AVERROR_INVALIDDATA;
  }
  status = walk(walker, packet);
  // The last page says how much of the last packet is sound.
  media_measure *measure = walker->measure;
  int64_t frames = track->duration > 0 ? duration_frames(library, walker->input, track->duration) : 0;
  if (is_vorbis && frames > 0 && frames < measure->frames) measure->frames = frames;
  return status;
}

media_stream media_link_stream(int descriptor, const media_request *link) {
  media_stream stream = {.descriptor = descriptor, .begin = link->begin};
  // Of the others FFmpeg compares the length of the file with the one in the header; their packets are counted.
  if (link->kind == MEDIA_OGG) stream.end = link->end;
  return stream;
}

int media_measure_link(
  const media_library *library, int descriptor, media_request *link, media_measure *measure) {
  media_input input = {.stream = media_link_stream(descriptor, link)};
  walker walker = {.library = library, .input = &input, .link = link, .measure = measure};
  AVPacket *packet = library->av_packet_alloc();
  int status = packet ? measure_input(&walker, packet) : AVERROR(ENOMEM);
  library->av_vorbis_parse_free(&walker.vorbis);
  library->av_packet_free(&packet);
  media_input_close(library, &input);
  return status;
}

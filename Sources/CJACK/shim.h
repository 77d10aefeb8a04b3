// SPDX-License-Identifier: MIT
//
// JACK's headers, and the reviewed list of its calls that the audio thread may make.
#pragma once

#include <jack/jack.h>
#include <jack/metadata.h>
#include <jack/midiport.h>
#include <jack/statistics.h>
#include <jack/thread.h>
#include <jack/transport.h>
#include <jack/uuid.h>
#include <pthread.h>
#include <semaphore.h>
#include <string.h>

#define CJACK_REALTIME_SAFE \
  __attribute__((swift_attr("@_noLocks"), swift_attr("@_noAllocation")))

// MARK: calls allowed on the audio thread
//
// Each reads or writes memory shared with the server and returns; none waits for anybody.

CJACK_REALTIME_SAFE void *jack_port_get_buffer(jack_port_t *port, jack_nframes_t frames);
CJACK_REALTIME_SAFE jack_nframes_t jack_last_frame_time(const jack_client_t *client);
CJACK_REALTIME_SAFE jack_nframes_t jack_frame_time(const jack_client_t *client);
CJACK_REALTIME_SAFE jack_nframes_t jack_frames_since_cycle_start(const jack_client_t *client);
CJACK_REALTIME_SAFE int jack_get_cycle_times(
  const jack_client_t *client, jack_nframes_t *frames, jack_time_t *microseconds,
  jack_time_t *next_microseconds, float *period_microseconds);
CJACK_REALTIME_SAFE jack_time_t jack_get_time(void);
// jackd's libjack reads the graph that holds for this cycle; PipeWire's takes a lock, so `WatchedPort`
// does not exist there.
CJACK_REALTIME_SAFE int jack_port_connected(const jack_port_t *port);

CJACK_REALTIME_SAFE uint32_t jack_midi_get_event_count(void *buffer);
CJACK_REALTIME_SAFE int jack_midi_event_get(
  jack_midi_event_t *event, void *buffer, uint32_t index);
CJACK_REALTIME_SAFE void jack_midi_clear_buffer(void *buffer);
CJACK_REALTIME_SAFE size_t jack_midi_max_event_size(void *buffer);
CJACK_REALTIME_SAFE int jack_midi_event_write(
  void *buffer, jack_nframes_t frame, const jack_midi_data_t *data, size_t bytes);
CJACK_REALTIME_SAFE uint32_t jack_midi_get_lost_event_count(void *buffer);

CJACK_REALTIME_SAFE jack_transport_state_t jack_transport_query(
  const jack_client_t *client, jack_position_t *position);

// MARK: the transport position, unpacked
//
// `jack_position_t` is packed, with a misaligned double: Swift sees a copy with natural alignment.

typedef struct {
  jack_time_t microseconds;
  jack_nframes_t sample_rate_hz;
  jack_nframes_t frame;
  int has_bbt;
  int bar;
  int beat;
  double tick;
  double bar_start_tick;
  float beats_per_bar;
  float beat_type;
  double ticks_per_beat;
  double beats_per_minute;
} cjack_position;

CJACK_REALTIME_SAFE static inline cjack_position cjack_position_read(const jack_position_t *from) {
  cjack_position to;
  to.microseconds = from->usecs;
  to.sample_rate_hz = from->frame_rate;
  to.frame = from->frame;
  to.has_bbt = (from->valid & JackPositionBBT) != 0;
  to.bar = from->bar;
  to.beat = from->beat;
  to.tick = from->valid & JackTickDouble ? from->tick_double : from->tick;
  to.bar_start_tick = from->bar_start_tick;
  to.beats_per_bar = from->beats_per_bar;
  to.beat_type = from->beat_type;
  to.ticks_per_beat = from->ticks_per_beat;
  to.beats_per_minute = from->beats_per_minute;
  return to;
}

/// Writes what a client may set: the frame and the bar, beat and tick.
CJACK_REALTIME_SAFE static inline void cjack_position_write(
  const cjack_position *from, jack_position_t *to) {
  to->frame = from->frame;
  to->valid = (jack_position_bits_t)(from->has_bbt ? JackPositionBBT | JackTickDouble : 0);
  to->bar = from->bar;
  to->beat = from->beat;
  to->tick = (int32_t)from->tick;
  to->tick_double = from->tick;
  to->bar_start_tick = from->bar_start_tick;
  to->beats_per_bar = from->beats_per_bar;
  to->beat_type = from->beat_type;
  to->ticks_per_beat = from->ticks_per_beat;
  to->beats_per_minute = from->beats_per_minute;
}

CJACK_REALTIME_SAFE static inline jack_transport_state_t cjack_transport_query(
  const jack_client_t *client, cjack_position *position) {
  jack_position_t packed;
  memset(&packed, 0, sizeof packed);
  const jack_transport_state_t state = jack_transport_query(client, &packed);
  *position = cjack_position_read(&packed);
  return state;
}

static inline int cjack_transport_reposition(
  jack_client_t *client, const cjack_position *position) {
  jack_position_t packed;
  memset(&packed, 0, sizeof packed);
  cjack_position_write(position, &packed);
  return jack_transport_reposition(client, &packed);
}

// MARK: threads

typedef struct {
  void *(*body)(void *);
  void *context;
  sem_t has_begun;
} cjack_thread;

static inline void *cjack_thread_begin(void *argument) {
  cjack_thread *thread = (cjack_thread *)argument;
  void *(*body)(void *) = thread->body;
  void *context = thread->context;
  sem_post(&thread->has_begun);
  return body(context);
}

// Creates a thread of libjack, and returns when it has begun.
//
// libjack itself gives a thread of notifications a thousand sleeps of a millisecond (`StartSync` of jack2's JackPosixThread.cpp). After that it
// frees the client, and the thread, when it begins, uses what was freed.
static inline int cjack_thread_create(
  pthread_t *handle, const pthread_attr_t *attributes, void *(*body)(void *), void *context) {
  cjack_thread thread = {body, context};
  sem_init(&thread.has_begun, 0, 0);
  const int failure = pthread_create(handle, attributes, cjack_thread_begin, &thread);
  // A signal interrupts the wait.
  while (failure == 0 && sem_wait(&thread.has_begun) != 0) {}
  sem_destroy(&thread.has_begun);
  return failure;
}

// Lets libjack create its threads with `cjack_thread_create` from now on. [any-thread]
static inline void cjack_create_threads(void) {
  jack_set_thread_creator(cjack_thread_create);
}

// MARK: variadic functions, which Swift cannot call

static inline jack_client_t *cjack_client_open(
  const char *name, jack_options_t options, jack_status_t *status, const char *server) {
  return server
    ? jack_client_open(name, (jack_options_t)(options | JackServerName), status, server)
    : jack_client_open(name, options, status);
}

// SPDX-License-Identifier: MIT

#define _GNU_SOURCE
#include "CallbackTimer.h"

#include <CCallbackTimes.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

typedef int (*Process)(uint32_t frames, void *argument);
typedef int (*SetProcess)(void *client, Process process, void *argument);
typedef uint32_t (*LastFrameTime)(const void *client);

/// A program's callback, and where its times go.
typedef struct {
  Process process;
  void *argument;
  void *client;
  void *room;
  LastFrameTime frame_of;
} Timed;

static CallbackTimes *times;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void open_times(void) {
  const char *path = getenv(CALLBACK_TIMES_VARIABLE);
  if (path) times = callback_times_open(path, false);
}

static uint64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

static int call(uint32_t frames, void *argument) {
  const Timed *timed = argument;
  const uint64_t start = now();
  const int result = timed->process(frames, timed->argument);
  const uint64_t nanoseconds = now() - start;
  callback_times_note(
      timed->room,
      (CallbackTime){
          timed->frame_of(timed->client),
          nanoseconds < UINT32_MAX ? (uint32_t)nanoseconds : UINT32_MAX,
      });
  return result;
}

/// In front of libjack's.
__attribute__((visibility("default")))
int jack_set_process_callback(void *client, Process process, void *argument) {
  const SetProcess set = (SetProcess)dlsym(RTLD_NEXT, "jack_set_process_callback");
  const LastFrameTime frame_of = (LastFrameTime)dlsym(RTLD_NEXT, "jack_last_frame_time");
  if (!set) return -1;
  pthread_once(&once, open_times);
  if (!process || !times || !frame_of) return set(client, process, argument);
  // Kept for as long as the program runs: a callback may still be on its way when its client is closed.
  Timed *timed = malloc(sizeof *timed);
  void *room = timed ? callback_times_claim(times) : NULL;
  if (!room) {
    free(timed);
    return set(client, process, argument);
  }
  *timed = (Timed){process, argument, client, room, frame_of};
  return set(client, call, timed);
}

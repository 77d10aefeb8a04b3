// SPDX-License-Identifier: MIT

#include "CCallbackTimes.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

enum { most_callbacks = 4 };

/// The calls of one callback; a call is one word, so that no half of one is read.
typedef struct {
  _Atomic int32_t process;
  _Atomic uint64_t calls[CALLBACK_TIMES_CYCLES];
  /// Calls so far; the callback's own.
  uint64_t count;
} Room;

struct CallbackTimes {
  _Atomic uint32_t claimed;
  Room rooms[most_callbacks];
};

CallbackTimes *callback_times_open(const char *path, bool make) {
  const int file = open(path, O_RDWR | O_CLOEXEC | (make ? O_CREAT | O_EXCL : 0), 0600);
  if (file < 0) return NULL;
  CallbackTimes *times = NULL;
  if (!make || ftruncate(file, sizeof *times) == 0) {
    void *mapped =
        mmap(NULL, sizeof *times, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, file, 0);
    if (mapped != MAP_FAILED) times = mapped;
  }
  close(file);
  return times;
}

void callback_times_close(CallbackTimes *times) {
  if (times) munmap(times, sizeof *times);
}

void *callback_times_claim(CallbackTimes *times) {
  const uint32_t index = atomic_fetch_add(&times->claimed, 1);
  if (index >= most_callbacks) return NULL;
  atomic_store(&times->rooms[index].process, getpid());
  return &times->rooms[index];
}

void callback_times_note(void *claimed, CallbackTime time) {
  Room *room = claimed;
  // No call is zero: a call takes time.
  const uint64_t call = (uint64_t)time.frame << 32 | (time.nanoseconds ? time.nanoseconds : 1);
  atomic_store_explicit(
      &room->calls[room->count++ % CALLBACK_TIMES_CYCLES], call, memory_order_relaxed);
}

size_t callback_times_read(
    const CallbackTimes *times, int32_t process, CallbackTime *out, size_t capacity) {
  size_t count = 0;
  for (int index = 0; index < most_callbacks; ++index) {
    const Room *room = &times->rooms[index];
    if (atomic_load(&room->process) != process) continue;
    for (size_t place = 0; place < CALLBACK_TIMES_CYCLES && count < capacity; ++place) {
      const uint64_t call = atomic_load_explicit(&room->calls[place], memory_order_relaxed);
      if (call != 0)
        out[count++] = (CallbackTime){(uint32_t)(call >> 32), (uint32_t)call};
    }
  }
  return count;
}

size_t callback_times_capacity(void) { return (size_t)most_callbacks * CALLBACK_TIMES_CYCLES; }

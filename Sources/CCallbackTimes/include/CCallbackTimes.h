// SPDX-License-Identifier: MIT
//
// How long the process callbacks of a program take, cycle by cycle: a file in memory that the program's own callbacks write
// (the library callback-timer, which is loaded into it) and that a benchmark reads.
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The variable of the environment that names the file.
#define CALLBACK_TIMES_VARIABLE "MULTIROUTE_CALLBACK_TIMES"

/// The cycles that are kept of each callback: the latest.
#define CALLBACK_TIMES_CYCLES 16384

/// One call of a process callback.
typedef struct {
  /// The server's number of the first frame of the cycle.
  uint32_t frame;
  /// The time from the call to the return; the most that fits if it is longer.
  uint32_t nanoseconds;
} CallbackTime;

typedef struct CallbackTimes CallbackTimes;

/// Opens a file of times, or makes one. Null if that fails, with the reason in `errno`. [control-thread]
CallbackTimes *callback_times_open(const char *path, bool make);

/// Closes it; null is allowed. [control-thread]
void callback_times_close(CallbackTimes *times);

/// Room for one callback of this process, which belongs to it alone; null if there is none left. [any-thread]
void *callback_times_claim(CallbackTimes *times);

/// Notes a call. [audio-thread]
void callback_times_note(void *room, CallbackTime time);

/// Copies the calls of all callbacks of a process, in no order. Returns their number, at most `capacity`. [control-thread]
size_t callback_times_read(
    const CallbackTimes *times, int32_t process, CallbackTime *out, size_t capacity);

/// The most that `callback_times_read` can return. [any-thread]
size_t callback_times_capacity(void);

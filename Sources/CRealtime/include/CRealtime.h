// SPDX-License-Identifier: MIT
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/// Marks a C function as reviewed for the audio thread: no locks, no allocation, no waiting.
#define REALTIME_SAFE \
  __attribute__((swift_attr("@_noLocks"), swift_attr("@_noAllocation")))

// MARK: audio thread

/// The floating-point control register as it was before `realtime_denormals_off`.
typedef uint64_t realtime_float_mode;

/// Flushes denormal results and inputs to zero on this thread; gives the mode to restore.
/// [audio-thread]
REALTIME_SAFE realtime_float_mode realtime_denormals_off(void);

/// Restores what `realtime_denormals_off` found.
/// [audio-thread]
REALTIME_SAFE void realtime_denormals_restore(realtime_float_mode mode);

/// CLOCK_MONOTONIC in nanoseconds; JACK's microseconds may count on another clock.
/// [any-thread]
REALTIME_SAFE uint64_t realtime_now_nanoseconds(void);

/// Begins a section in which RealtimeSanitizer, if it is linked, reports blocking calls. Nests.
/// [audio-thread]
REALTIME_SAFE void realtime_sanitizer_enter(void);

/// The counterpart of `realtime_sanitizer_enter`.
/// [audio-thread]
REALTIME_SAFE void realtime_sanitizer_exit(void);

// MARK: mathematics on the audio thread
//
// The C library's functions, which neither lock nor allocate.

/// The tangent of an angle in radians.
/// [any-thread]
REALTIME_SAFE double realtime_tan(double radians);

/// e to the power of `exponent`.
/// [any-thread]
REALTIME_SAFE double realtime_exp(double exponent);

// MARK: waiting on the audio thread
//
// The one exception to never waiting, as JACK itself waits between cycles: always with an end.

/// Waits while `*word` is `value`, at most until `deadline_nanoseconds` of CLOCK_MONOTONIC.
///
/// May return early: look again.
/// [audio-thread]
REALTIME_SAFE void realtime_wait_word(
  const void *word, uint32_t value, uint64_t deadline_nanoseconds);

/// Wakes who waits in `realtime_wait_word`, after `*word` has changed; does not wait itself.
/// [audio-thread]
REALTIME_SAFE void realtime_wake_word(const void *word);

// MARK: threads of other libraries

/// Keeps the calling thread from being cancelled; gives the state to restore.
/// [any-thread]
int realtime_cancellation_disable(void);

/// Restores what `realtime_cancellation_disable` found.
/// [any-thread]
void realtime_cancellation_restore(int state);

// MARK: control thread

/// Whether this program was linked with RealtimeSanitizer.
/// [any-thread]
bool realtime_sanitizer_is_linked(void);

/// Schedules the calling thread SCHED_FIFO at `priority` (1…99). 0, or an errno value.
/// [control-thread]
int realtime_thread_set_fifo(int priority);

/// Schedules the calling thread SCHED_FIFO at `priority` (1…99), but not the threads and processes that
/// it starts. 0, or an errno value.
/// [any-thread]
int realtime_thread_raise(int priority);

/// Names the calling thread, as `ps -L` and debuggers show it; cut to 15 bytes.
/// [any-thread]
void realtime_thread_set_name(const char *name);

/// The most a thread of this process may ask for as SCHED_FIFO priority; 0 where it is refused.
/// [any-thread]
int realtime_thread_max_fifo(void);

/// Keeps `[address, address + bytes)` in physical memory. 0, or an errno value.
/// [control-thread]
int realtime_memory_lock(const void *address, size_t bytes);

/// Lets `[address, address + bytes)` be paged out again. 0, or an errno value.
/// [control-thread]
int realtime_memory_unlock(const void *address, size_t bytes);

// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include "CRealtime.h"

#include <math.h>
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

// Flush-to-zero and denormals-are-zero on x86; FZ (both at once) on ARM.
#if defined(__x86_64__)
enum { FLUSH_BITS = 0x8040 };
#elif defined(__aarch64__)
enum { FLUSH_BITS = 1 << 24 };
#endif

realtime_float_mode realtime_denormals_off(void) {
#if defined(__x86_64__)
  const unsigned mode = _mm_getcsr();
  if ((mode & FLUSH_BITS) != FLUSH_BITS) _mm_setcsr(mode | FLUSH_BITS);
  return mode;
#elif defined(__aarch64__)
  uint64_t mode;
  __asm__ volatile("mrs %0, fpcr" : "=r"(mode));
  __asm__ volatile("msr fpcr, %0" ::"r"(mode | FLUSH_BITS));
  return mode;
#else
  return 0;
#endif
}

void realtime_denormals_restore(realtime_float_mode mode) {
#if defined(__x86_64__)
  if ((mode & FLUSH_BITS) != FLUSH_BITS) _mm_setcsr((unsigned)mode);
#elif defined(__aarch64__)
  __asm__ volatile("msr fpcr, %0" ::"r"(mode));
#else
  (void)mode;
#endif
}

uint64_t realtime_now_nanoseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

// Weak: they exist only in a program linked with -fsanitize=realtime.
extern void __rtsan_realtime_enter(void) __attribute__((weak));
extern void __rtsan_realtime_exit(void) __attribute__((weak));

void realtime_sanitizer_enter(void) {
  if (__rtsan_realtime_enter) __rtsan_realtime_enter();
}

void realtime_sanitizer_exit(void) {
  if (__rtsan_realtime_exit) __rtsan_realtime_exit();
}

extern void __rtsan_disable(void) __attribute__((weak));
extern void __rtsan_enable(void) __attribute__((weak));

// Two threads of one process share the word.
static void futex(
  const void *word, int operation, uint32_t value, const struct timespec *deadline) {
  if (__rtsan_disable) __rtsan_disable();
  syscall(
    SYS_futex, word, operation | FUTEX_PRIVATE_FLAG, value, deadline, NULL,
    FUTEX_BITSET_MATCH_ANY);
  if (__rtsan_enable) __rtsan_enable();
}

void realtime_wait_word(const void *word, uint32_t value, uint64_t deadline_nanoseconds) {
  const struct timespec deadline = {
    .tv_sec = (time_t)(deadline_nanoseconds / 1000000000u),
    .tv_nsec = (long)(deadline_nanoseconds % 1000000000u),
  };
  futex(word, FUTEX_WAIT_BITSET, value, &deadline);
}

void realtime_wake_word(const void *word) { futex(word, FUTEX_WAKE, INT32_MAX, NULL); }

bool realtime_sanitizer_is_linked(void) { return __rtsan_realtime_enter != NULL; }

int realtime_thread_set_fifo(int priority) {
  const struct sched_param parameters = {.sched_priority = priority};
  return pthread_setschedparam(pthread_self(), SCHED_FIFO, &parameters);
}

int realtime_thread_raise(int priority) {
  const struct sched_param parameters = {.sched_priority = priority};
  // Linux takes 0 for the calling thread.
  return sched_setscheduler(0, SCHED_FIFO | SCHED_RESET_ON_FORK, &parameters) == 0 ? 0 : errno;
}

void realtime_thread_set_name(const char *name) {
  char short_name[16] = {0};
  strncpy(short_name, name, sizeof short_name - 1);
  pthread_setname_np(pthread_self(), short_name);
}

static void *try_fifo(void *highest) {
  const int limit = sched_get_priority_max(SCHED_FIFO);
  for (int priority = limit; priority > 0; priority--) {
    if (realtime_thread_set_fifo(priority) == 0) {
      *(int *)highest = priority;
      break;
    }
  }
  return NULL;
}

int realtime_thread_max_fifo(void) {
  // Tried on a short-lived thread: limits, capabilities and cgroups all have a say.
  int highest = 0;
  pthread_t thread;
  if (pthread_create(&thread, NULL, try_fifo, &highest) != 0) return 0;
  pthread_join(thread, NULL);
  return highest;
}

int realtime_memory_lock(const void *address, size_t bytes) {
  return mlock(address, bytes) == 0 ? 0 : errno;
}

int realtime_memory_unlock(const void *address, size_t bytes) {
  return munlock(address, bytes) == 0 ? 0 : errno;
}

int realtime_cancellation_disable(void) {
  int state = PTHREAD_CANCEL_ENABLE;
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
  return state;
}

void realtime_cancellation_restore(int state) { pthread_setcancelstate(state, NULL); }

double realtime_tan(double radians) { return tan(radians); }

double realtime_exp(double exponent) { return exp(exponent); }

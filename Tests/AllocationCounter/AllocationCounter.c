// SPDX-License-Identifier: MIT

#define _GNU_SOURCE
#include "AllocationCounter.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <unistd.h>

static _Thread_local bool is_counting;
static _Thread_local AllocationCounts counts;

void allocation_counter_start(void) {
  counts = (AllocationCounts){0, 0, 0, 0};
  is_counting = true;
}

AllocationCounts allocation_counter_stop(void) {
  is_counting = false;
  return counts;
}

// MARK: Allocation. The C library's own names, because looking others up would allocate.

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
void __libc_free(void *block);

void *malloc(size_t size) {
  if (is_counting) ++counts.allocations;
  return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
  if (is_counting) ++counts.allocations;
  return __libc_calloc(count, size);
}

void *realloc(void *block, size_t size) {
  if (is_counting) ++counts.allocations;
  return __libc_realloc(block, size);
}

int posix_memalign(void **block, size_t alignment, size_t size) {
  if (is_counting) ++counts.allocations;
  *block = __libc_memalign(alignment, size);
  return *block ? 0 : 12;
}

void *aligned_alloc(size_t alignment, size_t size) {
  if (is_counting) ++counts.allocations;
  return __libc_memalign(alignment, size);
}

void free(void *block) {
  if (is_counting) ++counts.frees;
  __libc_free(block);
}

// MARK: Locks and system calls

#define FORWARD(RESULT, NAME, PARAMETERS, ARGUMENTS)      \
  RESULT NAME PARAMETERS {                                \
    static RESULT(*next) PARAMETERS;                      \
    if (!next) next = dlsym(RTLD_NEXT, #NAME);            \
    if (is_counting) ++counts.locks;                      \
    return next ARGUMENTS;                                \
  }

FORWARD(int, pthread_mutex_lock, (pthread_mutex_t * lock), (lock))
FORWARD(int, pthread_mutex_trylock, (pthread_mutex_t * lock), (lock))
FORWARD(int, pthread_rwlock_rdlock, (pthread_rwlock_t * lock), (lock))
FORWARD(int, pthread_rwlock_wrlock, (pthread_rwlock_t * lock), (lock))
FORWARD(int, pthread_cond_wait, (pthread_cond_t * condition, pthread_mutex_t *lock), (condition, lock))

/// The door that Swift's mutexes and once-only initialisers take to the kernel.
long syscall(long number, ...) {
  static long (*next)(long, ...);
  if (!next) next = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
  if (is_counting) ++counts.system_calls;
  va_list list;
  va_start(list, number);
  long a = va_arg(list, long), b = va_arg(list, long), c = va_arg(list, long);
  long d = va_arg(list, long), e = va_arg(list, long), f = va_arg(list, long);
  va_end(list);
  return next(number, a, b, c, d, e, f);
}

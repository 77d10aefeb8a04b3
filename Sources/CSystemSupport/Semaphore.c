// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include "CSystemSupport.h"

// Swift's module of glibc does not have it.
int system_semaphore_wait(sem_t *semaphore, const struct timespec *end) {
  return sem_clockwait(semaphore, CLOCK_MONOTONIC, end);
}

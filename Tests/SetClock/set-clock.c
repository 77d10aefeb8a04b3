// SPDX-License-Identifier: MIT
//
// Loaded into a program (LD_PRELOAD), it shows it a wall clock that is two hours ahead of the machine's as soon as the file exists that
// SET_CLOCK names. A wait until a moment of that clock lasts two hours too long then, as on a machine whose clock is set back by
// two hours in the meantime.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static time_t ahead(void) {
  const char *file = getenv("SET_CLOCK");
  return file && access(file, F_OK) == 0 ? 7200 : 0;
}

int clock_gettime(clockid_t clock, struct timespec *result) {
  static int (*get)(clockid_t, struct timespec *);
  if (!get) *(void **)&get = dlsym(RTLD_NEXT, "clock_gettime");
  const int status = get(clock, result);
  if (status == 0 && clock == CLOCK_REALTIME) result->tv_sec += ahead();
  return status;
}

int gettimeofday(struct timeval *restrict result, void *restrict zone) {
  (void)zone;
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  *result = (struct timeval){now.tv_sec, now.tv_nsec / 1000};
  return 0;
}

time_t time(time_t *result) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (result) *result = now.tv_sec;
  return now.tv_sec;
}

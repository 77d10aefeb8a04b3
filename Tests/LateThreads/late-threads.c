// SPDX-License-Identifier: MIT
//
// Loaded into a program (LD_PRELOAD), it lets one thread begin late, as on a machine that stops: of the threads that threads named
// "control" start, the one whose number LATE_THREAD gives, by LATE_MILLISECONDS.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct {
  void *(*body)(void *);
  void *context;
  long milliseconds;
} Start;

static atomic_int count;

static void *begin(void *argument) {
  const Start start = *(Start *)argument;
  free(argument);
  const struct timespec delay = {start.milliseconds / 1000, start.milliseconds % 1000 * 1000000};
  if (start.milliseconds) nanosleep(&delay, NULL);
  return start.body(start.context);
}

int pthread_create(
  pthread_t *thread, const pthread_attr_t *attributes, void *(*body)(void *), void *context) {
  int (*create)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
  *(void **)&create = dlsym(RTLD_NEXT, "pthread_create");
  char name[16] = "";
  pthread_getname_np(pthread_self(), name, sizeof name);
  Start *start = malloc(sizeof *start);
  *start = (Start){body, context, 0};
  if (!strcmp(name, "control") && atomic_fetch_add(&count, 1) + 1 == atoi(getenv("LATE_THREAD"))) {
    start->milliseconds = atoi(getenv("LATE_MILLISECONDS"));
  }
  return create(thread, attributes, begin, start);
}

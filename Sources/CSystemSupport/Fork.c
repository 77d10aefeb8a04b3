// SPDX-License-Identifier: MIT
#include "CSystemSupport.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <unistd.h>

// The descriptors that a forked child closes; -1 for a free place.
#define PLACES 64
static atomic_int private_descriptors[PLACES];
static atomic_uint generation;
static pthread_once_t once = PTHREAD_ONCE_INIT;

// Runs in the child before fork returns: atomics and system calls only.
static void enter_child(void) {
  atomic_fetch_add(&generation, 1);
  for (size_t place = 0; place < PLACES; place++) {
    const int descriptor = atomic_exchange(&private_descriptors[place], -1);
    if (descriptor >= 0) close(descriptor);
  }
}

static void prepare(void) {
  for (size_t place = 0; place < PLACES; place++) atomic_init(&private_descriptors[place], -1);
  pthread_atfork(NULL, NULL, enter_child);
}

unsigned system_fork_generation(void) {
  pthread_once(&once, prepare);
  return atomic_load(&generation);
}

bool system_is_forked_from_first_user(void) {
  // The generation of the process that asked first, plus 1.
  static atomic_uint first;
  const unsigned here = system_fork_generation() + 1;
  unsigned asked = 0;
  return !atomic_compare_exchange_strong(&first, &asked, here) && asked != here;
}

bool system_keep_from_children(int descriptor) {
  pthread_once(&once, prepare);
  for (size_t place = 0; place < PLACES; place++) {
    int unused = -1;
    if (atomic_compare_exchange_strong(&private_descriptors[place], &unused, descriptor)) return true;
  }
  return false;
}

void system_leave_to_children(int descriptor) {
  for (size_t place = 0; place < PLACES; place++) {
    int present = descriptor;
    if (atomic_compare_exchange_strong(&private_descriptors[place], &present, -1)) return;
  }
}

// SPDX-License-Identifier: MIT
#include "late_library.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

static _Thread_local char reason[256];

void *late_find(const char *library, const char *function) {
  // A library that is loaded already is found again, and stays until the program's end.
  void *handle = dlopen(library, RTLD_NOW);
  void *found = handle ? dlsym(handle, function) : NULL;
  if (!found) {
    const char *fault = dlerror();
    snprintf(reason, sizeof reason, "%s", fault ? fault : "a function is missing");
  }
  return found;
}

const char *late_reason(void) {
  return reason;
}

void late_give_up(void) {
  fprintf(stderr, "error: %s; install the package again\n", reason);
  exit(127);
}

// SPDX-License-Identifier: MIT
#include "CMutant.h"

#include <stdio.h>
#include <stdlib.h>

int32_t mutant_chosen;
uint8_t mutant_reached[65536];

/// Writes the numbers of the places that were reached to the file that MUTANT_REACHED names.
static void write_reached(void) {
  FILE *file = fopen(getenv("MUTANT_REACHED"), "w");
  if (!file) {
    perror("MUTANT_REACHED");
    _Exit(70);
  }
  for (int number = 1; number < 65536; number++)
    if (mutant_reached[number]) fprintf(file, "%d\n", number);
  if (fclose(file) != 0) _Exit(70);
}

__attribute__((constructor)) static void choose(void) {
  const char *chosen = getenv("MUTANT");
  if (chosen) mutant_chosen = atoi(chosen);
  if (getenv("MUTANT_REACHED")) atexit(write_reached);
}

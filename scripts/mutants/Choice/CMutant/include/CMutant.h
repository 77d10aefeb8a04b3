// SPDX-License-Identifier: MIT
#pragma once

#include <stdbool.h>
#include <stdint.h>

/// The number of the mutant that MUTANT chooses; 0 is none.
extern int32_t mutant_chosen;

/// A byte for each mutant: whether its place was reached.
extern uint8_t mutant_reached[65536];

/// Whether a mutant is the chosen one; notes that its place was reached.
///
/// [any-thread] A read and a write of memory, for the audio thread too.
__attribute__((swift_attr("@_noLocks"), swift_attr("@_noAllocation"))) static inline bool
mutant_is(int32_t number) {
  mutant_reached[(uint16_t)number] = 1;
  return mutant_chosen == number;
}

// SPDX-License-Identifier: MIT
//
// Counts what an audio thread must not do. Linked into an executable, it stands in front of the C
// library's allocation and locking functions, which all libraries of the process then use.
#pragma once

#include <stdint.h>

/// The calls of the calling thread between start and stop.
typedef struct {
  uint64_t allocations;
  uint64_t frees;
  uint64_t locks;
  uint64_t system_calls;
} AllocationCounts;

/// Counts on from zero for the calling thread.
void allocation_counter_start(void);

/// Stops counting and returns the counts.
AllocationCounts allocation_counter_stop(void);

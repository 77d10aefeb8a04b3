// SPDX-License-Identifier: MIT
//
// Runs a few threads through all interleavings of their atomic operations, and through all values that these may read.
//
// The sources under test are compiled with `-sanitize=thread`. The compiler then calls a function before each access to
// memory and instead of each atomic operation. ThreadSanitizer is not linked: hooks.c has these functions. So the
// model sees the orderings and the accesses that the compiler has made of the very sources.
#pragma once

#include <stdbool.h>
#include <stdint.h>

/// The end of one execution.
typedef enum {
  /// All threads have ended.
  EXPLORER_COMPLETE,
  /// It is like one that was run before, or longer than wanted.
  EXPLORER_PRUNED,
  /// A requirement, or the memory model, was violated.
  EXPLORER_FAILED,
} ExplorerEnd;

/// The size of what was explored.
typedef struct {
  /// Executions that ended.
  uint64_t executions;
  /// Executions that were given up, being like others.
  uint64_t pruned;
  /// Visible operations of all executions.
  uint64_t operations;
  /// Visible operations of the longest execution.
  int longest;
  /// Loads that returned an older value than the newest.
  uint64_t stale_loads;
} ExplorerStatistics;

/// A place in the program that does atomic operations.
typedef struct {
  /// Its address in this process.
  uintptr_t address;
  bool loads;
  bool stores;
  /// As in C: 0 relaxed, 2 acquire, 3 release, 4 both.
  int order;
} ExplorerSite;

/// Prepares the process for millions of executions, each of which makes its memory anew.
void explorer_prepare(void);

/// Begins a new exploration; its schedules start anew, its sites and weakenings stay.
void explorer_begin(void);

/// Runs one execution: `body(context, thread)` for each thread from 0.
ExplorerEnd explorer_run(int threads, void (*body)(void *context, int thread), void *context);

/// Chooses the next execution; false when all have been run.
bool explorer_next(void);

/// Ends the execution as failed, if the condition does not hold. Callable from threads, and between executions.
void explorer_require(bool holds, const char *what);

/// The failure of the last execution; null without one.
const char *explorer_failure(void);

/// Keeps the failure of the last execution, and has the next ones end before they are as long.
///
/// Executions that are like others are left out, but each state is reached by one, and all ways to a state are equally
/// long: so the last failure kept is the shortest there is.
void explorer_keep_failure(void);

/// Prints the failure that was kept: its visible operations, one for each line.
void explorer_print_failure(void);

ExplorerStatistics explorer_statistics(void);

/// The sites that any execution has passed so far.
int explorer_site_count(void);
ExplorerSite explorer_site(int index);

/// The file and line of a site, such as "PlanCell.swift:61".
const char *explorer_site_name(int index);

/// The number of times that any execution has passed a site.
uint64_t explorer_site_passes(int index);

/// Makes the operations of a site relaxed, acquire or release; -1 restores them.
void explorer_weaken(int index, int order);

/// One of `options` possibilities, numbered from 0; all are explored. [a thread of an execution]
int explorer_choose(int options);

/// Marks memory as freed; any later use fails, and so does one that is not ordered before.
void explorer_free(const void *memory, uint64_t bytes);

/// The number of the present execution, from 1.
uint64_t explorer_execution(void);

// MARK: The model's clock and futex

/// The time that `realtime_now_nanoseconds` returns until the thread's deadline has passed.
#define EXPLORER_START_NANOSECONDS 1000u

/// A planted fault: wakes nobody from now on, or again.
void explorer_drop_wakes(bool drops);

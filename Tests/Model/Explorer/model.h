// SPDX-License-Identifier: MIT
#pragma once

#include "Explorer.h"

#include <stddef.h>

enum {
  MAX_THREADS = 4,
  MAX_LOCATIONS = 64,
  MAX_MESSAGES = 64,
  MAX_STEPS = 4096,
  MAX_SITES = 512,
};

/// The view of a thread: the oldest message of each location that it may still read, and the events of each thread
/// that happened before.
typedef struct {
  uint8_t oldest[MAX_LOCATIONS];
  uint32_t clock[MAX_THREADS];
} View;

/// The kinds of visible operations.
typedef enum { OP_START, OP_LOAD, OP_STORE, OP_EXCHANGE, OP_WAIT, OP_WAKE, OP_TIMEOUT } OpKind;

/// The next visible operation of a thread.
typedef struct {
  OpKind kind;
  uintptr_t address;
} Pending;

/// One line of a trace.
typedef struct {
  int thread;
  OpKind kind;
  uintptr_t address;
  uintptr_t site;
  uint64_t value;
  uint64_t stored;
  int order;
  /// The number of newer values that a load left out.
  int staleness;
} Step;

// MARK: schedule.c

/// The thread that runs; -1 between executions.
extern int model_thread;
/// Stops at a visible operation until the schedule chooses this thread.
void model_visible(OpKind kind, uintptr_t address);
/// Adds a line to the trace.
Step *model_step(OpKind kind, uintptr_t address, uintptr_t site);
/// One of some possibilities, all of which are explored.
int model_choose(int options);
/// Ends the execution as failed.
void model_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));
/// Blocks this thread on a word; returns whether another one has woken it.
bool model_block(uintptr_t address);
/// Wakes all threads that are blocked on a word.
void model_unblock(uintptr_t address);
/// Whether all other threads have ended.
bool model_is_last(void);
void model_count_stale(void);

// MARK: memory.c

void memory_reset(void);
View *memory_view(int thread);
/// An atomic operation; returns the old value. For OP_EXCHANGE `change` makes the new value, or returns false to
/// leave the old one.
typedef bool (*Change)(uint64_t old, uint64_t operand, uint64_t expected, uint64_t *new_value);
uint64_t memory_load(uintptr_t address, int size, int order, uintptr_t site);
void memory_store(uintptr_t address, int size, uint64_t value, int order, uintptr_t site);
uint64_t memory_exchange(
    uintptr_t address, int size, Change change, uint64_t operand, uint64_t expected, int order, uintptr_t site);
/// The newest value of a location, as the kernel reads it.
uint64_t memory_newest(uintptr_t address, int size);

// MARK: shadow.c

void shadow_reset(void);
void shadow_read(uintptr_t address, size_t size, uintptr_t site);
void shadow_write(uintptr_t address, size_t size, uintptr_t site);
void shadow_free(uintptr_t address, size_t size, uintptr_t site);

// MARK: hooks.c

/// Gives back the memory that the threads of the last execution have freed.
void heap_reset(void);

// MARK: report.c

/// The site of an address in the program; notes it if it is new.
ExplorerSite *site_at(uintptr_t address);
/// The order that the operations of a site have now.
int site_order(uintptr_t address, int order, bool loads, bool stores);
/// "File.swift:12" of an address in the program.
const char *site_name(uintptr_t address);

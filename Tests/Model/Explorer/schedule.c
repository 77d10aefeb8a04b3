// SPDX-License-Identifier: MIT
//
// The search: each execution repeats the choices of the one before up to the last that has a possibility left.
#define _GNU_SOURCE
#include "model.h"

#include <malloc.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

enum { STACK_BYTES = 256 * 1024 };

/// A choice of a thread, or of a number below `options`.
typedef struct {
  bool is_thread;
  int chosen;
  int options;
  /// For a thread: those that can run, and those whose next step would lead to an execution that is like another.
  unsigned enabled, asleep;
} Choice;

typedef struct {
  ucontext_t entry;
  jmp_buf state;
  bool has_entered, has_ended, is_blocked, was_woken;
  uintptr_t blocked_on;
  Pending pending;
} Thread;

static Choice choices[MAX_STEPS];
static int choice_count, choice_place;
static Thread threads[MAX_THREADS];
static char *stacks[MAX_THREADS];
static int thread_count;
static jmp_buf scheduler;
static Step steps[MAX_STEPS];
static int step_count;
static char failure[512];
/// The shortest failure so far.
static Step kept_steps[MAX_STEPS];
static int kept_count;
static char kept_failure[sizeof failure];
static bool is_pruned;
/// An execution that is like another one runs to its end in any order, so that its threads free what they hold.
static bool is_draining;
static int longest_allowed;
static unsigned asleep;
static uint64_t execution;
static ExplorerStatistics statistics;
static void (*thread_body)(void *, int);
static void *thread_context;

int model_thread = -1;

void explorer_prepare(void) {
  // Freed memory stays with the process; the kernel would clear it each time.
  mallopt(M_MMAP_THRESHOLD, 1 << 25);
  mallopt(M_TRIM_THRESHOLD, 1 << 28);
  setvbuf(stdout, NULL, _IOLBF, 0);
}

void explorer_begin(void) {
  longest_allowed = MAX_STEPS;
  choice_count = 0;
  failure[0] = 0;
  memset(&statistics, 0, sizeof statistics);
}

ExplorerStatistics explorer_statistics(void) { return statistics; }
const char *explorer_failure(void) { return failure[0] ? failure : NULL; }
uint64_t explorer_execution(void) { return execution; }
void model_count_stale(void) { ++statistics.stale_loads; }

/// Leaves the running thread for the scheduler.
static void leave(void) {
  const int thread = model_thread;
  model_thread = -1;
  if (_setjmp(threads[thread].state) == 0) _longjmp(scheduler, 1);
}

/// Leaves the running thread for good.
static void give_up(void) {
  model_thread = -1;
  _longjmp(scheduler, 1);
}

void model_fail(const char *format, ...) {
  if (!failure[0]) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(failure, sizeof failure, format, arguments);
    va_end(arguments);
  }
  if (model_thread >= 0) give_up();
}

void explorer_require(bool holds, const char *what) {
  if (!holds) model_fail("%s", what);
}

/// The next choice of this execution: a repeated one, or a new one.
static Choice *next_choice(void) {
  if (choice_place == MAX_STEPS) {
    fprintf(stderr, "error: an execution makes more than %d choices; make the model smaller\n", MAX_STEPS);
    exit(70);
  }
  Choice *choice = &choices[choice_place++];
  if (choice_place > choice_count) {
    choice_count = choice_place;
    *choice = (Choice){.chosen = -1};
  }
  return choice;
}

/// The search repeats choices, so an execution must depend on nothing else.
static void not_repeatable(void) {
  fprintf(stderr, "error: an execution differs from the one before though all choices are the same\n");
  exit(70);
}

int model_choose(int options) {
  if (options <= 1 || is_draining) return 0;
  Choice *choice = next_choice();
  if (choice->chosen < 0) *choice = (Choice){.options = options};
  if (choice->is_thread || choice->options != options) not_repeatable();
  return choice->chosen;
}

int explorer_choose(int options) { return model_choose(options); }

Step *model_step(OpKind kind, uintptr_t address, uintptr_t site) {
  static Step unused;
  if (is_draining) return &unused;
  if (step_count >= longest_allowed || step_count == MAX_STEPS) {
    is_pruned = true;
    give_up();
  }
  Step *step = &steps[step_count++];
  *step = (Step){.thread = model_thread, .kind = kind, .address = address, .site = site};
  return step;
}

void model_visible(OpKind kind, uintptr_t address) {
  threads[model_thread].pending = (Pending){kind, address};
  leave();
}

bool model_block(uintptr_t address) {
  Thread *thread = &threads[model_thread];
  thread->is_blocked = true;
  thread->was_woken = false;
  thread->blocked_on = address;
  model_visible(OP_TIMEOUT, address);
  thread->is_blocked = false;
  return thread->was_woken;
}

bool model_is_last(void) {
  for (int index = 0; index < thread_count; ++index)
    if (index != model_thread && !threads[index].has_ended) return false;
  return true;
}

void model_unblock(uintptr_t address) {
  for (int index = 0; index < thread_count; ++index)
    if (threads[index].is_blocked && threads[index].blocked_on == address) threads[index].was_woken = true;
}

/// Whether two next steps can change places without a difference to anybody.
static bool are_independent(Pending first, Pending second) {
  if (first.kind == OP_START || second.kind == OP_START) return true;
  return first.address != second.address || (first.kind == OP_LOAD && second.kind == OP_LOAD);
}

static int lowest(unsigned set) { return set ? __builtin_ctz(set) : -1; }

/// Chooses the thread that runs next; -1 where none is left.
static int choose_thread(int last) {
  unsigned enabled = 0;
  for (int index = 0; index < thread_count; ++index)
    if (!threads[index].has_ended) enabled |= 1u << index;
  if (!enabled) return -1;
  if (is_draining) return last >= 0 && (enabled >> last & 1) ? last : lowest(enabled);
  Choice *choice = next_choice();
  if (choice->chosen < 0) {
    const unsigned awake = enabled & ~asleep;
    // The thread that ran goes on first, so that the first failure found has few changes.
    const int first = last >= 0 && (awake >> last & 1) ? last : lowest(awake);
    if (first < 0) {
      is_draining = true;
      --choice_count;
      --choice_place;
      return lowest(enabled);
    }
    *choice = (Choice){.is_thread = true, .chosen = first, .enabled = enabled, .asleep = asleep};
  }
  if (!choice->is_thread || choice->enabled != enabled) not_repeatable();
  const int chosen = choice->chosen;
  asleep = 0;
  for (int index = 0; index < thread_count; ++index)
    if ((choice->asleep >> index & 1) && index != chosen
        && are_independent(threads[index].pending, threads[chosen].pending))
      asleep |= 1u << index;
  return chosen;
}

static void enter(void) {
  thread_body(thread_context, model_thread);
  Thread *thread = &threads[model_thread];
  thread->has_ended = true;
  give_up();
}

/// Runs a thread up to its next visible operation.
static void resume(int index) {
  Thread *thread = &threads[index];
  if (_setjmp(scheduler) != 0) return;
  model_thread = index;
  if (thread->has_entered) _longjmp(thread->state, 1);
  thread->has_entered = true;
  setcontext(&thread->entry);
}

ExplorerEnd explorer_run(int count, void (*body)(void *context, int thread), void *context) {
  ++execution;
  heap_reset();
  memory_reset();
  shadow_reset();
  memset(threads, 0, sizeof threads);
  thread_count = count;
  thread_body = body;
  thread_context = context;
  choice_place = step_count = 0;
  failure[0] = 0;
  is_pruned = is_draining = false;
  asleep = 0;
  for (int index = 0; index < count; ++index) {
    if (!stacks[index]) stacks[index] = malloc(STACK_BYTES);
    ucontext_t *entry = &threads[index].entry;
    getcontext(entry);
    entry->uc_stack.ss_sp = stacks[index];
    entry->uc_stack.ss_size = STACK_BYTES;
    makecontext(entry, enter, 0);
    resume(index);
  }
  int last = -1;
  while (!failure[0] && !is_pruned && (last = choose_thread(last)) >= 0) resume(last);
  statistics.operations += (uint64_t)step_count;
  if (step_count > statistics.longest) statistics.longest = step_count;
  if (is_pruned || is_draining) {
    ++statistics.pruned;
    return EXPLORER_PRUNED;
  }
  ++statistics.executions;
  return failure[0] ? EXPLORER_FAILED : EXPLORER_COMPLETE;
}

bool explorer_next(void) {
  // This execution may have ended before it came to the last choices of the one before.
  choice_count = choice_place < choice_count ? choice_place : choice_count;
  while (choice_count > 0) {
    Choice *choice = &choices[choice_count - 1];
    if (!choice->is_thread) {
      if (++choice->chosen < choice->options) return true;
    } else {
      choice->asleep |= 1u << choice->chosen;
      const int next = lowest(choice->enabled & ~choice->asleep);
      if (next >= 0) {
        choice->chosen = next;
        return true;
      }
    }
    --choice_count;
  }
  return false;
}

static const char *const order_names[] = {"relaxed", "consume", "acquiring", "releasing", "acquiringAndReleasing", "sequentiallyConsistent"};

void explorer_keep_failure(void) {
  memcpy(kept_steps, steps, sizeof *steps * (size_t)step_count);
  memcpy(kept_failure, failure, sizeof failure);
  kept_count = step_count;
  longest_allowed = step_count - 1;
}

void explorer_print_failure(void) {
  for (int index = 0; index < kept_count; ++index) {
    const Step *step = &kept_steps[index];
    printf("  %3d  thread %d  %-38s ", index + 1, step->thread, site_name(step->site));
    switch (step->kind) {
    case OP_LOAD: printf("load(%s) = %#lx", order_names[step->order], (unsigned long)step->value); break;
    case OP_STORE: printf("store(%#lx, %s)", (unsigned long)step->stored, order_names[step->order]); break;
    case OP_EXCHANGE:
      printf("exchange(%#lx, %s) = %#lx", (unsigned long)step->stored, order_names[step->order], (unsigned long)step->value);
      break;
    case OP_WAIT: printf("wait while %#lx, it is %#lx", (unsigned long)step->stored, (unsigned long)step->value); break;
    case OP_WAKE: printf("wake"); break;
    case OP_TIMEOUT: printf(step->value ? "is woken" : "the deadline passes"); break;
    case OP_START: break;
    }
    if (step->staleness) printf("  (%d newer)", step->staleness);
    printf("\n");
  }
  printf("  fault: %s\n", kept_failure);
}

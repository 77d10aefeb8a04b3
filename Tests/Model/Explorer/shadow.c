// SPDX-License-Identifier: MIT
//
// The last accesses to each byte, to find those that no release and acquire keep apart.
#include "model.h"

#include <stdlib.h>
#include <string.h>

enum { PAGE_BITS = 12, TABLE_BITS = 12, MOST_PAGES = 2000 };

typedef struct {
  /// The execution that the rest belongs to.
  uint32_t execution;
  uint32_t write_clock;
  uint32_t read_clock[MAX_THREADS];
  int8_t writer;
  bool is_freed;
} Cell;

typedef struct Page {
  uintptr_t number;
  struct Page *next;
  Cell cells[1 << PAGE_BITS];
} Page;

static Page *table[1 << TABLE_BITS];
static int page_count;
static uint32_t execution;

void shadow_reset(void) {
  ++execution;
  // Executions that were given up leave their memory, so that new ones use other addresses.
  if (page_count < MOST_PAGES) return;
  for (int index = 0; index < 1 << TABLE_BITS; ++index) {
    while (table[index]) {
      Page *next = table[index]->next;
      free(table[index]);
      table[index] = next;
    }
  }
  page_count = 0;
}

static Cell *cell_at(uintptr_t address) {
  const uintptr_t number = address >> PAGE_BITS;
  Page **chain = &table[number & ((1 << TABLE_BITS) - 1)];
  Page *page = *chain;
  while (page && page->number != number) page = page->next;
  if (!page) {
    page = calloc(1, sizeof *page);
    page->number = number;
    ++page_count;
    page->next = *chain;
    *chain = page;
  }
  Cell *cell = &page->cells[address & ((1 << PAGE_BITS) - 1)];
  if (cell->execution != execution) *cell = (Cell){.execution = execution, .writer = -1};
  return cell;
}

static bool is_before(int thread, uint32_t clock) { return clock <= memory_view(model_thread)->clock[thread]; }

static void check_write(const Cell *cell, const char *what, uintptr_t site) {
  if (cell->is_freed) model_fail("thread %d %s freed memory at %s", model_thread, what, site_name(site));
  if (cell->writer >= 0 && !is_before(cell->writer, cell->write_clock))
    model_fail(
        "data race: thread %d %s at %s what thread %d writes", model_thread, what, site_name(site), cell->writer);
}

void shadow_read(uintptr_t address, size_t size, uintptr_t site) {
  for (size_t index = 0; index < size; ++index) {
    Cell *cell = cell_at(address + index);
    check_write(cell, "reads", site);
    cell->read_clock[model_thread] = memory_view(model_thread)->clock[model_thread];
  }
}

static void note_write(uintptr_t address, size_t size, uintptr_t site, bool frees) {
  for (size_t index = 0; index < size; ++index) {
    Cell *cell = cell_at(address + index);
    const char *what = frees ? "frees" : "writes";
    check_write(cell, what, site);
    for (int thread = 0; thread < MAX_THREADS; ++thread)
      if (cell->read_clock[thread] && !is_before(thread, cell->read_clock[thread]))
        model_fail(
            "data race: thread %d %s at %s what thread %d reads", model_thread, what, site_name(site), thread);
    cell->writer = (int8_t)model_thread;
    cell->write_clock = memory_view(model_thread)->clock[model_thread];
    cell->is_freed = frees;
  }
}

void shadow_write(uintptr_t address, size_t size, uintptr_t site) { note_write(address, size, site, false); }
void shadow_free(uintptr_t address, size_t size, uintptr_t site) { note_write(address, size, site, true); }

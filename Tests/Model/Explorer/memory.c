// SPDX-License-Identifier: MIT
//
// Weak memory as in C11, by views: each location has a history of stored values, and each thread a view of how old a
// value of each it may still read. A value that was stored with release carries its thread's view, and a load with
// acquire takes it over.
//
// The history of a location is in the order in which its stores are executed. That is all of C11 where only one
// thread stores to a location without an exchange, which is checked. Values out of the future (a relaxed load that
// reads a store that depends on it, or comes later in its own thread's program) are not modelled, as in RC11.
#include "model.h"

#include <string.h>

typedef struct {
  uint64_t value;
  View view;
  bool releases;
} Message;

typedef struct {
  uintptr_t address;
  int size;
  int count;
  /// The one thread that stores without an exchange; -1 before.
  int owner;
  Message messages[MAX_MESSAGES];
} Location;

static Location locations[MAX_LOCATIONS];
static int location_count;
static View views[MAX_THREADS];

void memory_reset(void) {
  location_count = 0;
  memset(views, 0, sizeof views);
  for (int thread = 0; thread < MAX_THREADS; ++thread) views[thread].clock[thread] = 1;
}

View *memory_view(int thread) { return &views[thread]; }

static uint64_t real_value(uintptr_t address, int size) {
  uint64_t value = 0;
  memcpy(&value, (const void *)address, (size_t)size);
  return value;
}

static Location *location_at(uintptr_t address, int size) {
  for (int index = 0; index < location_count; ++index)
    if (locations[index].address == address) return &locations[index];
  if (location_count == MAX_LOCATIONS) model_fail("the model has no room for another atomic");
  Location *location = &locations[location_count++];
  location->address = address;
  location->size = size;
  location->count = 1;
  location->owner = -1;
  // Stored by whoever made the memory, before the threads began.
  location->messages[0].value = real_value(address, size);
  location->messages[0].releases = false;
  return location;
}

static void join(View *target, const View *source) {
  for (int index = 0; index < location_count; ++index)
    if (source->oldest[index] > target->oldest[index]) target->oldest[index] = source->oldest[index];
  for (int thread = 0; thread < MAX_THREADS; ++thread)
    if (source->clock[thread] > target->clock[thread]) target->clock[thread] = source->clock[thread];
}

static bool acquires(int order) { return order == 1 || order == 2 || order >= 4; }
static bool releases(int order) { return order >= 3; }

static void append(Location *location, uint64_t value, int order, const Message *continued) {
  if (location->count == MAX_MESSAGES) model_fail("the model has no room for another value of an atomic");
  View *view = &views[model_thread];
  Message *message = &location->messages[location->count];
  view->oldest[location - locations] = (uint8_t)location->count++;
  message->value = value;
  message->releases = false;
  memset(&message->view, 0, sizeof message->view);
  if (continued && continued->releases) {
    // An exchange continues what the value before it released.
    join(&message->view, &continued->view);
    message->releases = true;
  }
  if (releases(order)) {
    join(&message->view, view);
    message->releases = true;
    ++view->clock[model_thread];
  }
  memcpy((void *)location->address, &value, (size_t)location->size);
}

uint64_t memory_load(uintptr_t address, int size, int order, uintptr_t site) {
  model_visible(OP_LOAD, address);
  Step *step = model_step(OP_LOAD, address, site);
  Location *location = location_at(address, size);
  View *view = &views[model_thread];
  const int place = (int)(location - locations);
  const int staleness = model_choose(location->count - view->oldest[place]);
  const int index = location->count - 1 - staleness;
  const Message *message = &location->messages[index];
  if (staleness) model_count_stale();
  view->oldest[place] = (uint8_t)index;
  if (acquires(order) && message->releases) join(view, &message->view);
  step->value = message->value;
  step->staleness = staleness;
  step->order = order;
  return message->value;
}

void memory_store(uintptr_t address, int size, uint64_t value, int order, uintptr_t site) {
  model_visible(OP_STORE, address);
  Step *step = model_step(OP_STORE, address, site);
  Location *location = location_at(address, size);
  if (location->owner >= 0 && location->owner != model_thread)
    model_fail("two threads store to one atomic, which this model does not cover");
  location->owner = model_thread;
  append(location, value, order, NULL);
  step->stored = value;
  step->order = order;
}

uint64_t memory_exchange(
    uintptr_t address, int size, Change change, uint64_t operand, uint64_t expected, int order, uintptr_t site) {
  model_visible(OP_EXCHANGE, address);
  Step *step = model_step(OP_EXCHANGE, address, site);
  Location *location = location_at(address, size);
  View *view = &views[model_thread];
  const Message *message = &location->messages[location->count - 1];
  const uint64_t old = message->value;
  uint64_t value = old;
  const bool stores = change(old, operand, expected, &value);
  view->oldest[location - locations] = (uint8_t)(location->count - 1);
  if (acquires(order) && message->releases) join(view, &message->view);
  if (stores) append(location, value, order, message);
  step->value = old;
  step->stored = value;
  step->order = order;
  return old;
}

uint64_t memory_newest(uintptr_t address, int size) {
  const Location *location = location_at(address, size);
  // The kernel reads on behalf of this thread, which therefore reads nothing older afterwards.
  views[model_thread].oldest[location - locations] = (uint8_t)(location->count - 1);
  return location->messages[location->count - 1].value;
}

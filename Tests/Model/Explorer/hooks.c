// SPDX-License-Identifier: MIT
//
// The functions that the compiler calls for `-sanitize=thread`, and the futex of CRealtime. Outside a thread of an
// execution they do the same as the hardware.
#include "model.h"

#include "CRealtime.h"

#include <malloc.h>
#include <string.h>

// The linker's names for the ends of the program.
extern const char __executable_start[], _end[];

/// Whether an access belongs to the model: not outside executions, and not to the compiler's own caches of types, which
/// are variables of the program. Threads share memory of the heap only.
static bool is_modelled(const volatile void *address) {
  return model_thread >= 0
      && !((const volatile char *)address >= __executable_start && (const volatile char *)address < _end);
}

#define SITE ((uintptr_t)__builtin_return_address(0) - 1)

void __tsan_init(void) {}
void __tsan_func_entry(void *caller) { (void)caller; }
void __tsan_func_exit(void) {}
void __tsan_ignore_thread_begin(void) {}
void __tsan_ignore_thread_end(void) {}
void __tsan_vptr_update(void **pointer, void *value) { (void)pointer, (void)value; }
void __tsan_vptr_read(void **pointer) { (void)pointer; }
// The exclusivity of Swift's own variables; their memory has hooks of its own.
void __tsan_external_read(void *address, void *caller, void *tag) { (void)address, (void)caller, (void)tag; }
void __tsan_external_write(void *address, void *caller, void *tag) { (void)address, (void)caller, (void)tag; }

#define ACCESS(SIZE)                                                              \
  void __tsan_read##SIZE(void *address) {                                         \
    if (is_modelled(address)) shadow_read((uintptr_t)address, SIZE, SITE);           \
  }                                                                               \
  void __tsan_write##SIZE(void *address) {                                        \
    if (is_modelled(address)) shadow_write((uintptr_t)address, SIZE, SITE);          \
  }
#define UNALIGNED(SIZE)                                                           \
  void __tsan_unaligned_read##SIZE(void *address) {                               \
    if (is_modelled(address)) shadow_read((uintptr_t)address, SIZE, SITE);           \
  }                                                                               \
  void __tsan_unaligned_write##SIZE(void *address) {                              \
    if (is_modelled(address)) shadow_write((uintptr_t)address, SIZE, SITE);          \
  }
ACCESS(1)
ACCESS(2)
ACCESS(4)
ACCESS(8)
ACCESS(16)
UNALIGNED(2)
UNALIGNED(4)
UNALIGNED(8)
UNALIGNED(16)

void __tsan_read_range(void *address, size_t size) {
  if (is_modelled(address)) shadow_read((uintptr_t)address, size, SITE);
}

void __tsan_write_range(void *address, size_t size) {
  if (is_modelled(address)) shadow_write((uintptr_t)address, size, SITE);
}

void *__tsan_memcpy(void *target, const void *source, size_t size) {
  if (is_modelled(source)) shadow_read((uintptr_t)source, size, SITE);
  if (is_modelled(target)) shadow_write((uintptr_t)target, size, SITE);
  return memcpy(target, source, size);
}

void *__tsan_memmove(void *target, const void *source, size_t size) {
  if (is_modelled(source)) shadow_read((uintptr_t)source, size, SITE);
  if (is_modelled(target)) shadow_write((uintptr_t)target, size, SITE);
  return memmove(target, source, size);
}

void *__tsan_memset(void *target, int value, size_t size) {
  if (is_modelled(target)) shadow_write((uintptr_t)target, size, SITE);
  return memset(target, value, size);
}

// MARK: Atomic operations

static bool exchange(uint64_t old, uint64_t operand, uint64_t expected, uint64_t *value) {
  (void)old, (void)expected;
  *value = operand;
  return true;
}

static bool add(uint64_t old, uint64_t operand, uint64_t expected, uint64_t *value) {
  (void)expected;
  *value = old + operand;
  return true;
}

static bool join_bits(uint64_t old, uint64_t operand, uint64_t expected, uint64_t *value) {
  (void)expected;
  *value = old | operand;
  return true;
}

static bool keep_bits(uint64_t old, uint64_t operand, uint64_t expected, uint64_t *value) {
  (void)expected;
  *value = old & operand;
  return true;
}

static bool compare(uint64_t old, uint64_t operand, uint64_t expected, uint64_t *value) {
  *value = operand;
  return old == expected;
}

#define UPDATE(BITS, TYPE, NAME, OPERATION)                                                           \
  TYPE __tsan_atomic##BITS##_##NAME(volatile TYPE *address, TYPE value, int order) {                  \
    if (!is_modelled(address)) return __atomic_##NAME(address, value, __ATOMIC_SEQ_CST);              \
    const uintptr_t site = SITE;                                                                      \
    shadow_read((uintptr_t)address, sizeof *address, site);                                           \
    order = site_order(site, order, true, true);                                                      \
    return (TYPE)memory_exchange((uintptr_t)address, sizeof *address, OPERATION, value, 0, order, site); \
  }
#define ATOMIC(BITS, TYPE)                                                                            \
  TYPE __tsan_atomic##BITS##_load(const volatile TYPE *address, int order) {                          \
    if (!is_modelled(address)) return __atomic_load_n(address, __ATOMIC_SEQ_CST);                          \
    const uintptr_t site = SITE;                                                                      \
    shadow_read((uintptr_t)address, sizeof *address, site);                                           \
    order = site_order(site, order, true, false);                                                     \
    return (TYPE)memory_load((uintptr_t)address, sizeof *address, order, site);                       \
  }                                                                                                   \
  void __tsan_atomic##BITS##_store(volatile TYPE *address, TYPE value, int order) {                   \
    if (!is_modelled(address)) {                                                                      \
      __atomic_store_n(address, value, __ATOMIC_SEQ_CST);                                             \
      return;                                                                                         \
    }                                                                                                 \
    const uintptr_t site = SITE;                                                                      \
    shadow_read((uintptr_t)address, sizeof *address, site);                                           \
    order = site_order(site, order, false, true);                                                     \
    memory_store((uintptr_t)address, sizeof *address, value, order, site);                            \
  }                                                                                                   \
  TYPE __tsan_atomic##BITS##_exchange(volatile TYPE *address, TYPE value, int order) {                \
    if (!is_modelled(address)) return __atomic_exchange_n(address, value, __ATOMIC_SEQ_CST);               \
    const uintptr_t site = SITE;                                                                      \
    shadow_read((uintptr_t)address, sizeof *address, site);                                           \
    order = site_order(site, order, true, true);                                                      \
    return (TYPE)memory_exchange((uintptr_t)address, sizeof *address, exchange, value, 0, order, site); \
  }                                                                                                   \
  UPDATE(BITS, TYPE, fetch_add, add)                                                                  \
  UPDATE(BITS, TYPE, fetch_or, join_bits)                                                             \
  UPDATE(BITS, TYPE, fetch_and, keep_bits)                                                            \
  TYPE __tsan_atomic##BITS##_compare_exchange_val(                                                    \
      volatile TYPE *address, TYPE expected, TYPE value, int order, int failing) {                    \
    (void)failing;                                                                                    \
    if (!is_modelled(address)) {                                                                      \
      __atomic_compare_exchange_n(                                                                    \
          address, &expected, value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);                      \
      return expected;                                                                                \
    }                                                                                                 \
    const uintptr_t site = SITE;                                                                      \
    shadow_read((uintptr_t)address, sizeof *address, site);                                           \
    order = site_order(site, order, true, true);                                                      \
    return (TYPE)memory_exchange(                                                                     \
        (uintptr_t)address, sizeof *address, compare, value, expected, order, site);                  \
  }

ATOMIC(8, uint8_t)
ATOMIC(16, uint16_t)
ATOMIC(32, uint32_t)
ATOMIC(64, uint64_t)

void explorer_free(const void *memory, uint64_t bytes) {
  if (is_modelled(memory)) shadow_free((uintptr_t)memory, bytes, SITE);
}

// MARK: The clock and the futex of CRealtime

static uint64_t deadline_of[MAX_THREADS];
static uint64_t execution_of[MAX_THREADS];

uint64_t realtime_now_nanoseconds(void) {
  if (model_thread < 0 || execution_of[model_thread] != explorer_execution()) return EXPLORER_START_NANOSECONDS;
  return deadline_of[model_thread];
}

void realtime_wait_word(const void *word, uint32_t value, uint64_t deadline_nanoseconds) {
  const uintptr_t address = (uintptr_t)word, site = SITE;
  model_visible(OP_WAIT, address);
  Step *step = model_step(OP_WAIT, address, site);
  // The kernel compares under a lock of its own, with the newest value, and synchronizes nothing.
  const uint64_t newest = memory_newest(address, sizeof value);
  step->stored = value;
  step->value = newest;
  if (newest != value) return;
  const int thread = model_thread;
  const bool is_woken = model_block(address);
  step = model_step(OP_TIMEOUT, address, site);
  step->value = is_woken;
  if (is_woken) return;
  if (model_is_last() && memory_newest(address, sizeof value) != value)
    model_fail("lost wake: thread %d sleeps until its deadline, though the word has changed", thread);
  deadline_of[thread] = deadline_nanoseconds;
  execution_of[thread] = explorer_execution();
}

static bool drops_wakes;

void explorer_drop_wakes(bool drops) { drops_wakes = drops; }

void realtime_wake_word(const void *word) {
  const uintptr_t address = (uintptr_t)word, site = SITE;
  model_visible(OP_WAKE, address);
  model_step(OP_WAKE, address, site);
  if (!drops_wakes) model_unblock(address);
}

// MARK: The heap

// The C library's own names, behind the function below.
extern void __libc_free(void *memory);

/// Memory that threads have freed; it goes back when the execution is over, so that no address is used twice in one.
static struct Freed {
  struct Freed *next;
} *freed;

void heap_reset(void) {
  while (freed) {
    struct Freed *next = freed->next;
    __libc_free(freed);
    freed = next;
  }
}

/// Stands in front of the C library's: Swift's runtime calls it for all memory that it frees.
void free(void *memory) {
  if (!memory) return;
  if (model_thread < 0) {
    __libc_free(memory);
    return;
  }
  shadow_free((uintptr_t)memory, malloc_usable_size(memory), SITE);
  struct Freed *entry = memory;
  entry->next = freed;
  freed = entry;
}

// SPDX-License-Identifier: MIT
#pragma once

#include <stdatomic.h>

/// Finds a function of a shared library, which is loaded now unless it is there.
///
/// From any thread but audio threads: it reads files and takes the loader's lock.
///
/// @param library The library's name, such as "libxml2.so.2".
/// @param function The function's name.
/// @return The function; NULL where the library or its function is missing, with the reason in late_reason().
void *late_find(const char *library, const char *function);

/// Says why late_find() found nothing on this thread: "libxml2.so.2: cannot open shared object file: …".
///
/// @return Text that stays until the thread's next search.
const char *late_reason(void);

/// Ends the program as the loader does at its start where a library is missing: with the reason, and status 127.
_Noreturn void late_give_up(void);

/// Defines a function that a header declares, so that its first call loads the library instead of every start of the program.
///
/// @param library The library's name.
/// @param missing What a call does where the library is missing: a statement.
#define LATE(library, missing, result, name, parameters, arguments)                                \
  __attribute__((visibility("hidden"))) result name parameters {                                   \
    static _Atomic(void *) known;                                                                  \
    void *function = atomic_load_explicit(&known, memory_order_acquire);                           \
    if (!function) {                                                                               \
      function = late_find(library, #name);                                                        \
      if (!function) {                                                                             \
        missing;                                                                                   \
      }                                                                                            \
      atomic_store_explicit(&known, function, memory_order_release);                               \
    }                                                                                              \
    return ((__typeof__(&name))function)arguments;                                                 \
  }

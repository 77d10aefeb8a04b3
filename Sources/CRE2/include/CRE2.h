// SPDX-License-Identifier: MIT
//
// The regular expressions of RE2, whose matches take a time that is linear in the length of the text.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A compiled expression. Several threads may match with one expression.
typedef struct re2_expression re2_expression;

/// Compiles a POSIX extended expression over UTF-8, with the classes \d \s \w and the boundary \b.
///
/// The expression and what its matches keep take about `memory_bytes` at most. With `captures` a match also tells its groups.
/// NULL when there is no memory.
/// [any-thread]
re2_expression *re2_expression_create(
  const char *text, size_t bytes, int64_t memory_bytes, bool captures);

/// Frees an expression.
/// [any-thread]
void re2_expression_destroy(re2_expression *expression);

/// Why the expression cannot be used; NULL for a good one. It lives as long as the expression.
/// [any-thread]
const char *re2_expression_fault(const re2_expression *expression);

/// Whether the fault is that the compiled expression needs more memory than is allowed.
/// [any-thread]
bool re2_expression_is_too_large(const re2_expression *expression);

/// The number of steps of the compiled expression; a match takes at most so many for each byte of a text.
/// [any-thread]
int32_t re2_expression_steps(const re2_expression *expression);

/// Whether the whole of a text matches; a text that is no UTF-8 matches nothing but what its valid parts do.
/// [any-thread]
bool re2_expression_matches_whole(
  const re2_expression *expression, const char *text, size_t bytes);

/// The number of groups of an expression that captures.
/// [any-thread]
int32_t re2_expression_groups(const re2_expression *expression);

/// Whether the whole of a text matches, and where its groups are: `places` has a first byte and a number of bytes for each of
/// `groups` groups, or -1 and 0 for a group that has no part in the match. At most 9 groups.
/// [any-thread]
bool re2_expression_captures(
  const re2_expression *expression, const char *text, size_t bytes, int32_t groups, int32_t *places);

#ifdef __cplusplus
}
#endif

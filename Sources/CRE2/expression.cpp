// SPDX-License-Identifier: MIT
#include "CRE2.h"

#include <new>
#include <re2/re2.h>
#include <re2/stringpiece.h>

struct re2_expression {
  re2::RE2 compiled;

  re2_expression(re2::StringPiece text, const re2::RE2::Options &options)
      : compiled(text, options) {}
};

re2_expression *re2_expression_create(const char *text, size_t bytes, int64_t memory_bytes) {
  re2::RE2::Options options;
  options.set_posix_syntax(true);
  options.set_perl_classes(true);
  options.set_word_boundary(true);
  // As in POSIX: ^ and $ are the ends of the text, and a dot is also a line end.
  options.set_one_line(true);
  options.set_dot_nl(true);
  options.set_longest_match(true);
  options.set_never_capture(true);
  options.set_log_errors(false);
  options.set_max_mem(memory_bytes);
  return new (std::nothrow) re2_expression(re2::StringPiece(text, bytes), options);
}

void re2_expression_destroy(re2_expression *expression) { delete expression; }

const char *re2_expression_fault(const re2_expression *expression) {
  return expression->compiled.ok() ? nullptr : expression->compiled.error().c_str();
}

bool re2_expression_is_too_large(const re2_expression *expression) {
  return expression->compiled.error_code() == re2::RE2::ErrorPatternTooLarge;
}

int32_t re2_expression_steps(const re2_expression *expression) {
  return expression->compiled.ProgramSize();
}

bool re2_expression_matches_whole(
  const re2_expression *expression, const char *text, size_t bytes) {
  return expression->compiled.Match(
    re2::StringPiece(text, bytes), 0, bytes, re2::RE2::ANCHOR_BOTH, nullptr, 0);
}

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

re2_expression *re2_expression_create(
  const char *text, size_t bytes, int64_t memory_bytes, bool captures) {
  re2::RE2::Options options;
  options.set_posix_syntax(true);
  options.set_perl_classes(true);
  options.set_word_boundary(true);
  // As in POSIX: ^ and $ are the ends of the text, and a dot is also a line end.
  options.set_one_line(true);
  options.set_dot_nl(true);
  options.set_longest_match(true);
  options.set_never_capture(!captures);
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

int32_t re2_expression_groups(const re2_expression *expression) {
  return expression->compiled.NumberOfCapturingGroups();
}

bool re2_expression_captures(
  const re2_expression *expression, const char *text, size_t bytes, int32_t groups, int32_t *places) {
  re2::StringPiece found[10];
  const int count = groups < 9 ? groups : 9;
  if (!expression->compiled.Match(
        re2::StringPiece(text, bytes), 0, bytes, re2::RE2::ANCHOR_BOTH, found, count + 1))
    return false;
  for (int group = 0; group < count; group++) {
    const re2::StringPiece &piece = found[group + 1];
    const bool has_part = piece.data() != nullptr;
    places[2 * group] = has_part ? static_cast<int32_t>(piece.data() - text) : -1;
    places[2 * group + 1] = static_cast<int32_t>(piece.size());
  }
  return true;
}

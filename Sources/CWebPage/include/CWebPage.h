// SPDX-License-Identifier: MIT
#pragma once

#include <stddef.h>
#include <stdint.h>

// The files of the page of the web server, which are parts of the program.

/// A file of the page.
typedef struct web_page_file {
  /// The name without a folder.
  const char *name;
  /// The bytes.
  const uint8_t *bytes;
  /// The number of bytes.
  size_t length;
} web_page_file;

/// The number of files. [any-thread]
size_t web_page_file_count(void);

/// A file by its place, which is smaller than the number of files. [any-thread]
web_page_file web_page_file_at(size_t place);

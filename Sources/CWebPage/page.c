// SPDX-License-Identifier: MIT
#include "CWebPage.h"

// Each file of the folder `page` has its bytes here, and a line in the table below. A test compares both with the folder.

static const uint8_t index_html[] = {
#embed "page/index.html"
};

#define FILE_OF_PAGE(name, bytes) {name, bytes, sizeof bytes}

static const web_page_file files[] = {
    FILE_OF_PAGE("index.html", index_html),
};

size_t web_page_file_count(void) { return sizeof files / sizeof files[0]; }

web_page_file web_page_file_at(size_t place) { return files[place]; }

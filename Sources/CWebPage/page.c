// SPDX-License-Identifier: MIT
#include "CWebPage.h"

// Each file of the folder `page` has its bytes here, and a line in the table below. A test compares both with the folder.

static const uint8_t channel_js[] = {
#embed "page/channel.js"
};

static const uint8_t controls_js[] = {
#embed "page/controls.js"
};

static const uint8_t hardware_js[] = {
#embed "page/hardware.js"
};

static const uint8_t icon_svg[] = {
#embed "page/icon.svg"
};

static const uint8_t index_html[] = {
#embed "page/index.html"
};

static const uint8_t live_js[] = {
#embed "page/live.js"
};

static const uint8_t main_js[] = {
#embed "page/main.js"
};

static const uint8_t mixer_js[] = {
#embed "page/mixer.js"
};

static const uint8_t parts_js[] = {
#embed "page/parts.js"
};

static const uint8_t patch_js[] = {
#embed "page/patch.js"
};

static const uint8_t scenes_js[] = {
#embed "page/scenes.js"
};

static const uint8_t sends_js[] = {
#embed "page/sends.js"
};

static const uint8_t sessions_js[] = {
#embed "page/sessions.js"
};

static const uint8_t style_css[] = {
#embed "page/style.css"
};

static const uint8_t surfaces_js[] = {
#embed "page/surfaces.js"
};

static const uint8_t tree_js[] = {
#embed "page/tree.js"
};

static const uint8_t views_css[] = {
#embed "page/views.css"
};

#define FILE_OF_PAGE(name, bytes) {name, bytes, sizeof bytes}

static const web_page_file files[] = {
    FILE_OF_PAGE("channel.js", channel_js),
    FILE_OF_PAGE("controls.js", controls_js),
    FILE_OF_PAGE("hardware.js", hardware_js),
    FILE_OF_PAGE("icon.svg", icon_svg),
    FILE_OF_PAGE("index.html", index_html),
    FILE_OF_PAGE("live.js", live_js),
    FILE_OF_PAGE("main.js", main_js),
    FILE_OF_PAGE("mixer.js", mixer_js),
    FILE_OF_PAGE("parts.js", parts_js),
    FILE_OF_PAGE("patch.js", patch_js),
    FILE_OF_PAGE("scenes.js", scenes_js),
    FILE_OF_PAGE("sends.js", sends_js),
    FILE_OF_PAGE("sessions.js", sessions_js),
    FILE_OF_PAGE("style.css", style_css),
    FILE_OF_PAGE("surfaces.js", surfaces_js),
    FILE_OF_PAGE("tree.js", tree_js),
    FILE_OF_PAGE("views.css", views_css),
};

size_t web_page_file_count(void) { return sizeof files / sizeof files[0]; }

web_page_file web_page_file_at(size_t place) { return files[place]; }

// SPDX-License-Identifier: MIT
#pragma once

#include "CMixKernels.h"

/// The notes of a channel; with all of them there is nothing left to note.
enum { had_signal = 1, has_sounded = 2, all_notes = had_signal | has_sounded };

/// Raises the peaks of both taps, which were `old`, where these are higher; values that are not finite are left out. [audio-thread]
void taps_raise(MixTaps *taps, uint64_t old, float before, float behind);

/// Notes the highest magnitude, above 0, of a block of an input that a send takes; one that is not finite is left out. [audio-thread]
void taps_note(MixTaps *taps, float peak);

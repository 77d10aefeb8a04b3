// SPDX-License-Identifier: MIT
#pragma once

#include "CMixKernels.h"

/// Every note that there is: nothing is left to note.
enum { all_notes = 3 };

/// Raises the peaks of both taps, which were `old`, where these are higher; values that are not finite are left out.
void taps_raise(MixTaps *taps, uint64_t old, float before, float behind);

/// Notes the highest magnitude, above 0, of a block of an input that a send takes; one that is not finite is left out.
void taps_note(MixTaps *taps, float peak);

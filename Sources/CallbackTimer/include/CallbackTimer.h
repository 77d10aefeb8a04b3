// SPDX-License-Identifier: MIT
#pragma once

// The library has no functions of its own: it stands in front of libjack's `jack_set_process_callback` in the programs that
// `multiroute bench mix` starts (LD_PRELOAD), and times their callbacks.

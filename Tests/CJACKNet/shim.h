// SPDX-License-Identifier: MIT
//
// The network master of a JACK server, and the calls that read and write its MIDI buffers.
#pragma once

#include <jack/midiport.h>
#include <jack/net.h>

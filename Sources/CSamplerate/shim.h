// SPDX-License-Identifier: MIT
#pragma once
#include <samplerate.h>

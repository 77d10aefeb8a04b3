// SPDX-License-Identifier: MIT
#pragma once
#include <jack/jack.h>

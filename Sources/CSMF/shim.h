// SPDX-License-Identifier: MIT
#pragma once

#include <smf.h>

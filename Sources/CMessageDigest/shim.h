// SPDX-License-Identifier: MIT
#pragma once

#include <sys/types.h>

#include <sha2.h>

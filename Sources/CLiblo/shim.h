// SPDX-License-Identifier: MIT
#pragma once

#include <lo/lo.h>

/* SPDX-License-Identifier: MIT */

/* The functions are in Swift: Sources/SessionInterface. */
#include "multiroute_session.h"

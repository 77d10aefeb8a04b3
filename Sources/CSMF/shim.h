// SPDX-License-Identifier: MIT
#pragma once

#include <smf.h>

static inline void multiroute_smf_ignore(const gchar *domain, GLogLevelFlags level,
                                         const gchar *message, gpointer context) {
  (void)domain;
  (void)level;
  (void)message;
  (void)context;
}

/// Keeps libsmf from writing to standard error; may be called again.
static inline void multiroute_smf_be_silent(void) {
  g_log_set_handler("libsmf", (GLogLevelFlags)(G_LOG_LEVEL_MASK | G_LOG_FLAG_FATAL), multiroute_smf_ignore, NULL);
}

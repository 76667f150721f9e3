/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The numbers that a server is run with where its configuration has none of its own. */
typedef struct
{
  guint call_timeout_ms;
  guint max_call_timeout_ms;
  guint startup_timeout_ms;
  guint install_timeout_ms;
  guint shutdown_timeout_ms;
  guint health_interval_ms;
  guint health_timeout_ms;
  guint max_health_failures;
  guint max_restart_attempts;
  guint max_restarts_per_hour;
  guint restart_delay_ms;
  guint max_restart_delay_ms;
  guint restart_jitter_percent;
  guint restart_reset_ms;
  guint restart_wait_ms;
  guint failed_start_delay_ms;
  guint max_calls;
  guint max_queued_calls;
} GmcpServerLimits;

G_END_DECLS

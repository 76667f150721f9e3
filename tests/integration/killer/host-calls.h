/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/gmcp.h>

G_BEGIN_DECLS

/* What a host does with a manager all the time: calls of tools, and now and then everything else. Each
 * has to end, within a time, in a result or an error that fits. */

typedef struct
{
  char *server;
  char *tool;
  gboolean is_in_settings; /* its server is configured in GSettings, not in the file */
  char *arguments;
  guint n_results;
  guint n_errors;
} CallKind;

typedef struct
{
  GmcpManager *manager; /* of now; NULL between two */
  GPtrArray *kinds;     /* of CallKind */
  GRand *rand;
  GHashTable *pending; /* what is under way */
  GHashTable *errors;  /* how often there was which */
  gboolean calling;
  guint n_ended;
  guint n_cancelled;
  gint64 worst_us;
  guint n_failures; /* what is wrong, and was told */
} HostCalls;

/* Says what is wrong; the test fails by it. */
void host_calls_fail (HostCalls *self, const char *format, ...) G_GNUC_PRINTF (2, 3);

/* Reads a line for each kind of call: server, tool, where the server is configured ("file" or
 * "settings") and arguments, with a tabulator between them. */
void host_calls_read (HostCalls *self, const char *path, guint32 seed);
void host_calls_clear (HostCalls *self);

/* From now on, until calling is set to FALSE. */
void host_calls_begin (HostCalls *self);
/* Each kind once, and again until there was a result. Returns whether there was one of each. */
gboolean host_calls_try_all (HostCalls *self, guint limit_ms);
/* Waits for what is under way, and tells of what does not end. */
void host_calls_drain (HostCalls *self);

#define host_wait_until(condition, limit_ms)                                                       \
  ({                                                                                               \
    gint64 end_us = g_get_monotonic_time () + (limit_ms) * (gint64) 1000;                          \
    while (!(condition) && g_get_monotonic_time () < end_us)                                       \
      host_wait_a_little ();                                                                       \
    (condition);                                                                                   \
  })

/* One turn of the loop, which ends by the clock at the latest. */
void host_wait_a_little (void);

G_END_DECLS

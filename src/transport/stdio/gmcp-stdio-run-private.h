/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gio/gio.h>

#include "gmcp-child-private.h"
#include "gmcp-stderr-tail-private.h"
#include "gmcp-transport-private.h"

G_BEGIN_DECLS

/* One run of a server, from its start until nothing is left of it: its process, the messages to and
 * from it, and the ordered stop. */

typedef struct _GmcpStdioRun GmcpStdioRun;

/* Told in the context. Each may free the run. */
typedef struct
{
  /* Exactly one of these two. */
  void (*started) (gpointer owner);
  void (*failed) (gpointer owner, const GmcpChildFailure *failure);

  void (*message) (gpointer owner, const char *text, gsize length, GBytes *bytes);
  void (*violation) (gpointer owner, const GError *error);

  /* The end that nobody asked for, once: it exited, after its last message was handed over; or it
   * closed a stream, did not exit for a while, and is being stopped. */
  void (*exited) (gpointer owner, int wait_status);
  void (*went_deaf) (gpointer owner);
  /* A phase of an installation, which comes before the server. */
  void (*install) (gpointer owner, GmcpGuardInstallPhase phase);

  /* After gmcp_stdio_run_stop(). */
  void (*stopped) (gpointer owner);
} GmcpStdioRunFuncs;

/* How long the server has to exit after each step of the stop. */
typedef struct
{
  guint stdin_ms;
  guint term_ms;
} GmcpStdioStopTimes;

/* Holds no reference on owner, but while it calls it. */
GmcpStdioRun *gmcp_stdio_run_new (GObject *owner,
                                  const GmcpStdioRunFuncs *funcs,
                                  GMainContext *context,
                                  const GmcpSpawnOptions *options,
                                  GmcpStderrTail *tail,
                                  GError **error);
/* What still runs is ended in the background. */
void gmcp_stdio_run_free (GmcpStdioRun *self);

/* What the guard is, and what it waits for where it was told to wait. */
int gmcp_stdio_run_take_service_fd (GmcpStdioRun *self);
void gmcp_stdio_run_start (GmcpStdioRun *self);

/* After started: from now on messages come in. */
void gmcp_stdio_run_read (GmcpStdioRun *self, gsize max_message_bytes);
void gmcp_stdio_run_set_max_message_bytes (GmcpStdioRun *self, gsize max_message_bytes);
/* Whether the server has ended its output by itself, and what became of it is still to be told. */
gboolean gmcp_stdio_run_is_ending (GmcpStdioRun *self);
gboolean gmcp_stdio_run_send (GmcpStdioRun *self, const GmcpOutgoing *message, GError **error);

/* Output of a line that has no end yet; NULL for none. */
const char *gmcp_stdio_run_peek_rest (GmcpStdioRun *self, gsize *length);

/* The first message is there, so the program is as well. */
void gmcp_stdio_run_tell_installed (GmcpStdioRun *self);

/* Closes its standard input, waits, sends SIGTERM, waits, sends SIGKILL. */
void gmcp_stdio_run_set_stop_times (GmcpStdioRun *self, const GmcpStdioStopTimes *times);
void gmcp_stdio_run_stop (GmcpStdioRun *self);

/* 0 where it is not running. */
int gmcp_stdio_run_get_pid (GmcpStdioRun *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpStdioRun, gmcp_stdio_run_free)

G_END_DECLS

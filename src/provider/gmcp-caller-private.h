/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/protocol/calls/gmcp-call-options.h>
#include <gmcp/provider/gmcp-caller.h>
#include <gmcp/provider/gmcp-tool-provider.h>

#include "gmcp-json-private.h"

G_BEGIN_DECLS

/* What stands behind a caller: a client at the other end of a connection, or this program. */
typedef struct
{
  /* Borrowed, nullable. */
  GmcpImplementation *(*get_client_info) (gpointer data);
  GmcpCapabilities *(*get_client_capabilities) (gpointer data);
  const char *(*get_protocol_version) (gpointer data);
  const char *(*get_user) (gpointer data);
  /* May be NULL. */
  const char *(*get_program) (gpointer data);
  gboolean (*wants_log) (gpointer data, GmcpLogLevel level);
  /* The params of a notifications/message. */
  void (*log) (gpointer data, GmcpLogLevel level, GmcpJsonDoc *params);
  /* Each takes the task, and completes it with the answer as JSON text (of a question), or with an
   * array of GmcpRoot. */
  void (*ask) (gpointer data, GmcpInputRequest *question, GTask *task);
  void (*list_roots) (gpointer data, GTask *task);
  /* Whether the call has ended with a question, whose answer comes with another call. */
  gboolean (*is_called_again) (gpointer data);
  /* The number of the client's connection, which no other has or will have; 0 for this program. */
  guint64 (*get_connection_number) (gpointer data);
  /* The client beyond one request: its connection, or the user where each request is a connection of its own. May be
   * NULL for this program. */
  char *(*dup_client_name) (gpointer data);
  /* What a handler keeps from one round of its call to the next; JSON text, NULL for nothing. */
  void (*keep_state) (gpointer data, const char *json);
  const char *(*get_state) (gpointer data);
  /* May be NULL, where no call becomes a task. */
  gboolean (*hold_task) (gpointer data);
  gboolean (*begin_task) (gpointer data);
  /* May be NULL. */
  gboolean (*end_stream) (gpointer data, guint retry_ms);
} GmcpCallerFuncs;

/* Its home is the thread that it is made in, with the thread's default context. */
GmcpCaller *gmcp_caller_new (const GmcpCallerFuncs *funcs, gpointer data, GDestroyNotify destroy);

/* Whether a question waits for its answer, while no time of the call passes. */
gboolean gmcp_caller_is_asking (GmcpCaller *self);

gboolean gmcp_caller_is_called_again (GmcpCaller *self);
guint64 gmcp_caller_get_connection_number (GmcpCaller *self);
char *gmcp_caller_dup_client_name (GmcpCaller *self);
/* The program at the other end of a Unix socket, as the system has it: “FILE (PID)”. NULL where it is not known. */
const char *gmcp_caller_peek_program (GmcpCaller *self);

/* The host itself, which called this provider; both may be NULL. */
GmcpCaller *gmcp_caller_new_for_host (GmcpToolProvider *provider, GmcpCallOptions *options);

G_END_DECLS

/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-managed-server-private.h"

G_BEGIN_DECLS

/* Told when the process of a server that is not managed any more is gone. */
typedef struct
{
  GDestroyNotify done;
  gpointer data;
} GmcpServerFarewell;

struct _GmcpManagedServer
{
  GObject parent_instance;

  GMainContext *context;
  GmcpServerConfig *config;
  GmcpServerLimits limits;
  char *client_name;
  GmcpToolProvider *provider; /* not owned */

  GmcpServerState state;
  GError *last_error;
  GError *gone;        /* why nothing starts it any more */
  gboolean was_tried;  /* with this configuration */
  gboolean was_listed; /* its tools, with this configuration */

  /* At most one of these two is there. */
  GmcpServerRun *run;     /* starts or is ready */
  GmcpServerRun *leaving; /* is being stopped; what wants to start waits for it */

  GCancellable *starting; /* while it starts; made anew for each start */
  GSource *start_limit;   /* while the tools are listed for the first time */
  gint64 start_us;
  gboolean start_timed_out;

  GQueue starters; /* of GTask */
  GQueue stoppers; /* of GTask */
  GmcpServerFarewell farewell;

  GPtrArray *tools; /* of GmcpTool; replaced as a whole */
  char *instructions;
};

/* The state machine: gmcp-managed-server-life.c */
void gmcp_managed_server_begin_start (GmcpManagedServer *self);
/* The run becomes the one that leaves, and the state is as given. Callbacks may run in it. */
void gmcp_managed_server_let_go (GmcpManagedServer *self, guint drain_ms, GmcpServerState state);
void gmcp_managed_server_say_farewell (GmcpManagedServer *self);
void gmcp_managed_server_withdraw_tools (GmcpManagedServer *self);

/* Properties and signals: gmcp-managed-server.c */
void gmcp_managed_server_set_state (GmcpManagedServer *self, GmcpServerState state);
void gmcp_managed_server_set_last_error (GmcpManagedServer *self, const GError *error);
void gmcp_managed_server_tools_changed (GmcpManagedServer *self);
void
gmcp_managed_server_notice (GmcpManagedServer *self, GmcpNoticeLevel level, const char *format, ...)
  G_GNUC_PRINTF (3, 4);

/* Questions of the server: gmcp-managed-server-input.c */
void gmcp_managed_server_watch_input (GmcpManagedServer *self, GmcpClient *client);
void gmcp_managed_server_unwatch_input (GmcpManagedServer *self, GmcpClient *client);
gboolean gmcp_managed_server_has_input_handler (GmcpManagedServer *self);
void gmcp_managed_server_emit_input_requested (GmcpManagedServer *self, GmcpInputRequest *request);

G_END_DECLS

/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/client/gmcp-client.h>
#include <gmcp/manager/gmcp-server-config.h>
#include <gmcp/provider/gmcp-tool-call.h>

G_BEGIN_DECLS

/* What one configuration of a server is run with: the client, and the calls that are under way. It
 * lives until the last of them has ended, so that a server whose configuration changed can finish
 * what it has begun. */

typedef struct
{
  guint call_timeout_ms;
  guint max_call_timeout_ms;
  guint startup_timeout_ms;
  guint shutdown_timeout_ms;
  guint health_interval_ms;
  guint health_timeout_ms;
  guint max_restart_attempts;
} GmcpServerLimits;

typedef struct _GmcpServerRun GmcpServerRun;
typedef void (*GmcpServerRunFunc) (GmcpServerRun *run, gpointer data);

/* GMCP_ERROR_INVALID_CONFIG, or GMCP_ERROR_NOT_SUPPORTED for a transport that this build lacks. */
GmcpServerRun *
gmcp_server_run_new (GmcpServerConfig *config, GMainContext *context, GError **error);
GmcpServerRun *gmcp_server_run_ref (GmcpServerRun *run);
void gmcp_server_run_unref (GmcpServerRun *run);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpServerRun, gmcp_server_run_unref)

GmcpClient *gmcp_server_run_get_client (GmcpServerRun *run);
/* The limits of the configuration where it has some, else those given. */
void gmcp_server_run_set_limits (GmcpServerRun *run,
                                 GmcpServerConfig *config,
                                 const GmcpServerLimits *limits);
/* Sends a call to a client that is open. */
void gmcp_server_run_call (GmcpServerRun *run, const char *tool, GmcpToolCall *call);
/* Closes the client once no call is under way, at most after drain_ms; then calls done. */
void
gmcp_server_run_retire (GmcpServerRun *run, guint drain_ms, GmcpServerRunFunc done, gpointer data);
/* Does not wait for calls any longer. */
void gmcp_server_run_hurry (GmcpServerRun *run);
/* Closes the client at once, for whoever is not there any more to be told. */
void gmcp_server_run_forget (GmcpServerRun *run);

G_END_DECLS

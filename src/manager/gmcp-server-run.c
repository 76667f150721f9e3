/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-client-call-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-server-config-private.h"
#include "gmcp-server-run-private.h"
#include "gmcp-tool-call-private.h"

#include <gmcp/core/gmcp-error.h>

struct _GmcpServerRun
{
  grefcount ref_count;
  GMainContext *context;
  GmcpClient *client;
  guint n_calls;

  gboolean retired;
  gboolean closing;
  GSource *drain;
  GmcpServerRunFunc done;
  gpointer done_data;
};

typedef struct
{
  GmcpServerRun *run;
  GmcpToolCall *call;
} RunningCall;

GmcpServerRun *
gmcp_server_run_new (GmcpServerConfig *config, GMainContext *context, GError **error)
{
  g_autoptr (GmcpTransport) transport = NULL;
  g_autofree char *hash = NULL;
  GmcpServerRun *run;

  g_main_context_push_thread_default (context);
  transport = gmcp_server_config_make_transport (config, error);
  if (transport == NULL)
    {
      g_main_context_pop_thread_default (context);
      return NULL;
    }

  run = g_new0 (GmcpServerRun, 1);
  g_ref_count_init (&run->ref_count);
  run->context = g_main_context_ref (context);
  run->client = gmcp_client_new (transport);
  g_main_context_pop_thread_default (context);

  hash = gmcp_server_config_dup_hash (config);
  gmcp_client_set_name (run->client, gmcp_server_config_get_title (config));
  gmcp_client_set_cache_key (run->client, hash);
  gmcp_client_set_era (run->client, gmcp_server_config_get_era (config));
  gmcp_client_set_allow_sampling (run->client, gmcp_server_config_get_allow_sampling (config));
  return run;
}

GmcpServerRun *
gmcp_server_run_ref (GmcpServerRun *run)
{
  g_ref_count_inc (&run->ref_count);
  return run;
}

void
gmcp_server_run_unref (GmcpServerRun *run)
{
  if (!g_ref_count_dec (&run->ref_count))
    return;

  g_object_unref (run->client);
  g_main_context_unref (run->context);
  g_free (run);
}

GmcpClient *
gmcp_server_run_get_client (GmcpServerRun *run)
{
  return run->client;
}

void
gmcp_server_run_set_limits (GmcpServerRun *run,
                            GmcpServerConfig *config,
                            const GmcpServerLimits *limits)
{
  guint call_timeout_ms = gmcp_server_config_get_call_timeout_ms (config);
  guint startup_timeout_ms = gmcp_server_config_get_startup_timeout_ms (config);

  if (call_timeout_ms == 0)
    call_timeout_ms = limits->call_timeout_ms;
  if (startup_timeout_ms == 0)
    startup_timeout_ms = limits->startup_timeout_ms;

  gmcp_client_set_call_timeout_ms (run->client, call_timeout_ms);
  gmcp_client_set_max_call_timeout_ms (run->client,
                                       MAX (limits->max_call_timeout_ms, call_timeout_ms));
  gmcp_client_set_startup_timeout_ms (run->client, startup_timeout_ms);
}

static void
on_closed (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GmcpServerRun) run = data;
  g_autoptr (GError) error = NULL;

  if (!gmcp_client_close_finish (run->client, result, &error))
    g_debug ("%s: %s", gmcp_client_get_name (run->client), error->message);

  if (run->done != NULL)
    run->done (run, run->done_data);
}

static void
begin_close (GmcpServerRun *run)
{
  if (run->drain != NULL)
    g_source_destroy (run->drain);
  g_clear_pointer (&run->drain, g_source_unref);
  if (run->closing)
    return;

  run->closing = TRUE;
  g_main_context_push_thread_default (run->context);
  gmcp_client_close_async (run->client, NULL, on_closed, gmcp_server_run_ref (run));
  g_main_context_pop_thread_default (run->context);
}

static gboolean
on_drained (gpointer data)
{
  begin_close (data);
  return G_SOURCE_REMOVE;
}

void
gmcp_server_run_retire (GmcpServerRun *run, guint drain_ms, GmcpServerRunFunc done, gpointer data)
{
  run->retired = TRUE;
  run->done = done;
  run->done_data = data;
  if (run->n_calls == 0 || drain_ms == 0)
    {
      begin_close (run);
      return;
    }

  run->drain = g_timeout_source_new (drain_ms);
  g_source_set_static_name (run->drain, "[gmcp] server's last calls");
  g_source_set_callback (run->drain, on_drained, gmcp_server_run_ref (run),
                         (GDestroyNotify) gmcp_server_run_unref);
  g_source_attach (run->drain, run->context);
}

void
gmcp_server_run_hurry (GmcpServerRun *run)
{
  if (run->retired)
    begin_close (run);
}

void
gmcp_server_run_forget (GmcpServerRun *run)
{
  run->retired = TRUE;
  run->done = NULL;
  begin_close (run);
}

static void
on_called (GmcpToolResult *result, GError *error, gpointer data)
{
  RunningCall *running = data;
  g_autoptr (GmcpServerRun) run = running->run;
  g_autoptr (GmcpToolCall) call = running->call;

  g_free (running);
  if (--run->n_calls == 0 && run->retired)
    begin_close (run);

  if (result != NULL)
    gmcp_tool_call_return_result (call, result);
  else
    gmcp_tool_call_return_error (call, error);
  g_clear_pointer (&result, gmcp_tool_result_unref);
  g_clear_error (&error);
}

void
gmcp_server_run_call (GmcpServerRun *run, const char *tool, GmcpToolCall *call)
{
  GmcpCallOptions *options = gmcp_tool_call_get_options (call);
  GCancellable *cancellable = gmcp_tool_call_get_cancellable (call);
  GmcpJsonDoc *arguments = gmcp_tool_call_peek_arguments (call);
  RunningCall *running = g_new (RunningCall, 1);

  running->run = gmcp_server_run_ref (run);
  running->call = g_object_ref (call);
  run->n_calls++;

  gmcp_client_call_tool_direct (run->client, tool, arguments, options, cancellable, on_called,
                                running);
}

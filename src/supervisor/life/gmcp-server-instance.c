/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <errno.h>
#include <signal.h>

#include "gmcp-client-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-server-config-private.h"
#include "gmcp-server-instance-private.h"
#include "gmcp-stdio-transport-private.h"
#include "gmcp-tool-call-private.h"

#include <gmcp/core/gmcp-error.h>
#include <gmcp/transport/stdio/gmcp-stdio-transport.h>

#define MAX_STOP_MS 3600000u

struct _GmcpServerInstance
{
  grefcount ref_count;
  GMainContext *context;
  GmcpClient *client;
  GmcpServerInstall *install;
  GmcpServerSharing *sharing;
  GmcpStartTrace *trace;
  guint n_calls;
  guint n_marked;      /* of them, those that were marked */
  guint64 n_begun;     /* calls, ever */
  gint64 n_checks;     /* of health, of whatever way */
  guint64 marked_upto; /* of those */
  gint64 last_answer_us;
  gint64 last_end_us;
  GmcpServerInstanceCallFunc told_call;
  gpointer told_data;
  GmcpServerInstanceFunc told_process;
  gpointer process_data;

  GmcpServerConfig *config; /* as it was written, where variables in it were filled in */
  char *health_tool;
  char *health_arguments;

  gint64 closing_us;
  gint64 closed_us;
  gboolean retired;
  gboolean closing;
  gboolean is_forced;
  gboolean lack_told;
  gboolean unasked;
  gboolean stop_told;
  GSource *drain;
  GmcpServerInstanceFunc done;
  gpointer done_data;
};

GmcpServerInstance *
gmcp_server_instance_new (GmcpServerConfig *config, GMainContext *context, GError **error)
{
  g_autoptr (GmcpTransport) transport = NULL;
  g_autofree char *hash = NULL;
  GmcpServerInstance *self;

  g_main_context_push_thread_default (context);
  transport = gmcp_server_config_make_transport (config, error);
  if (transport == NULL)
    {
      g_main_context_pop_thread_default (context);
      return NULL;
    }

  self = g_new0 (GmcpServerInstance, 1);
  g_ref_count_init (&self->ref_count);
  self->context = g_main_context_ref (context);
  self->client = gmcp_client_new (transport);
  self->install = gmcp_server_install_new (self->client);
  self->sharing = gmcp_server_sharing_new (self->client);
  self->trace = gmcp_start_trace_new ();
  g_main_context_pop_thread_default (context);

  hash = gmcp_server_config_dup_hash (config);
  gmcp_client_set_name (self->client, gmcp_server_config_get_title (config));
  gmcp_client_set_cache_key (self->client, hash);
  gmcp_client_set_era (self->client, gmcp_server_config_get_era (config));
  gmcp_client_set_allow_sampling (self->client, gmcp_server_config_get_allow_sampling (config));
  return self;
}

GmcpServerInstance *
gmcp_server_instance_ref (GmcpServerInstance *self)
{
  g_ref_count_inc (&self->ref_count);
  return self;
}

void
gmcp_server_instance_unref (GmcpServerInstance *self)
{
  if (!g_ref_count_dec (&self->ref_count))
    return;

  gmcp_server_install_free (self->install);
  gmcp_server_sharing_free (self->sharing);
  gmcp_start_trace_unref (self->trace);
  g_object_unref (self->client);
  g_clear_object (&self->config);
  g_free (self->health_tool);
  g_free (self->health_arguments);
  g_main_context_unref (self->context);
  g_free (self);
}

GmcpClient *
gmcp_server_instance_get_client (GmcpServerInstance *self)
{
  return self->client;
}

GmcpServerInstall *
gmcp_server_instance_get_install (GmcpServerInstance *self)
{
  return self->install;
}

GmcpServerSharing *
gmcp_server_instance_get_sharing (GmcpServerInstance *self)
{
  return self->sharing;
}

GmcpStartTrace *
gmcp_server_instance_get_trace (GmcpServerInstance *self)
{
  return self->trace;
}

void
gmcp_server_instance_set_trace (GmcpServerInstance *self, GmcpStartTrace *trace)
{
  gmcp_start_trace_unref (self->trace);
  self->trace = gmcp_start_trace_ref (trace);
}

/* How long the server has to exit after its input was closed, and after SIGTERM. Nothing where it is no
 * process of ours. */
static void
set_stop_times (GmcpServerInstance *self, guint stdin_ms, guint term_ms)
{
  GmcpTransport *transport = gmcp_client_get_transport (self->client);

  if (GMCP_IS_STDIO_TRANSPORT (transport))
    g_object_set (transport, "stop-stdin-timeout-ms", MIN (stdin_ms, MAX_STOP_MS),
                  "stop-term-timeout-ms", MIN (term_ms, MAX_STOP_MS), NULL);
}

void
gmcp_server_instance_set_limits (GmcpServerInstance *self,
                                 GmcpServerConfig *config,
                                 const GmcpServerLimits *limits)
{
  guint call_timeout_ms = gmcp_server_config_get_call_timeout_ms (config);
  guint startup_timeout_ms = gmcp_server_config_get_startup_timeout_ms (config);

  guint shutdown_timeout_ms = gmcp_server_config_get_shutdown_timeout_ms (config);
  guint install_timeout_ms = gmcp_server_config_get_install_timeout_ms (config);

  if (shutdown_timeout_ms == 0)
    shutdown_timeout_ms = limits->shutdown_timeout_ms;
  if (call_timeout_ms == 0)
    call_timeout_ms = limits->call_timeout_ms;
  if (startup_timeout_ms == 0)
    startup_timeout_ms = limits->startup_timeout_ms;

  gmcp_client_set_call_timeout_ms (self->client, call_timeout_ms);
  gmcp_client_set_max_call_timeout_ms (self->client,
                                       MAX (limits->max_call_timeout_ms, call_timeout_ms));
  gmcp_client_set_startup_timeout_ms (self->client, startup_timeout_ms);
  gmcp_server_install_set_timeout_ms (
    self->install, install_timeout_ms > 0 ? install_timeout_ms : limits->install_timeout_ms);
  /* Most servers end with their input; the rest of the time is for what they have to save. */
  set_stop_times (self, shutdown_timeout_ms / 5 * 2,
                  shutdown_timeout_ms - shutdown_timeout_ms / 5 * 2);
}

static void
on_closed (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GmcpServerInstance) self = data;
  g_autoptr (GError) error = NULL;

  if (!gmcp_client_close_finish (self->client, result, &error))
    g_debug ("%s: %s", gmcp_client_get_name (self->client), error->message);

  self->closed_us = g_get_monotonic_time ();
  if (self->done != NULL)
    self->done (self, self->done_data);
}

static void
clear_drain (GmcpServerInstance *self)
{
  if (self->drain != NULL)
    g_source_destroy (self->drain);
  g_clear_pointer (&self->drain, g_source_unref);
}

static void
begin_close (GmcpServerInstance *self)
{
  clear_drain (self);
  if (self->closing)
    return;

  self->closing = TRUE;
  self->closing_us = g_get_monotonic_time ();
  g_main_context_push_thread_default (self->context);
  gmcp_client_close_async (self->client, NULL, on_closed, gmcp_server_instance_ref (self));
  g_main_context_pop_thread_default (self->context);
}

static gboolean
on_drained (gpointer data)
{
  begin_close (data);
  return G_SOURCE_REMOVE;
}

void
gmcp_server_instance_retire (GmcpServerInstance *self,
                             guint drain_ms,
                             GmcpServerInstanceFunc done,
                             gpointer data)
{
  self->retired = TRUE;
  self->done = done;
  self->done_data = data;
  gmcp_server_instance_limit_drain (self, drain_ms);
}

void
gmcp_server_instance_limit_drain (GmcpServerInstance *self, guint drain_ms)
{
  if (self->closing || self->n_calls == 0 || drain_ms == 0)
    {
      begin_close (self);
      return;
    }

  clear_drain (self);
  self->drain = g_timeout_source_new (drain_ms);
  g_source_set_static_name (self->drain, "[gmcp] server's last calls");
  g_source_set_callback (self->drain, on_drained, gmcp_server_instance_ref (self),
                         (GDestroyNotify) gmcp_server_instance_unref);
  g_source_attach (self->drain, self->context);
}

gint64
gmcp_server_instance_get_stop_ms (GmcpServerInstance *self)
{
  return (self->closed_us - self->closing_us) / 1000;
}

int
gmcp_server_instance_get_pid (GmcpServerInstance *self)
{
  return gmcp_transport_get_pid (gmcp_client_get_transport (self->client));
}

void
gmcp_server_instance_watch_process (GmcpServerInstance *self,
                                    GmcpServerInstanceFunc func,
                                    gpointer data)
{
  self->told_process = func;
  self->process_data = data;
}

void
gmcp_server_instance_tell_process (GmcpServerInstance *self)
{
  if (self->told_process != NULL)
    self->told_process (self, self->process_data);
}

/* Asks the system: the end may not have been told of yet, as where the main loop is held up. */
gboolean
gmcp_server_instance_has_process (GmcpServerInstance *self)
{
  GmcpTransport *transport = gmcp_client_get_transport (self->client);
  int pid = gmcp_transport_get_pid (transport);

  if (pid <= 0)
    return FALSE;

  /* A process on the host is known by its connection only. */
  return (GMCP_IS_STDIO_TRANSPORT (transport)
          && gmcp_stdio_transport_is_on_host (GMCP_STDIO_TRANSPORT (transport)))
         || kill (pid, 0) == 0 || errno != ESRCH;
}

guint
gmcp_server_instance_get_n_calls (GmcpServerInstance *self)
{
  return self->n_calls;
}

gint64
gmcp_server_instance_count_uses (GmcpServerInstance *self)
{
  return gmcp_client_get_n_requests (self->client) - self->n_checks;
}

void
gmcp_server_instance_note_check (GmcpServerInstance *self)
{
  self->n_checks++;
}

gint64
gmcp_server_instance_get_last_answer_us (GmcpServerInstance *self)
{
  return self->last_answer_us;
}

gint64
gmcp_server_instance_get_last_end_us (GmcpServerInstance *self)
{
  return self->last_end_us;
}

void
gmcp_server_instance_set_health (GmcpServerInstance *self,
                                 GmcpServerConfig *config,
                                 GmcpServerConfig *expanded)
{
  g_set_object (&self->config, config);
  g_free (self->health_tool);
  self->health_tool = g_strdup (gmcp_server_config_get_health_tool (expanded));
  g_free (self->health_arguments);
  self->health_arguments = g_strdup (gmcp_server_config_get_health_arguments (expanded));
}

const char *
gmcp_server_instance_get_health_tool (GmcpServerInstance *self, GmcpServerConfig *config)
{
  const char *tool = gmcp_server_config_get_health_tool (config);

  return self->config != NULL
             && g_strcmp0 (tool, gmcp_server_config_get_health_tool (self->config)) == 0
           ? self->health_tool
           : tool;
}

const char *
gmcp_server_instance_get_health_arguments (GmcpServerInstance *self, GmcpServerConfig *config)
{
  const char *arguments = gmcp_server_config_get_health_arguments (config);

  return self->config != NULL
             && g_strcmp0 (arguments, gmcp_server_config_get_health_arguments (self->config)) == 0
           ? self->health_arguments
           : arguments;
}

void
gmcp_server_instance_mark_calls (GmcpServerInstance *self)
{
  self->n_marked = self->n_calls;
  self->marked_upto = self->n_begun;
}

guint
gmcp_server_instance_get_n_marked_calls (GmcpServerInstance *self)
{
  return self->n_marked;
}

void
gmcp_server_instance_watch_calls (GmcpServerInstance *self,
                                  GmcpServerInstanceCallFunc func,
                                  gpointer data)
{
  self->told_call = func;
  self->told_data = data;
}

guint64
gmcp_server_instance_get_n_heard (GmcpServerInstance *self)
{
  GmcpTransport *transport = gmcp_client_get_transport (self->client);
  guint64 n_heard = gmcp_client_get_n_heard (self->client);

  if (GMCP_IS_STDIO_TRANSPORT (transport))
    n_heard += gmcp_stdio_transport_get_link (transport)->tail.n_bytes;
  return n_heard;
}

void
gmcp_server_instance_set_lack_told (GmcpServerInstance *self)
{
  self->lack_told = TRUE;
}

void
gmcp_server_instance_set_unasked (GmcpServerInstance *self)
{
  self->unasked = TRUE;
}

gboolean
gmcp_server_instance_was_unasked (GmcpServerInstance *self)
{
  return self->unasked;
}

gboolean
gmcp_server_instance_get_lack_told (GmcpServerInstance *self)
{
  return self->lack_told;
}

void
gmcp_server_instance_hurry (GmcpServerInstance *self)
{
  if (self->retired)
    begin_close (self);
}

void
gmcp_server_instance_force (GmcpServerInstance *self)
{
  self->is_forced = TRUE;
  set_stop_times (self, 0, 0);
  gmcp_server_instance_hurry (self);
}

gboolean
gmcp_server_instance_is_forced (GmcpServerInstance *self)
{
  return self->is_forced;
}

void
gmcp_server_instance_set_stop_told (GmcpServerInstance *self)
{
  self->stop_told = TRUE;
}

gboolean
gmcp_server_instance_get_stop_told (GmcpServerInstance *self)
{
  return self->stop_told;
}

void
gmcp_server_instance_forget (GmcpServerInstance *self)
{
  self->retired = TRUE;
  self->done = NULL;
  begin_close (self);
}

static void
on_called (GmcpToolResult *result, GError *error, gpointer data)
{
  GmcpToolCall *call = data;
  GmcpToolCallCarriage *carriage = gmcp_tool_call_get_carriage (call);
  g_autoptr (GmcpServerInstance) self = carriage->carrier;

  gboolean was_marked = carriage->serial <= self->marked_upto;

  self->n_marked -= was_marked;
  self->last_end_us = g_get_monotonic_time ();
  carriage->answered_us = self->last_end_us;
  if (result != NULL || error->domain == GMCP_RPC_ERROR)
    self->last_answer_us = self->last_end_us;
  if (--self->n_calls == 0 && self->retired)
    begin_close (self);
  if (self->told_call != NULL
      && (G_UNLIKELY (was_marked) || (error != NULL && error->domain == GMCP_AUTH_ERROR)))
    self->told_call (self, error, self->told_data);

  if (result != NULL)
    gmcp_tool_call_return_result (call, result);
  else
    gmcp_tool_call_return_error (call, error);
  g_object_unref (call);
  g_clear_pointer (&result, gmcp_tool_result_unref);
  g_clear_error (&error);
}

void
gmcp_server_instance_call (GmcpServerInstance *self, const char *tool, GmcpToolCall *call)
{
  GmcpCallOptions *options = gmcp_tool_call_get_options (call);
  GCancellable *cancellable = gmcp_tool_call_get_cancellable (call);
  GmcpJsonDoc *arguments = gmcp_tool_call_peek_arguments (call);
  GmcpToolCallCarriage *carriage = gmcp_tool_call_get_carriage (call);

  carriage->carrier = gmcp_server_instance_ref (self);
  carriage->serial = ++self->n_begun;
  self->n_calls++;

  gmcp_client_call_tool_direct (self->client, tool, arguments, options, cancellable, on_called,
                                g_object_ref (call));
}

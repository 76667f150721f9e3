/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <gmcp/audit/gmcp-log-reader.h>

#include "gmcpd-facts.h"
#include "gmcpd-names.h"
#include "gmcpd-server-methods.h"

#define MAX_LOG_LINES 10000

/* What a handler needs; it is told of a server that may leave while it works. */
typedef struct
{
  GmcpManagedServer *server;
  GmcpdCalls *calls;
} Methods;

static void
methods_free (gpointer data, GClosure *closure)
{
  Methods *self = data;

  g_object_unref (self->server);
  g_free (self);
}

/* A function that ends an operation and gives its answer to the caller. */
static void
return_pid (GmcpdCall *call, GmcpManagedServer *server, gboolean done, GError *error)
{
  if (done)
    gmcpd_call_return (call, g_variant_new ("(u)", (guint) gmcp_managed_server_get_pid (server)));
  else
    gmcpd_call_fail (call, error);
}

static void
return_nothing (GmcpdCall *call, gboolean done, GError *error)
{
  if (done)
    gmcpd_call_return (call, NULL);
  else
    gmcpd_call_fail (call, error);
}

static void
on_started (GObject *object, GAsyncResult *result, gpointer user_data)
{
  GmcpManagedServer *server = GMCP_MANAGED_SERVER (object);
  GError *error = NULL;
  gboolean done = gmcp_managed_server_start_finish (server, result, &error);

  return_pid (user_data, server, done, error);
}

static gboolean
handle_start (GmcpdManager1Server *skeleton, GDBusMethodInvocation *invocation, gpointer user_data)
{
  Methods *self = user_data;
  GmcpdCall *call = gmcpd_calls_begin (self->calls, invocation);

  if (call != NULL)
    gmcp_managed_server_start_async (self->server, gmcpd_call_get_cancellable (call), on_started,
                                     call);
  return TRUE;
}

static void
on_stopped (GObject *object, GAsyncResult *result, gpointer user_data)
{
  GError *error = NULL;
  gboolean done = gmcp_managed_server_stop_finish (GMCP_MANAGED_SERVER (object), result, &error);

  return_nothing (user_data, done, error);
}

static void
on_force_stopped (GObject *object, GAsyncResult *result, gpointer user_data)
{
  GError *error = NULL;
  gboolean done
    = gmcp_managed_server_force_stop_finish (GMCP_MANAGED_SERVER (object), result, &error);

  return_nothing (user_data, done, error);
}

static gboolean
handle_stop (GmcpdManager1Server *skeleton,
             GDBusMethodInvocation *invocation,
             gboolean force,
             gpointer user_data)
{
  Methods *self = user_data;
  GmcpdCall *call = gmcpd_calls_begin (self->calls, invocation);

  if (call != NULL && force)
    gmcp_managed_server_force_stop_async (self->server, gmcpd_call_get_cancellable (call),
                                          on_force_stopped, call);
  else if (call != NULL)
    gmcp_managed_server_stop_async (self->server, gmcpd_call_get_cancellable (call), on_stopped,
                                    call);
  return TRUE;
}

static void
on_restarted (GObject *object, GAsyncResult *result, gpointer user_data)
{
  GmcpManagedServer *server = GMCP_MANAGED_SERVER (object);
  GError *error = NULL;
  gboolean done = gmcp_managed_server_restart_finish (server, result, &error);

  return_pid (user_data, server, done, error);
}

static gboolean
handle_restart (GmcpdManager1Server *skeleton,
                GDBusMethodInvocation *invocation,
                gpointer user_data)
{
  Methods *self = user_data;
  GmcpdCall *call = gmcpd_calls_begin (self->calls, invocation);

  if (call != NULL)
    gmcp_managed_server_restart_async (self->server, gmcpd_call_get_cancellable (call),
                                       on_restarted, call);
  return TRUE;
}

static void
on_checked (GObject *object, GAsyncResult *result, gpointer user_data)
{
  GError *error = NULL;
  gboolean done
    = gmcp_managed_server_health_check_finish (GMCP_MANAGED_SERVER (object), result, &error);

  return_nothing (user_data, done, error);
}

static gboolean
handle_check_health (GmcpdManager1Server *skeleton,
                     GDBusMethodInvocation *invocation,
                     gpointer user_data)
{
  Methods *self = user_data;
  GmcpdCall *call = gmcpd_calls_begin (self->calls, invocation);

  if (call != NULL)
    gmcp_managed_server_health_check_async (self->server, gmcpd_call_get_cancellable (call),
                                            on_checked, call);
  return TRUE;
}

static void
on_discovered (GObject *object, GAsyncResult *result, gpointer user_data)
{
  GError *error = NULL;
  g_autoptr (GListModel) tools
    = gmcp_managed_server_discover_tools_finish (GMCP_MANAGED_SERVER (object), result, &error);
  GVariantBuilder names;

  if (tools == NULL)
    {
      gmcpd_call_fail (user_data, error);
      return;
    }

  g_variant_builder_init (&names, G_VARIANT_TYPE ("as"));
  for (guint i = 0; i < g_list_model_get_n_items (tools); i++)
    {
      g_autoptr (GmcpTool) tool = g_list_model_get_item (tools, i);

      g_variant_builder_add (&names, "s", gmcp_tool_get_server_tool_name (tool));
    }
  gmcpd_call_return (user_data, g_variant_new ("(as)", &names));
}

static gboolean
handle_discover_tools (GmcpdManager1Server *skeleton,
                       GDBusMethodInvocation *invocation,
                       gpointer user_data)
{
  Methods *self = user_data;
  GmcpdCall *call = gmcpd_calls_begin (self->calls, invocation);

  if (call != NULL)
    gmcp_managed_server_discover_tools_async (self->server, gmcpd_call_get_cancellable (call),
                                              on_discovered, call);
  return TRUE;
}

static void
on_synced (GObject *object, GAsyncResult *result, gpointer user_data)
{
  GError *error = NULL;
  g_autoptr (GmcpToolChanges) changes
    = gmcp_managed_server_sync_tools_finish (GMCP_MANAGED_SERVER (object), result, &error);

  if (changes == NULL)
    gmcpd_call_fail (user_data, error);
  else
    gmcpd_call_return (user_data,
                       g_variant_new ("(u^as^as^as)", gmcp_tool_changes_get_n_tools (changes),
                                      gmcp_tool_changes_get_added (changes),
                                      gmcp_tool_changes_get_removed (changes),
                                      gmcp_tool_changes_get_changed (changes)));
}

static gboolean
handle_sync_tools (GmcpdManager1Server *skeleton,
                   GDBusMethodInvocation *invocation,
                   gpointer user_data)
{
  Methods *self = user_data;
  GmcpdCall *call = gmcpd_calls_begin (self->calls, invocation);

  if (call != NULL)
    gmcp_managed_server_sync_tools_async (self->server, gmcpd_call_get_cancellable (call),
                                          on_synced, call);
  return TRUE;
}

static void
add_log_entry (GVariantBuilder *log, GmcpLogEntry *entry)
{
  GDateTime *time = gmcp_log_entry_get_time (entry);
  g_autofree char *text = gmcpd_names_dup_text (gmcp_log_entry_get_text (entry));
  gint64 time_us = time != NULL ? g_date_time_to_unix (time) * G_USEC_PER_SEC
                                    + g_date_time_get_microsecond (time)
                                : 0;

  g_variant_builder_add (
    log, "(xsss)", time_us,
    gmcpd_facts_get_nick (GMCP_TYPE_LOG_ORIGIN, (int) gmcp_log_entry_get_origin (entry)),
    gmcpd_facts_get_nick (GMCP_TYPE_NOTICE_LEVEL, (int) gmcp_log_entry_get_level (entry)), text);
}

static void
on_log_read (GObject *object, GAsyncResult *result, gpointer user_data)
{
  GError *error = NULL;
  g_autoptr (GPtrArray) entries
    = gmcp_log_reader_read_finish (GMCP_LOG_READER (object), result, &error);
  GVariantBuilder log;

  if (entries == NULL)
    {
      gmcpd_call_fail (user_data, error);
      return;
    }

  g_variant_builder_init (&log, G_VARIANT_TYPE ("a(xsss)"));
  for (guint i = 0; i < entries->len; i++)
    add_log_entry (&log, entries->pdata[i]);
  gmcpd_call_return (user_data, g_variant_new ("(a(xsss))", &log));
}

static gboolean
handle_get_log (GmcpdManager1Server *skeleton,
                GDBusMethodInvocation *invocation,
                guint lines,
                gpointer user_data)
{
  Methods *self = user_data;
  GmcpdCall *call = gmcpd_calls_begin (self->calls, invocation);
  g_autoptr (GFile) file = gmcp_managed_server_dup_log_file (self->server);
  g_autoptr (GmcpLogReader) reader = NULL;

  if (call == NULL)
    return TRUE;
  if (file == NULL)
    {
      gmcpd_call_return (call, g_variant_new ("(a(xsss))", NULL));
      return TRUE;
    }

  reader = gmcp_log_reader_new (gmcp_managed_server_get_id (self->server), file);
  gmcp_log_reader_read_async (reader, NULL, lines > 0 ? MIN (lines, MAX_LOG_LINES) : MAX_LOG_LINES,
                              gmcpd_call_get_cancellable (call), on_log_read, call);
  return TRUE;
}

static gboolean
handle_get_statistics (GmcpdManager1Server *skeleton,
                       GDBusMethodInvocation *invocation,
                       gpointer user_data)
{
  Methods *self = user_data;
  g_autofree char *statistics = gmcp_managed_server_dup_statistics_json (self->server);

  gmcpd_manager1_server_complete_get_statistics (skeleton, invocation, statistics);
  return TRUE;
}

void
gmcpd_server_methods_connect (GmcpdManager1Server *skeleton,
                              GmcpManagedServer *server,
                              GmcpdCalls *calls)
{
  static const struct
  {
    const char *signal;
    GCallback handler;
  } handlers[] = {
    { "handle-start", G_CALLBACK (handle_start) },
    { "handle-stop", G_CALLBACK (handle_stop) },
    { "handle-restart", G_CALLBACK (handle_restart) },
    { "handle-check-health", G_CALLBACK (handle_check_health) },
    { "handle-discover-tools", G_CALLBACK (handle_discover_tools) },
    { "handle-sync-tools", G_CALLBACK (handle_sync_tools) },
    { "handle-get-log", G_CALLBACK (handle_get_log) },
    { "handle-get-statistics", G_CALLBACK (handle_get_statistics) },
  };

  for (guint i = 0; i < G_N_ELEMENTS (handlers); i++)
    {
      Methods *methods = g_new (Methods, 1);

      *methods = (Methods){ g_object_ref (server), calls };
      g_signal_connect_data (skeleton, handlers[i].signal, handlers[i].handler, methods,
                             methods_free, 0);
    }
}

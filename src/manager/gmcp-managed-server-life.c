/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-i18n-private.h"
#include "gmcp-limits.h"
#include "gmcp-managed-server-life-private.h"
#include "gmcp-tool-private.h"
#include "gmcp-waiters-private.h"

#include <gmcp/core/gmcp-error.h>

/* A start: the client is opened, then its tools are listed; both within the start-up limit. */
typedef struct
{
  GmcpManagedServer *server;
  GmcpServerRun *run;
  GCancellable *cancellable; /* tells a start that was given up from the present one */
} Start;

static void
start_free (Start *start)
{
  g_object_unref (start->server);
  gmcp_server_run_unref (start->run);
  g_object_unref (start->cancellable);
  g_free (start);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Start, start_free)

static gboolean
same_tools (GPtrArray *present, GListModel *listed)
{
  if (present->len != g_list_model_get_n_items (listed))
    return FALSE;

  for (guint i = 0; i < present->len; i++)
    {
      g_autoptr (GmcpTool) tool = g_list_model_get_item (listed, i);
      GmcpTool *other = g_ptr_array_index (present, i);

      if (tool != other
          && (!g_str_equal (gmcp_tool_get_name (tool), gmcp_tool_get_name (other))
              || !gmcp_tool_same_definition (tool, other)))
        return FALSE;
    }

  return TRUE;
}

/* Whether other tools are to be listed than before. */
static gboolean
take_tools (GmcpManagedServer *self, GmcpClient *client)
{
  GListModel *listed = gmcp_client_get_tools (client);
  guint length;

  if (same_tools (self->tools, listed))
    return FALSE;

  length = g_list_model_get_n_items (listed);
  g_ptr_array_unref (self->tools);
  self->tools = g_ptr_array_new_full (length, g_object_unref);
  for (guint i = 0; i < length; i++)
    g_ptr_array_add (self->tools, g_list_model_get_item (listed, i));

  return TRUE;
}

void
gmcp_managed_server_withdraw_tools (GmcpManagedServer *self)
{
  g_clear_pointer (&self->instructions, g_free);
  if (self->tools->len == 0)
    return;

  g_ptr_array_unref (self->tools);
  self->tools = g_ptr_array_new_with_free_func (g_object_unref);
  gmcp_managed_server_tools_changed (self);
}

static void
on_tools_changed (GmcpManagedServer *self)
{
  if (self->state == GMCP_SERVER_STATE_READY
      && take_tools (self, gmcp_server_run_get_client (self->run)))
    gmcp_managed_server_tools_changed (self);
}

void
gmcp_managed_server_say_farewell (GmcpManagedServer *self)
{
  GmcpServerFarewell farewell = self->farewell;

  self->farewell = (GmcpServerFarewell){ NULL, NULL };
  if (farewell.done != NULL)
    farewell.done (farewell.data);
}

static void
on_left (GmcpServerRun *run, gpointer data)
{
  g_autoptr (GmcpManagedServer) self = g_object_ref (GMCP_MANAGED_SERVER (data));

  g_clear_pointer (&self->leaving, gmcp_server_run_unref);
  if (self->state == GMCP_SERVER_STATE_STOPPING)
    {
      gmcp_managed_server_set_state (self, GMCP_SERVER_STATE_STOPPED);
      gmcp_managed_server_notice (self, GMCP_NOTICE_LEVEL_INFO, _ ("Server “%s” stopped"),
                                  gmcp_managed_server_get_title (self));
    }

  gmcp_waiters_settle (&self->stoppers, NULL);
  /* Whoever was just told may have started it. */
  if (!g_queue_is_empty (&self->starters) && self->run == NULL && self->leaving == NULL)
    gmcp_managed_server_begin_start (self);
  if (self->leaving == NULL)
    gmcp_managed_server_say_farewell (self);
}

static void
forget_start_limit (GmcpManagedServer *self)
{
  if (self->start_limit != NULL)
    g_source_destroy (self->start_limit);
  g_clear_pointer (&self->start_limit, g_source_unref);
}

void
gmcp_managed_server_let_go (GmcpManagedServer *self, guint drain_ms, GmcpServerState state)
{
  GmcpServerRun *run = g_steal_pointer (&self->run);
  GmcpClient *client = gmcp_server_run_get_client (run);
  g_autoptr (GCancellable) starting = g_steal_pointer (&self->starting);

  forget_start_limit (self);
  gmcp_managed_server_unwatch_input (self, client);
  g_signal_handlers_disconnect_by_data (client, self);
  g_signal_handlers_disconnect_by_data (gmcp_client_get_tools (client), self);

  /* All that others can see is so before anybody is told. */
  self->leaving = run;
  g_object_freeze_notify (G_OBJECT (self));
  gmcp_managed_server_set_state (self, state);
  /* What the cancelled start reports is nobody's any more. */
  g_cancellable_cancel (starting);
  gmcp_server_run_retire (run, drain_ms, on_left, self);
  g_object_thaw_notify (G_OBJECT (self));
}

static void
start_failed (GmcpManagedServer *self, const GError *error)
{
  g_autoptr (GmcpManagedServer) alive G_GNUC_UNUSED = g_object_ref (self);
  g_autoptr (GError) told = g_error_copy (error);
  GQueue starters = self->starters;

  /* Whoever asks from now on asks for another start. */
  g_queue_init (&self->starters);
  g_object_freeze_notify (G_OBJECT (self));
  gmcp_managed_server_set_last_error (self, told);
  if (self->run != NULL)
    gmcp_managed_server_let_go (self, 0, GMCP_SERVER_STATE_FAILED);
  else
    gmcp_managed_server_set_state (self, GMCP_SERVER_STATE_FAILED);
  g_object_thaw_notify (G_OBJECT (self));

  gmcp_managed_server_withdraw_tools (self);
  gmcp_managed_server_notice (self, GMCP_NOTICE_LEVEL_ERROR, "%s", told->message);
  gmcp_waiters_settle (&starters, told);
}

static void
became_ready (GmcpManagedServer *self)
{
  g_autoptr (GmcpManagedServer) alive G_GNUC_UNUSED = g_object_ref (self);
  g_autoptr (GmcpServerRun) run = gmcp_server_run_ref (self->run);
  g_autoptr (GError) stopped = NULL;
  GmcpClient *client = gmcp_server_run_get_client (run);
  gboolean changed = take_tools (self, client);
  GQueue starters = self->starters;

  /* Whoever comes while this is told of is not part of it: the server may be stopped then. */
  g_queue_init (&self->starters);
  self->was_listed = TRUE;
  g_clear_object (&self->starting);
  forget_start_limit (self);
  g_free (self->instructions);
  self->instructions = g_strdup (gmcp_client_get_instructions (client));
  g_object_freeze_notify (G_OBJECT (self));
  gmcp_managed_server_set_last_error (self, NULL);
  gmcp_managed_server_set_state (self, GMCP_SERVER_STATE_READY);
  g_object_thaw_notify (G_OBJECT (self));

  if (changed)
    gmcp_managed_server_tools_changed (self);
  gmcp_managed_server_notice (self, GMCP_NOTICE_LEVEL_INFO,
                              _ ("Server “%s” is ready: MCP %s, %u tools"),
                              gmcp_managed_server_get_title (self),
                              gmcp_client_get_protocol_version (client), self->tools->len);
  if (self->run != run)
    stopped = g_error_new (GMCP_ERROR, GMCP_ERROR_NOT_RUNNING,
                           _ ("Server “%s” was stopped as soon as it was ready"),
                           gmcp_managed_server_get_title (self));
  gmcp_waiters_settle (&starters, stopped);
}

static void
on_listed (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (Start) start = data;
  GmcpManagedServer *self = start->server;
  g_autoptr (GListModel) tools = NULL;
  g_autoptr (GError) error = NULL;

  tools = gmcp_client_list_tools_finish (GMCP_CLIENT (object), result, &error);
  if (self->starting != start->cancellable)
    return;

  if (tools != NULL)
    {
      became_ready (self);
      return;
    }

  if (self->start_timed_out)
    {
      g_clear_error (&error);
      error = g_error_new (GMCP_ERROR, GMCP_ERROR_TIMED_OUT,
                           _ ("Server “%s” did not list its tools within %u ms of its start: raise "
                              "its start-up time limit, or look at what it waits for"),
                           gmcp_managed_server_get_title (self),
                           gmcp_client_get_startup_timeout_ms (GMCP_CLIENT (object)));
    }
  start_failed (self, error);
}

static gboolean
on_start_limit (gpointer data)
{
  GmcpManagedServer *self = data;

  g_clear_pointer (&self->start_limit, g_source_unref);
  self->start_timed_out = TRUE;
  g_cancellable_cancel (self->starting);
  return G_SOURCE_REMOVE;
}

static void
limit_listing (GmcpManagedServer *self, GmcpClient *client)
{
  gint64 due_us = self->start_us + gmcp_client_get_startup_timeout_ms (client) * (gint64) 1000;

  self->start_limit = g_timeout_source_new (0);
  g_source_set_ready_time (self->start_limit, due_us);
  g_source_set_static_name (self->start_limit, "[gmcp] server's start");
  g_source_set_callback (self->start_limit, on_start_limit, self, NULL);
  g_source_attach (self->start_limit, self->context);
}

static void
on_opened (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (Start) start = data;
  GmcpManagedServer *self = start->server;
  GmcpClient *client = GMCP_CLIENT (object);
  g_autoptr (GError) error = NULL;
  gboolean opened = gmcp_client_open_finish (client, result, &error);

  if (self->starting != start->cancellable)
    return;

  if (!opened)
    {
      start_failed (self, error);
      return;
    }

  limit_listing (self, client);
  g_main_context_push_thread_default (self->context);
  gmcp_client_list_tools_async (client, self->starting, on_listed, g_steal_pointer (&start));
  g_main_context_pop_thread_default (self->context);
}

static void
on_client_closed (GmcpClient *client, const GError *error, gpointer data)
{
  g_autoptr (GmcpManagedServer) self = g_object_ref (GMCP_MANAGED_SERVER (data));

  /* While it starts, the step that is under way fails, and says so. */
  if (self->state != GMCP_SERVER_STATE_READY)
    return;

  g_object_freeze_notify (G_OBJECT (self));
  gmcp_managed_server_set_last_error (self, error);
  gmcp_managed_server_let_go (self, 0, GMCP_SERVER_STATE_STOPPED);
  g_object_thaw_notify (G_OBJECT (self));
  gmcp_managed_server_notice (
    self, GMCP_NOTICE_LEVEL_ERROR,
    _ ("Server “%s” ended unexpectedly; the next call starts it again: %s"),
    gmcp_managed_server_get_title (self), error != NULL ? error->message : "");
}

static GmcpServerRun *
make_run (GmcpManagedServer *self, GError **error)
{
  GmcpServerRun *run = gmcp_server_run_new (self->config, self->context, error);
  GmcpClient *client;

  if (run == NULL)
    return NULL;

  client = gmcp_server_run_get_client (run);
  gmcp_server_run_set_limits (run, self->config, &self->limits);
  if (self->client_name != NULL)
    {
      g_autoptr (GmcpImplementation) info
        = gmcp_implementation_new (self->client_name, GMCP_VERSION);

      gmcp_client_set_client_info (client, info);
    }

  gmcp_managed_server_watch_input (self, client);
  g_signal_connect (client, "closed", G_CALLBACK (on_client_closed), self);
  g_signal_connect_swapped (gmcp_client_get_tools (client), "items-changed",
                            G_CALLBACK (on_tools_changed), self);
  return run;
}

void
gmcp_managed_server_begin_start (GmcpManagedServer *self)
{
  g_autoptr (GError) error = NULL;
  Start *start;

  self->was_tried = TRUE;
  self->run = make_run (self, &error);
  if (self->run == NULL)
    {
      start_failed (self, error);
      return;
    }

  self->starting = g_cancellable_new ();
  self->start_timed_out = FALSE;
  self->start_us = g_get_monotonic_time ();
  start = g_new0 (Start, 1);
  start->server = g_object_ref (self);
  start->run = gmcp_server_run_ref (self->run);
  start->cancellable = g_object_ref (self->starting);
  gmcp_managed_server_set_state (self, GMCP_SERVER_STATE_STARTING);

  g_main_context_push_thread_default (self->context);
  gmcp_client_open_async (gmcp_server_run_get_client (start->run), start->cancellable, on_opened,
                          start);
  g_main_context_pop_thread_default (self->context);
}

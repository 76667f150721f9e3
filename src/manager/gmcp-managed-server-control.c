/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-i18n-private.h"
#include "gmcp-limits.h"
#include "gmcp-managed-server-life-private.h"
#include "gmcp-server-config-private.h"
#include "gmcp-waiters-private.h"

#include <gmcp/core/gmcp-error.h>

gboolean
gmcp_managed_server_is_ready (GmcpManagedServer *self)
{
  /* Between the end of a process and the signal that tells of it the client is closed already. */
  return self->state == GMCP_SERVER_STATE_READY
         && gmcp_client_is_open (gmcp_server_run_get_client (self->run));
}

gboolean
gmcp_managed_server_is_untried (GmcpManagedServer *self)
{
  return gmcp_server_config_is_enabled (self->config)
         && (!self->was_tried || (self->starting != NULL && !self->was_listed));
}

void
gmcp_managed_server_call (GmcpManagedServer *self, const char *tool, GmcpToolCall *call)
{
  gmcp_server_run_call (self->run, tool, call);
}

void
gmcp_managed_server_set_limits (GmcpManagedServer *self, const GmcpServerLimits *limits)
{
  self->limits = *limits;
  if (self->run != NULL)
    gmcp_server_run_set_limits (self->run, self->config, limits);
}

void
gmcp_managed_server_set_client_name (GmcpManagedServer *self, const char *name)
{
  g_free (self->client_name);
  self->client_name = g_strdup (name);
}

static GError *
disabled_error (GmcpManagedServer *self)
{
  return g_error_new (GMCP_ERROR, GMCP_ERROR_NOT_RUNNING,
                      _ ("Server “%s” is disabled: enable it to use its tools"),
                      gmcp_managed_server_get_title (self));
}

static void
disable (GmcpManagedServer *self)
{
  g_autoptr (GError) error = disabled_error (self);
  GQueue starters = self->starters;

  g_queue_init (&self->starters);
  g_object_freeze_notify (G_OBJECT (self));
  gmcp_managed_server_set_last_error (self, NULL);
  if (self->run != NULL)
    gmcp_managed_server_let_go (self, GMCP_DEFAULT_DRAIN_TIMEOUT_MS, GMCP_SERVER_STATE_DISABLED);
  else
    gmcp_managed_server_set_state (self, GMCP_SERVER_STATE_DISABLED);
  g_object_thaw_notify (G_OBJECT (self));

  gmcp_managed_server_withdraw_tools (self);
  gmcp_waiters_settle (&starters, error);
}

/* The process that runs, if one does, is no longer what is configured. Whoever waits for a start
 * gets one of the new kind. */
static void
replace (GmcpManagedServer *self)
{
  g_object_freeze_notify (G_OBJECT (self));
  gmcp_managed_server_set_last_error (self, NULL);
  if (self->run != NULL)
    gmcp_managed_server_let_go (self, GMCP_DEFAULT_DRAIN_TIMEOUT_MS, GMCP_SERVER_STATE_STOPPING);
  else
    gmcp_managed_server_set_state (self, self->leaving != NULL ? GMCP_SERVER_STATE_STOPPING
                                                               : GMCP_SERVER_STATE_STOPPED);
  g_object_thaw_notify (G_OBJECT (self));
}

void
gmcp_managed_server_set_config (GmcpManagedServer *self, GmcpServerConfig *config)
{
  g_autoptr (GmcpManagedServer) alive G_GNUC_UNUSED = g_object_ref (self);
  g_autoptr (GmcpServerConfig) former = self->config;
  gboolean enabled = gmcp_server_config_is_enabled (config);

  self->config = g_object_ref (config);
  g_object_notify (G_OBJECT (self), "config");
  if (g_strcmp0 (gmcp_server_config_get_title (former), gmcp_server_config_get_title (config)) != 0)
    g_object_notify (G_OBJECT (self), "title");

  if (enabled == gmcp_server_config_is_enabled (former)
      && gmcp_server_config_same_process (former, config))
    {
      if (self->run != NULL)
        {
          gmcp_server_run_set_limits (self->run, config, &self->limits);
          gmcp_client_set_name (gmcp_server_run_get_client (self->run),
                                gmcp_server_config_get_title (config));
        }
      return;
    }

  self->was_tried = FALSE;
  self->was_listed = FALSE;
  if (enabled)
    replace (self);
  else
    disable (self);
}

void
gmcp_managed_server_hurry (GmcpManagedServer *self)
{
  if (self->leaving != NULL)
    gmcp_server_run_hurry (self->leaving);
}

void
gmcp_managed_server_retire (GmcpManagedServer *self,
                            guint drain_ms,
                            const GError *reason,
                            GDestroyNotify done,
                            gpointer data)
{
  g_autoptr (GmcpManagedServer) alive G_GNUC_UNUSED = g_object_ref (self);

  GQueue starters = self->starters;

  g_queue_init (&self->starters);
  g_clear_error (&self->gone);
  self->gone = g_error_copy (reason);
  self->farewell = (GmcpServerFarewell){ done, data };
  if (self->run != NULL)
    gmcp_managed_server_let_go (self, drain_ms, GMCP_SERVER_STATE_STOPPING);
  else if (drain_ms == 0)
    gmcp_managed_server_hurry (self);

  gmcp_waiters_settle (&starters, reason);
  if (self->leaving == NULL)
    gmcp_managed_server_say_farewell (self);
}

/**
 * gmcp_managed_server_start_async:
 * @self: a server
 * @cancellable: (nullable): a cancellable; it ends the waiting, not the start
 * @callback: (scope async): called in the caller's thread-default context
 * @user_data: data for @callback
 *
 * Starts the server, unless it is ready or starts already, and waits until it is ready: the
 * connection is open and its tools are listed. Whoever asks meanwhile waits for the same start.
 *
 * Fails with %GMCP_ERROR_NOT_RUNNING for a server that is disabled, %GMCP_ERROR_INVALID_CONFIG where
 * its configuration cannot work, %GMCP_ERROR_TIMED_OUT after the start-up time limit,
 * %GMCP_ERROR_START_FAILED or %GMCP_ERROR_SERVER_EXITED where its process did not come up, and with
 * what the server itself reported.
 *
 * Since: 0.1
 */
void
gmcp_managed_server_start_async (GmcpManagedServer *self,
                                 GCancellable *cancellable,
                                 GAsyncReadyCallback callback,
                                 gpointer user_data)
{
  g_autoptr (GTask) task = NULL;

  g_return_if_fail (GMCP_IS_MANAGED_SERVER (self));
  g_return_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable));

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, gmcp_managed_server_start_async);
  if (g_task_return_error_if_cancelled (task))
    return;

  if (self->gone != NULL)
    g_task_return_error (task, g_error_copy (self->gone));
  else if (!gmcp_server_config_is_enabled (self->config))
    g_task_return_error (task, disabled_error (self));
  else if (gmcp_managed_server_is_ready (self))
    g_task_return_boolean (task, TRUE);
  else
    {
      gmcp_waiters_add (&self->starters, task);
      /* What is leaving is waited for. */
      if (self->run == NULL && self->leaving == NULL)
        gmcp_managed_server_begin_start (self);
    }
}

/**
 * gmcp_managed_server_start_finish:
 * @self: a server
 * @result: what the callback was given
 * @error: return location for an error
 *
 * Ends [method@Gmcp.ManagedServer.start_async].
 *
 * Returns: whether the server is ready
 *
 * Since: 0.1
 */
gboolean
gmcp_managed_server_start_finish (GmcpManagedServer *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (GMCP_IS_MANAGED_SERVER (self), FALSE);
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);
  g_return_val_if_fail (g_async_result_is_tagged (result, gmcp_managed_server_start_async), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}

/* Also a start that waits for the process before it to be gone is given up. */
static void
give_up_running (GmcpManagedServer *self)
{
  guint drain_ms = self->state == GMCP_SERVER_STATE_READY ? GMCP_DEFAULT_DRAIN_TIMEOUT_MS : 0;
  GQueue starters = self->starters;
  g_autoptr (GError) error = NULL;

  g_queue_init (&self->starters);
  if (self->run != NULL)
    gmcp_managed_server_let_go (self, drain_ms, GMCP_SERVER_STATE_STOPPING);
  if (g_queue_is_empty (&starters))
    return;

  error = g_error_new (GMCP_ERROR, GMCP_ERROR_NOT_RUNNING,
                       _ ("Server “%s” was stopped before it was ready"),
                       gmcp_managed_server_get_title (self));
  gmcp_waiters_settle (&starters, error);
}

/**
 * gmcp_managed_server_stop_async:
 * @self: a server
 * @cancellable: (nullable): a cancellable; it ends the waiting, not the stop
 * @callback: (scope async): called in the caller's thread-default context
 * @user_data: data for @callback
 *
 * Stops the server and waits until its process is gone. Calls under way may finish for 5 seconds
 * first. Its tools stay listed, and the next call starts it again. A server that does not run is no
 * error.
 *
 * Since: 0.1
 */
void
gmcp_managed_server_stop_async (GmcpManagedServer *self,
                                GCancellable *cancellable,
                                GAsyncReadyCallback callback,
                                gpointer user_data)
{
  g_autoptr (GTask) task = NULL;

  g_return_if_fail (GMCP_IS_MANAGED_SERVER (self));
  g_return_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable));

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, gmcp_managed_server_stop_async);
  if (g_task_return_error_if_cancelled (task))
    return;

  if (self->run == NULL && self->leaving == NULL)
    {
      g_task_return_boolean (task, TRUE);
      return;
    }

  /* Before anybody is told, who may start it again. */
  gmcp_waiters_add (&self->stoppers, task);
  give_up_running (self);
}

/**
 * gmcp_managed_server_stop_finish:
 * @self: a server
 * @result: what the callback was given
 * @error: return location for an error
 *
 * Ends [method@Gmcp.ManagedServer.stop_async].
 *
 * Returns: whether the server is stopped
 *
 * Since: 0.1
 */
gboolean
gmcp_managed_server_stop_finish (GmcpManagedServer *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (GMCP_IS_MANAGED_SERVER (self), FALSE);
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);
  g_return_val_if_fail (g_async_result_is_tagged (result, gmcp_managed_server_stop_async), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}

static void
on_listed_again (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GTask) task = data;
  g_autoptr (GListModel) tools = NULL;
  GError *error = NULL;

  tools = gmcp_client_list_tools_finish (GMCP_CLIENT (object), result, &error);
  if (tools == NULL)
    g_task_return_error (task, error);
  else
    g_task_return_boolean (task, TRUE);
}

static void
on_started (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GTask) task = data;
  GError *error = NULL;

  if (gmcp_managed_server_start_finish (GMCP_MANAGED_SERVER (object), result, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

void
gmcp_managed_server_refresh_async (GmcpManagedServer *self,
                                   GCancellable *cancellable,
                                   GAsyncReadyCallback callback,
                                   gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (self, cancellable, callback, user_data);
  GmcpClient *client;

  g_task_set_source_tag (task, gmcp_managed_server_refresh_async);
  if (!gmcp_managed_server_is_ready (self))
    {
      gmcp_managed_server_start_async (self, cancellable, on_started, g_steal_pointer (&task));
      return;
    }

  client = gmcp_server_run_get_client (self->run);
  if (gmcp_capabilities_has (gmcp_client_get_server_capabilities (client), "tools/listChanged"))
    g_task_return_boolean (task, TRUE);
  else
    gmcp_client_list_tools_async (client, cancellable, on_listed_again, g_steal_pointer (&task));
}

gboolean
gmcp_managed_server_refresh_finish (GmcpManagedServer *self, GAsyncResult *result, GError **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}

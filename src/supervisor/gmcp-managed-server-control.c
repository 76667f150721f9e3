/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-i18n-private.h"
#include "gmcp-managed-server-config-private.h"
#include "gmcp-managed-server-install-private.h"
#include "gmcp-managed-server-life-private.h"
#include "gmcp-managed-server-news-private.h"
#include "gmcp-managed-server-parts-private.h"
#include "gmcp-managed-server-start-private.h"
#include "gmcp-server-config-private.h"
#include "gmcp-pending-tasks-private.h"

#include <gmcp/core/gmcp-error.h>

gboolean
gmcp_managed_server_is_ready (GmcpManagedServer *self)
{
  GmcpServerLife *life = gmcp_managed_server_get_life (self);

  /* Between the end of a process and the signal that tells of it the client is closed already. */
  return gmcp_server_state_on_call (gmcp_server_life_get_state (life)) == GMCP_SERVER_ON_CALL_SEND
         && gmcp_client_is_open (
           gmcp_server_instance_get_client (gmcp_server_life_get_instance (life)));
}

gboolean
gmcp_managed_server_is_doubtful (GmcpManagedServer *self)
{
  GmcpServerLife *life = gmcp_managed_server_get_life (self);

  /* One begins by itself when the last answer is older than the interval between checks. */
  return (gmcp_server_life_get_state (life) == GMCP_SERVER_STATE_READY
          && gmcp_health_monitor_is_checking (gmcp_managed_server_get_health_monitor (self)))
         || gmcp_server_life_get_state (life) == GMCP_SERVER_STATE_DEGRADED;
}

gboolean
gmcp_managed_server_is_check_overdue (GmcpManagedServer *self)
{
  return gmcp_health_monitor_is_overdue (gmcp_managed_server_get_health_monitor (self));
}

gboolean
gmcp_managed_server_needs_user (GmcpManagedServer *self)
{
  GmcpServerConfig *config = gmcp_managed_server_get_config (self);

  /* At an address there is nothing to be started, only a connection to be made. */
  return gmcp_server_config_get_start (config) == GMCP_SERVER_START_MANUAL
         && gmcp_server_config_get_url (config) == NULL;
}

gboolean
gmcp_managed_server_is_due (GmcpManagedServer *self)
{
  GmcpServerConfig *config = gmcp_managed_server_get_config (self);

  return gmcp_managed_server_is_untried (self)
         || (gmcp_server_config_is_enabled (config)
             && !gmcp_restart_policy_was_tried (gmcp_managed_server_get_restart_policy (self))
             && gmcp_server_config_get_start (config) == GMCP_SERVER_START_AT_LOAD);
}

gboolean
gmcp_managed_server_is_untried (GmcpManagedServer *self)
{
  return gmcp_server_config_is_enabled (gmcp_managed_server_get_config (self))
         && !gmcp_tool_snapshot_is_listed (gmcp_managed_server_get_snapshot (self))
         && (gmcp_server_life_get_attempt (gmcp_managed_server_get_life (self)) != NULL
             || (!gmcp_restart_policy_was_tried (gmcp_managed_server_get_restart_policy (self))
                 && !gmcp_managed_server_needs_user (self)));
}

void
gmcp_managed_server_call (GmcpManagedServer *self, const char *tool, GmcpToolCall *call)
{
  gmcp_server_instance_call (gmcp_server_life_get_instance (gmcp_managed_server_get_life (self)),
                             tool, call);
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
 * its configuration cannot work, an error of the domain %GMCP_AUTH_ERROR where it wants somebody to
 * sign in, and else with %GMCP_ERROR_START_FAILED, whose message says what came of the start: the
 * process did not come up, was too slow, or did not pass its first health check.
 *
 * Since: 0.1
 */
void
gmcp_managed_server_start_async (GmcpManagedServer *self,
                                 GCancellable *cancellable,
                                 GAsyncReadyCallback callback,
                                 gpointer user_data)
{
  GmcpServerLife *life;
  g_autoptr (GTask) task = NULL;

  g_return_if_fail (GMCP_IS_MANAGED_SERVER (self));
  g_return_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable));
  if (!gmcp_managed_server_check_thread (self, G_STRFUNC))
    return;

  life = gmcp_managed_server_get_life (self);
  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, gmcp_managed_server_start_async);
  if (g_task_return_error_if_cancelled (task))
    return;

  if (gmcp_server_life_get_retired (life) != NULL)
    g_task_return_error (task, g_error_copy (gmcp_server_life_get_retired (life)));
  else if (!gmcp_server_config_is_enabled (gmcp_managed_server_get_config (self)))
    g_task_return_error (task, gmcp_managed_server_disabled_error (self));
  else if (gmcp_server_state_is_up (gmcp_server_life_get_state (life))
           && gmcp_client_is_open (
             gmcp_server_instance_get_client (gmcp_server_life_get_instance (life))))
    {
      gmcp_managed_server_notice (self, GMCP_NOTICE_LEVEL_INFO,
                                  _ ("Server “%s” is running already"),
                                  gmcp_managed_server_get_title (self));
      g_task_return_boolean (task, TRUE);
    }
  else
    {
      gmcp_pending_tasks_add (gmcp_server_life_get_starters (life), task);
      if (gmcp_server_life_get_attempt (life) == NULL)
        {
          /* A start by the server's name begins with fresh retries. */
          gmcp_restart_policy_reset (gmcp_managed_server_get_restart_policy (self));
          gmcp_managed_server_look_again (self);
          gmcp_managed_server_want_start (self);
        }
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

/* NULL where the server may be waited for. */
static GError *
refuse_to_wait (GmcpManagedServer *self)
{
  GmcpServerLife *life = gmcp_managed_server_get_life (self);
  GmcpRestartPolicy *restarts = gmcp_managed_server_get_restart_policy (self);
  const GError *last = gmcp_server_life_get_last_error (life);
  g_autofree char *words = NULL;
  gint64 left_us;
  guint n_seconds;

  if (gmcp_managed_server_needs_user (self) && gmcp_server_life_get_instance (life) == NULL
      && !gmcp_restart_policy_is_armed (restarts) && !gmcp_server_life_wants_start (life))
    return gmcp_managed_server_not_running_error (self);
  if (!gmcp_restart_policy_is_armed (restarts))
    return NULL;

  left_us = gmcp_restart_policy_get_left_us (restarts);
  if (left_us <= gmcp_managed_server_get_limits (self)->restart_wait_ms * (gint64) 1000)
    return NULL;

  n_seconds = (guint) (left_us / G_USEC_PER_SEC) + 1;
  words = gmcp_server_host_dup_start_words (gmcp_managed_server_get_host (self),
                                            gmcp_managed_server_get_id (self));
  return g_error_new (
    GMCP_ERROR, GMCP_ERROR_NOT_RUNNING,
    /* TRANSLATORS: a server’s name, a number, an error message, a server’s id and options */
    g_dngettext (GETTEXT_PACKAGE,
                 "Server “%s” failed and is started again in %u second (%s). To see what it says: "
                 "gmcp start --foreground %s",
                 "Server “%s” failed and is started again in %u seconds (%s). To see what it says: "
                 "gmcp start --foreground %s",
                 n_seconds),
    gmcp_managed_server_get_title (self), n_seconds, last != NULL ? last->message : "", words);
}

/* What the user must do something about first is told as it is. */
static GError *
given_up_error (GmcpManagedServer *self, gint64 left_us)
{
  const GError *last = gmcp_server_life_get_last_error (gmcp_managed_server_get_life (self));
  const char *title = gmcp_managed_server_get_title (self);
  g_autofree char *words = NULL;
  guint n_seconds = (guint) (left_us / G_USEC_PER_SEC) + 1;

  if (last == NULL)
    return gmcp_managed_server_not_running_error (self);
  if (last->domain == GMCP_AUTH_ERROR
      || g_error_matches (last, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG)
      || g_error_matches (last, GMCP_ERROR, GMCP_ERROR_NOT_SUPPORTED)
      || g_error_matches (last, GMCP_ERROR, GMCP_ERROR_REQUIREMENT_MISSING))
    return g_error_copy (last);

  words = gmcp_server_host_dup_start_words (gmcp_managed_server_get_host (self),
                                            gmcp_managed_server_get_id (self));
  if (gmcp_managed_server_needs_user (self))
    return g_error_new (GMCP_ERROR, GMCP_ERROR_NOT_RUNNING,
                        _ ("Server “%s” failed (%s), and is started by hand only. To see what it "
                           "says: gmcp start --foreground %s. So that calls start it, set its "
                           "“start” to “on-demand” (“auto_start: true” in YAML)"),
                        title, last->message, words);

  return g_error_new (
    GMCP_ERROR,
    g_error_matches (last, GMCP_ERROR, GMCP_ERROR_START_FAILED) ? GMCP_ERROR_START_FAILED
                                                                : GMCP_ERROR_NOT_RUNNING,
    /* TRANSLATORS: a server’s name, a number, an error message, a server’s id and options */
    g_dngettext (GETTEXT_PACKAGE,
                 "Server “%s” failed and is not started for a call before %u second is over (%s). "
                 "To see what it says: gmcp start --foreground %s",
                 "Server “%s” failed and is not started for a call before %u seconds are over "
                 "(%s). To see what it says: gmcp start --foreground %s",
                 n_seconds),
    title, n_seconds, last->message, words);
}

/* NULL where it may be started again for a call. */
static GError *
refuse_to_start (GmcpManagedServer *self)
{
  GmcpServerLife *life = gmcp_managed_server_get_life (self);
  const GError *last = gmcp_server_life_get_last_error (life);
  gint64 left_us = gmcp_restart_policy_get_rest_us (gmcp_managed_server_get_restart_policy (self),
                                                    gmcp_managed_server_get_limits (self));

  if (!gmcp_server_config_is_enabled (gmcp_managed_server_get_config (self)))
    return gmcp_managed_server_disabled_error (self);
  if (gmcp_server_life_get_state (life) != GMCP_SERVER_STATE_FAILED)
    return last != NULL ? g_error_copy (last) : gmcp_managed_server_not_running_error (self);
  if (left_us <= 0 && !gmcp_managed_server_needs_user (self))
    return gmcp_managed_server_lacking_error (self);

  return given_up_error (self, left_us);
}

void
gmcp_managed_server_demand_async (GmcpManagedServer *self,
                                  GCancellable *cancellable,
                                  GAsyncReadyCallback callback,
                                  gpointer user_data)
{
  GmcpServerLife *life = gmcp_managed_server_get_life (self);
  g_autoptr (GTask) task = g_task_new (self, cancellable, callback, user_data);
  GmcpServerOnCall on_call = gmcp_server_state_on_call (gmcp_server_life_get_state (life));
  GError *error = NULL;

  g_task_set_source_tag (task, gmcp_managed_server_demand_async);
  if (g_task_return_error_if_cancelled (task))
    return;

  if (gmcp_server_life_get_retired (life) != NULL)
    error = g_error_copy (gmcp_server_life_get_retired (life));
  else if (on_call == GMCP_SERVER_ON_CALL_FAIL)
    error = refuse_to_start (self);
  else if (!gmcp_managed_server_is_ready (self))
    error = refuse_to_wait (self);

  if (error != NULL)
    g_task_return_error (task, error);
  else if (gmcp_managed_server_is_ready (self)
           && (gmcp_managed_server_is_doubtful (self)
               || gmcp_managed_server_is_check_overdue (self)))
    gmcp_health_monitor_check_for_call (gmcp_managed_server_get_health_monitor (self), task);
  else if (gmcp_managed_server_is_ready (self))
    g_task_return_boolean (task, TRUE);
  else
    {
      gmcp_managed_server_note_waiter (task);
      gmcp_pending_tasks_add (gmcp_server_life_get_starters (life), task);
      /* Where there is a run it has just ended, and what becomes of that is known soon. */
      if (gmcp_server_life_get_instance (life) == NULL
          && !gmcp_restart_policy_is_armed (gmcp_managed_server_get_restart_policy (self)))
        gmcp_managed_server_want_start (self);
    }
}

gboolean
gmcp_managed_server_is_awaited_by (GmcpManagedServer *self, GCancellable *cancellable)
{
  GQueue *starters = gmcp_server_life_get_starters (gmcp_managed_server_get_life (self));

  for (GList *link = starters->head; link != NULL; link = link->next)
    if (g_task_get_cancellable (link->data) == cancellable)
      return TRUE;
  return FALSE;
}

gboolean
gmcp_managed_server_demand_finish (GmcpManagedServer *self, GAsyncResult *result, GError **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}

/* Gives up the run, and a start that waits for the process before to be gone. */
static void
give_up_running (GmcpManagedServer *self, gboolean force)
{
  GmcpServerLife *life = gmcp_managed_server_get_life (self);
  guint drain_ms = gmcp_server_state_is_up (gmcp_server_life_get_state (life)) && !force
                     ? gmcp_managed_server_get_shutdown_timeout_ms (self)
                     : 0;
  GmcpServerInstance *instance = gmcp_server_life_get_last_instance (life);
  GQueue starters = { NULL, NULL, 0 };
  g_autoptr (GError) error = NULL;

  gmcp_pending_tasks_move (gmcp_server_life_get_starters (life), &starters);
  gmcp_restart_policy_leave_down (gmcp_managed_server_get_restart_policy (self));
  if (force && instance != NULL)
    gmcp_server_instance_force (instance);
  gmcp_managed_server_end (self, drain_ms, GMCP_SERVER_EVENT_STOP);
  gmcp_restart_policy_reset (gmcp_managed_server_get_restart_policy (self));
  if (g_queue_is_empty (&starters))
    return;

  error = g_error_new (GMCP_ERROR, GMCP_ERROR_NOT_RUNNING,
                       _ ("Server “%s” was stopped before it was ready"),
                       gmcp_managed_server_get_title (self));
  gmcp_pending_tasks_settle (&starters, error);
}

static void
stop_server (GmcpManagedServer *self,
             gboolean force,
             gpointer tag,
             GCancellable *cancellable,
             GAsyncReadyCallback callback,
             gpointer user_data)
{
  GmcpServerLife *life = gmcp_managed_server_get_life (self);
  g_autoptr (GmcpManagedServer) alive G_GNUC_UNUSED = g_object_ref (self);
  g_autoptr (GTask) task = g_task_new (self, cancellable, callback, user_data);

  g_task_set_source_tag (task, tag);
  if (g_task_return_error_if_cancelled (task))
    return;

  if (gmcp_server_life_is_free (life))
    {
      /* The server may wait for its next attempt. */
      if (gmcp_server_life_get_state (life) == GMCP_SERVER_STATE_STOPPED
          || gmcp_server_life_get_state (life) == GMCP_SERVER_STATE_DISABLED)
        gmcp_managed_server_notice (self, GMCP_NOTICE_LEVEL_WARNING,
                                    _ ("Server “%s” is not running"),
                                    gmcp_managed_server_get_title (self));
      give_up_running (self, force);
      g_task_return_boolean (task, TRUE);
      return;
    }

  /* Before anybody is told, who may start it again. */
  gmcp_pending_tasks_add (gmcp_server_life_get_stoppers (life), task);
  give_up_running (self, force);
}

/**
 * gmcp_managed_server_stop_async:
 * @self: a server
 * @cancellable: (nullable): a cancellable; it ends the waiting, not the stop
 * @callback: (scope async): called in the caller's thread-default context
 * @user_data: data for @callback
 *
 * Stops the server and waits until its process is gone. Calls under way may finish within the
 * shutdown time limit first. Its tools stay listed, and the next call starts it again, unless only
 * the user may. A server that does not run is no error.
 *
 * Since: 0.1
 */
void
gmcp_managed_server_stop_async (GmcpManagedServer *self,
                                GCancellable *cancellable,
                                GAsyncReadyCallback callback,
                                gpointer user_data)
{
  g_return_if_fail (GMCP_IS_MANAGED_SERVER (self));
  g_return_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable));
  if (!gmcp_managed_server_check_thread (self, G_STRFUNC))
    return;

  stop_server (self, FALSE, gmcp_managed_server_stop_async, cancellable, callback, user_data);
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

/**
 * gmcp_managed_server_force_stop_async:
 * @self: a server
 * @cancellable: (nullable): a cancellable; it ends the waiting, not the stop
 * @callback: (scope async): called in the caller's thread-default context
 * @user_data: data for @callback
 *
 * Stops the server at once: calls under way fail, and its process is killed without being asked. Also
 * for a server that is being stopped already and takes its time.
 *
 * Since: 0.1
 */
void
gmcp_managed_server_force_stop_async (GmcpManagedServer *self,
                                      GCancellable *cancellable,
                                      GAsyncReadyCallback callback,
                                      gpointer user_data)
{
  g_return_if_fail (GMCP_IS_MANAGED_SERVER (self));
  g_return_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable));
  if (!gmcp_managed_server_check_thread (self, G_STRFUNC))
    return;

  stop_server (self, TRUE, gmcp_managed_server_force_stop_async, cancellable, callback, user_data);
}

/**
 * gmcp_managed_server_force_stop_finish:
 * @self: a server
 * @result: what the callback was given
 * @error: return location for an error
 *
 * Ends [method@Gmcp.ManagedServer.force_stop_async].
 *
 * Returns: whether the server is stopped
 *
 * Since: 0.1
 */
gboolean
gmcp_managed_server_force_stop_finish (GmcpManagedServer *self,
                                       GAsyncResult *result,
                                       GError **error)
{
  g_return_val_if_fail (GMCP_IS_MANAGED_SERVER (self), FALSE);
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);
  g_return_val_if_fail (g_async_result_is_tagged (result, gmcp_managed_server_force_stop_async),
                        FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}

/**
 * gmcp_managed_server_restart_async:
 * @self: a server
 * @cancellable: (nullable): a cancellable; it ends the waiting, not the restart
 * @callback: (scope async): called in the caller's thread-default context
 * @user_data: data for @callback
 *
 * Stops the server, as [method@Gmcp.ManagedServer.stop_async] does, and starts it again. One that does
 * not run is just started; one that is starting is waited for. Calls that come meanwhile wait for the
 * new process.
 *
 * It fails as [method@Gmcp.ManagedServer.start_async] does.
 *
 * Since: 0.1
 */
void
gmcp_managed_server_restart_async (GmcpManagedServer *self,
                                   GCancellable *cancellable,
                                   GAsyncReadyCallback callback,
                                   gpointer user_data)
{
  GmcpServerLife *life;
  g_autoptr (GmcpManagedServer) alive G_GNUC_UNUSED = NULL;
  g_autoptr (GTask) task = NULL;

  g_return_if_fail (GMCP_IS_MANAGED_SERVER (self));
  g_return_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable));
  if (!gmcp_managed_server_check_thread (self, G_STRFUNC))
    return;

  life = gmcp_managed_server_get_life (self);
  alive = g_object_ref (self);
  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, gmcp_managed_server_restart_async);
  if (g_task_return_error_if_cancelled (task))
    return;

  if (gmcp_server_life_get_retired (life) != NULL)
    {
      g_task_return_error (task, g_error_copy (gmcp_server_life_get_retired (life)));
      return;
    }
  if (!gmcp_server_config_is_enabled (gmcp_managed_server_get_config (self)))
    {
      g_task_return_error (task, gmcp_managed_server_disabled_error (self));
      return;
    }

  gmcp_pending_tasks_add (gmcp_server_life_get_starters (life), task);
  if (gmcp_server_life_get_attempt (life) != NULL)
    return;

  gmcp_restart_policy_reset (gmcp_managed_server_get_restart_policy (self));
  gmcp_managed_server_look_again (self);
  if (gmcp_server_life_get_instance (life) != NULL)
    {
      gmcp_restart_policy_count_restart (gmcp_managed_server_get_restart_policy (self));
      gmcp_managed_server_notice (self, GMCP_NOTICE_LEVEL_INFO, _ ("Restarting server “%s”"),
                                  gmcp_managed_server_get_title (self));
      if (gmcp_server_life_get_instance (life) != NULL)
        gmcp_managed_server_end (self, gmcp_managed_server_get_shutdown_timeout_ms (self),
                                 GMCP_SERVER_EVENT_STOP);
    }
  /* A listener may have disabled the server, or stopped it for good. */
  if (!g_queue_is_empty (gmcp_server_life_get_starters (life)))
    gmcp_managed_server_want_start (self);
}

/**
 * gmcp_managed_server_restart_finish:
 * @self: a server
 * @result: what the callback was given
 * @error: return location for an error
 *
 * Ends [method@Gmcp.ManagedServer.restart_async].
 *
 * Returns: whether the server is ready
 *
 * Since: 0.1
 */
gboolean
gmcp_managed_server_restart_finish (GmcpManagedServer *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (GMCP_IS_MANAGED_SERVER (self), FALSE);
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);
  g_return_val_if_fail (g_async_result_is_tagged (result, gmcp_managed_server_restart_async),
                        FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-tasks-private.h"

#include "gmcp-call-options-private.h"
#include "gmcp-era-features-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-limits.h"
#include "gmcp-task-handle-private.h"

struct _GmcpTasks
{
  GPtrArray *waits; /* of GmcpTaskWait, not owned */
  gboolean offered; /* this side decides which calls are tasks */
  guint max_timeout_ms;
};

GmcpTasks *
gmcp_tasks_new (void)
{
  GmcpTasks *tasks = g_new0 (GmcpTasks, 1);

  tasks->waits = g_ptr_array_new ();
  tasks->max_timeout_ms = GMCP_DEFAULT_MAX_TASK_TIMEOUT_MS;
  return tasks;
}

void
gmcp_tasks_free (GmcpTasks *tasks)
{
  g_ptr_array_unref (tasks->waits);
  g_free (tasks);
}

static GmcpTasks *
tasks_of (GmcpSession *self)
{
  return gmcp_session_get_features (self)->tasks;
}

void
gmcp_tasks_begin (GmcpSession *self)
{
  tasks_of (self)->offered = gmcp_session_get_era_features (self)->offers_tasks (self);
}

gboolean
gmcp_tasks_are_offered (GmcpSession *self)
{
  return tasks_of (self)->offered;
}

guint
gmcp_tasks_get_max_timeout_ms (GmcpSession *self)
{
  return tasks_of (self)->max_timeout_ms;
}

gboolean
gmcp_tasks_set_max_timeout_ms (GmcpSession *self, guint timeout_ms)
{
  gboolean changed = tasks_of (self)->max_timeout_ms != timeout_ms;

  tasks_of (self)->max_timeout_ms = timeout_ms;
  return changed;
}

void
gmcp_tasks_forget (GmcpSession *self, GmcpTaskWait *wait)
{
  g_ptr_array_remove_fast (tasks_of (self)->waits, wait);
}

static GmcpTaskWait *
add_wait (GmcpSession *self, GmcpExchange *exchange, GmcpTaskHandle *handle)
{
  GmcpTaskWait *wait = gmcp_task_wait_new (self, exchange, handle);

  g_ptr_array_add (tasks_of (self)->waits, wait);
  if (gmcp_session_clocks_stand_still (self))
    gmcp_tasks_stop_clocks (self);
  return wait;
}

/* Comes last, since a listener may do anything. */
static void
announce_task (GmcpTaskWait *wait)
{
  g_autoptr (GmcpTaskHandle) handle = g_object_ref (gmcp_task_wait_get_handle (wait));
  g_autoptr (GmcpCallOptions) options = NULL;

  if (gmcp_exchange_get_options (gmcp_task_wait_get_exchange (wait)) == NULL)
    return;

  options = g_object_ref (gmcp_exchange_get_options (gmcp_task_wait_get_exchange (wait)));
  gmcp_call_options_emit_task_created (options, handle);
}

gboolean
gmcp_tasks_take (GmcpSession *self, GmcpExchange *exchange, GmcpJsonValue state, GError **error)
{
  g_autoptr (GmcpTaskHandle) handle = gmcp_task_handle_new_from_value (
    state, gmcp_session_describe (self), gmcp_exchange_get_subject (exchange), error);
  GmcpTaskWait *wait;

  if (handle == NULL)
    {
      gmcp_exchange_note_given_up (exchange);
      g_prefix_error (error, _ ("%s answered the call of “%s” with a task that is of no use: "),
                      gmcp_session_describe (self), gmcp_exchange_get_subject (exchange));
      return FALSE;
    }

  wait = add_wait (self, exchange, handle);
  gmcp_task_wait_begin_polling (wait);
  announce_task (wait);
  return TRUE;
}

void
gmcp_tasks_follow (GmcpSession *self, GmcpExchange *exchange, GmcpTaskHandle *handle)
{
  GmcpTaskWait *wait = add_wait (self, exchange, handle);

  gmcp_task_handle_fill_in (handle, gmcp_session_describe (self));
  gmcp_task_wait_poll (wait);
}

gboolean
gmcp_tasks_note (GmcpSession *self, GmcpJsonValue state)
{
  g_autofree char *id = gmcp_json_value_dup_string (gmcp_json_value_get_member (state, "taskId"));
  g_autoptr (GPtrArray) found = NULL;

  if (id == NULL)
    return FALSE;

  for (guint i = 0; i < tasks_of (self)->waits->len; i++)
    {
      GmcpTaskWait *wait = g_ptr_array_index (tasks_of (self)->waits, i);

      if (gmcp_task_wait_is_settled (wait)
          || !g_str_equal (gmcp_task_handle_get_task_id (gmcp_task_wait_get_handle (wait)), id))
        continue;
      if (found == NULL)
        found = g_ptr_array_new_with_free_func ((GDestroyNotify) gmcp_task_wait_unref);
      g_ptr_array_add (found, gmcp_task_wait_ref (wait));
    }
  for (guint i = 0; found != NULL && i < found->len; i++)
    gmcp_task_wait_take_state (g_ptr_array_index (found, i), state);
  return found != NULL;
}

GmcpCallOptions *
gmcp_tasks_find_options (GmcpSession *self, const char *id)
{
  for (guint i = 0; i < tasks_of (self)->waits->len; i++)
    {
      GmcpTaskWait *wait = g_ptr_array_index (tasks_of (self)->waits, i);
      GmcpExchange *exchange = gmcp_task_wait_get_exchange (wait);

      if (exchange != NULL
          && g_str_equal (gmcp_task_handle_get_task_id (gmcp_task_wait_get_handle (wait)), id))
        return gmcp_exchange_get_options (exchange);
    }
  return NULL;
}

gboolean
gmcp_tasks_has_any (GmcpSession *self)
{
  return tasks_of (self)->waits->len > 0;
}

void
gmcp_tasks_stop_clocks (GmcpSession *self)
{
  for (guint i = 0; i < tasks_of (self)->waits->len; i++)
    gmcp_task_wait_set_asked (g_ptr_array_index (tasks_of (self)->waits, i), TRUE);
}

void
gmcp_tasks_start_clocks (GmcpSession *self)
{
  for (guint i = 0; i < tasks_of (self)->waits->len; i++)
    gmcp_task_wait_set_asked (g_ptr_array_index (tasks_of (self)->waits, i), FALSE);
}

GmcpExchange *
gmcp_tasks_find_call (GmcpSession *self, gint64 progress_token)
{
  for (guint i = 0; i < tasks_of (self)->waits->len; i++)
    {
      GmcpTaskWait *wait = g_ptr_array_index (tasks_of (self)->waits, i);

      if (gmcp_task_wait_get_progress_token (wait) == progress_token)
        return gmcp_task_wait_get_exchange (wait);
    }
  return NULL;
}

gboolean
gmcp_tasks_is_followed (GmcpSession *self, GmcpTaskHandle *handle)
{
  for (guint i = 0; i < tasks_of (self)->waits->len; i++)
    if (gmcp_task_wait_get_handle (g_ptr_array_index (tasks_of (self)->waits, i)) == handle)
      return TRUE;
  return FALSE;
}

/* The server tells the news of the task. */
void
gmcp_tasks_ask_anew (GmcpSession *self, const char *id)
{
  for (guint i = 0; i < tasks_of (self)->waits->len; i++)
    {
      GmcpTaskWait *wait = g_ptr_array_index (tasks_of (self)->waits, i);

      if (g_str_equal (gmcp_task_handle_get_task_id (gmcp_task_wait_get_handle (wait)), id))
        gmcp_task_wait_poll_soon (wait);
    }
}

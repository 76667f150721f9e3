/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include <gmcp/json-rpc/gmcp-rpc-error.h>

#include "gmcp-limits.h"
#include "gmcp-server-task-struct-private.h"
#include "gmcp-task-state-private.h"
#include "gmcp-tool-result-private.h"

typedef struct
{
  GmcpServerTaskFunc func;
  gpointer data;
} Watcher;

GmcpServerTask *
gmcp_server_task_new (const char *id, const char *owner, const char *tool)
{
  GmcpServerTask *self = g_rc_box_new0 (GmcpServerTask);

  self->id = g_strdup (id);
  self->owner = g_strdup (owner);
  self->tool = g_strdup (tool);
  self->created = g_date_time_new_now_utc ();
  self->updated = g_date_time_ref (self->created);
  self->questions = g_ptr_array_new_with_free_func (gmcp_server_task_question_free);
  self->keys = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->watchers = g_ptr_array_new_with_free_func (g_free);
  return self;
}

GmcpServerTask *
gmcp_server_task_ref (GmcpServerTask *self)
{
  return g_rc_box_acquire (self);
}

static void
task_clear (gpointer data)
{
  GmcpServerTask *self = data;

  g_free (self->id);
  g_free (self->owner);
  g_free (self->tool);
  g_free (self->message);
  g_date_time_unref (self->created);
  g_date_time_unref (self->updated);
  g_clear_object (&self->cancellable);
  g_clear_pointer (&self->result, gmcp_tool_result_unref);
  g_free (self->error_message);
  g_free (self->error_data_json);
  g_ptr_array_unref (self->questions);
  g_hash_table_unref (self->keys);
  g_ptr_array_unref (self->watchers);
}

void
gmcp_server_task_unref (GmcpServerTask *self)
{
  g_rc_box_release_full (self, task_clear);
}

const char *
gmcp_server_task_get_id (GmcpServerTask *self)
{
  return self->id;
}

GmcpTaskStatus
gmcp_server_task_get_status (GmcpServerTask *self)
{
  return self->status;
}

gboolean
gmcp_server_task_is_final (GmcpServerTask *self)
{
  return gmcp_task_status_is_final (self->status);
}

const char *
gmcp_server_task_get_message (GmcpServerTask *self)
{
  return self->message;
}

gint64
gmcp_server_task_get_ttl_ms (GmcpServerTask *self)
{
  return self->ttl_ms;
}

guint
gmcp_server_task_get_poll_interval_ms (GmcpServerTask *self)
{
  return self->poll_interval_ms;
}

GDateTime *
gmcp_server_task_get_created_at (GmcpServerTask *self)
{
  return self->created;
}

GDateTime *
gmcp_server_task_get_updated_at (GmcpServerTask *self)
{
  return self->updated;
}

GmcpToolResult *
gmcp_server_task_get_result (GmcpServerTask *self)
{
  return self->result;
}

int
gmcp_server_task_get_error_code (GmcpServerTask *self)
{
  return self->code;
}

const char *
gmcp_server_task_get_error_message (GmcpServerTask *self)
{
  return self->error_message;
}

const char *
gmcp_server_task_get_error_data_json (GmcpServerTask *self)
{
  return self->error_data_json;
}

/* Those who watch */

static gboolean
find_watcher (GmcpServerTask *self, GmcpServerTaskFunc func, gpointer data, guint *position)
{
  for (guint i = 0; i < self->watchers->len; i++)
    {
      Watcher *watcher = g_ptr_array_index (self->watchers, i);

      *position = i;
      if (watcher->func == func && watcher->data == data)
        return TRUE;
    }
  return FALSE;
}

gboolean
gmcp_server_task_watch (GmcpServerTask *self, GmcpServerTaskFunc func, gpointer data)
{
  Watcher *watcher;

  if (self->watchers->len >= GMCP_LIMIT_SERVER_TASK_WATCHERS)
    return FALSE;

  watcher = g_new (Watcher, 1);
  watcher->func = func;
  watcher->data = data;
  g_ptr_array_add (self->watchers, watcher);
  return TRUE;
}

void
gmcp_server_task_unwatch (GmcpServerTask *self, GmcpServerTaskFunc func, gpointer data)
{
  guint position = 0;

  if (find_watcher (self, func, data, &position))
    g_ptr_array_remove_index (self->watchers, position);
}

/* Whoever is told may let go of the task, or of others who would be told after it. */
void
gmcp_server_task_changed (GmcpServerTask *self)
{
  g_autoptr (GmcpServerTask) alive G_GNUC_UNUSED = gmcp_server_task_ref (self);
  g_autofree Watcher *told = NULL;
  guint n_told = self->watchers->len;
  guint position;

  g_date_time_unref (self->updated);
  self->updated = g_date_time_new_now_utc ();
  told = g_new (Watcher, n_told);
  for (guint i = 0; i < n_told; i++)
    told[i] = *(Watcher *) g_ptr_array_index (self->watchers, i);
  for (guint i = 0; i < n_told; i++)
    if (find_watcher (self, told[i].func, told[i].data, &position))
      told[i].func (self, told[i].data);
}

/* What becomes of it */

static gboolean
is_open (GmcpServerTask *self)
{
  return !self->is_ending && !gmcp_server_task_is_final (self);
}

/* What is longer is cut, where no character is broken. */
static void
replace_message (GmcpServerTask *self, const char *message)
{
  char *valid = NULL;

  if (message != NULL)
    {
      g_autofree char *cut = g_strndup (message, GMCP_LIMIT_STATUS_BYTES);

      valid = g_utf8_make_valid (cut, -1);
    }
  g_free (self->message);
  self->message = valid;
}

void
gmcp_server_task_set_message (GmcpServerTask *self, const char *message)
{
  if (!is_open (self) || g_strcmp0 (self->message, message) == 0)
    return;

  replace_message (self, message);
  gmcp_server_task_changed (self);
}

void
gmcp_server_task_finish (GmcpServerTask *self, GmcpTaskStatus status, const char *message)
{
  g_autoptr (GmcpServerTask) alive G_GNUC_UNUSED = gmcp_server_task_ref (self);
  g_autoptr (GCancellable) cancellable = g_steal_pointer (&self->cancellable);

  self->is_ending = FALSE;
  self->status = status;
  if (message != NULL)
    replace_message (self, message);
  gmcp_server_task_close_questions (self);
  gmcp_server_task_changed (self);
  if (status == GMCP_TASK_STATUS_CANCELLED && cancellable != NULL)
    g_cancellable_cancel (cancellable);
}

/* What was charged for the call makes room for what came of it. */
static void
release_call (GmcpServerTask *self)
{
  gsize call_bytes = self->call_bytes;

  self->call_bytes = 0;
  if (self->table != NULL)
    gmcp_server_tasks_release (self->table, self, call_bytes);
}

static gboolean
charge_text (GmcpServerTask *self, const char *text)
{
  return text == NULL || gmcp_server_tasks_charge (self->table, self, strlen (text));
}

void
gmcp_server_task_fail (GmcpServerTask *self, int code, const char *message, const char *data)
{
  if (!is_open (self))
    return;

  release_call (self);
  self->code = code;
  if (!charge_text (self, message))
    message = "Internal error: there is no room to keep the error";
  self->error_message = g_strdup (message);
  if (charge_text (self, data))
    self->error_data_json = g_strdup (data);
  self->is_ending = TRUE;
  gmcp_server_tasks_keep_end (self->table, self, GMCP_TASK_STATUS_FAILED, message);
}

void
gmcp_server_task_complete (GmcpServerTask *self, GmcpToolResult *result)
{
  if (!is_open (self))
    return;

  release_call (self);
  if (!gmcp_server_tasks_charge (self->table, self, gmcp_tool_result_get_kept_bytes (result)))
    {
      gmcp_server_task_fail (self, GMCP_RPC_ERROR_INTERNAL,
                             "Internal error: there is no room to keep the result", NULL);
      return;
    }

  self->result = gmcp_tool_result_ref (result);
  self->is_ending = TRUE;
  gmcp_server_tasks_keep_end (self->table, self, GMCP_TASK_STATUS_COMPLETED, NULL);
}

gboolean
gmcp_server_task_cancel (GmcpServerTask *self)
{
  if (!is_open (self))
    return FALSE;

  release_call (self);
  self->code = GMCP_RPC_ERROR_INTERNAL;
  self->error_message = g_strdup ("The task was cancelled");
  gmcp_server_tasks_keep_end (self->table, self, GMCP_TASK_STATUS_CANCELLED,
                              "The task was cancelled by request");
  return TRUE;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-audit-log-private.h"

#include <string.h>

#include "gmcp-i18n-private.h"
#include "gmcp-limits.h"
#include "gmcp-log-sink-private.h"

#include <gmcp/core/gmcp-error.h>

/* What is looked for; belongs to a thread. */
typedef struct
{
  char *path;
  guint n_files;
  char *server; /* NULL for all */
  char *id;     /* NULL for all */
  char *since;  /* as lines have it, of which the order is that of time; NULL for all */
  guint limit;  /* 0 for none */
} Query;

static void
query_free (Query *query)
{
  g_free (query->path);
  g_free (query->server);
  g_free (query->id);
  g_free (query->since);
  g_free (query);
}

static gboolean
has_member (GmcpJsonValue line, const char *name, const char *expected)
{
  return expected == NULL
         || gmcp_json_value_equals_string (gmcp_json_value_get_member (line, name), expected);
}

/* Times are in UTC, and all of one length. */
static gboolean
is_new_enough (const Query *query, GmcpJsonValue line)
{
  g_autofree char *time = query->since != NULL
                            ? gmcp_json_value_dup_string (gmcp_json_value_get_member (line, "time"))
                            : NULL;

  return query->since == NULL || (time != NULL && strcmp (time, query->since) >= 0);
}

/* What is no line of the log, as half of one after a crash, is passed over. */
static gboolean
matches_query (const Query *query, const char *line, gsize length)
{
  g_autoptr (GmcpJsonDoc) doc = NULL;
  GmcpJsonValue root;

  if (query->id != NULL && memmem (line, length, query->id, strlen (query->id)) == NULL)
    return FALSE;

  doc = gmcp_json_doc_parse (line, length, NULL, GMCP_LIMIT_JSON_WRITTEN_DEPTH, NULL);
  if (doc == NULL)
    return FALSE;

  root = gmcp_json_doc_get_root (doc);
  return gmcp_json_value_is_present (gmcp_json_value_get_member (root, "id"))
         && has_member (root, "id", query->id) && has_member (root, "server", query->server)
         && is_new_enough (query, root);
}

/* From the end of the file on; the newest line comes first. */
static void
collect_lines (const Query *query, const char *content, gsize length, GPtrArray *lines)
{
  const char *end = content + length;

  while (end > content && (query->limit == 0 || lines->len < query->limit))
    {
      const char *newline = memrchr (content, '\n', (gsize) (end - content));
      const char *line = newline != NULL ? newline + 1 : content;

      if (end > line && matches_query (query, line, (gsize) (end - line)))
        g_ptr_array_add (lines, g_strndup (line, (gsize) (end - line)));
      if (newline == NULL)
        break;
      end = newline;
    }
}

static void
reverse_lines (GPtrArray *lines)
{
  for (guint i = 0; i < lines->len / 2; i++)
    {
      gpointer kept = lines->pdata[i];

      lines->pdata[i] = lines->pdata[lines->len - 1 - i];
      lines->pdata[lines->len - 1 - i] = kept;
    }
}

static void
read_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Query *query = data;
  g_autoptr (GPtrArray) paths = gmcp_log_sink_list_paths (query->path, query->n_files);
  g_autoptr (GPtrArray) lines = g_ptr_array_new_with_free_func (g_free);

  for (guint i = paths->len; i > 0 && (query->limit == 0 || lines->len < query->limit); i--)
    {
      const char *path = g_ptr_array_index (paths, i - 1);
      g_autofree char *content = NULL;
      GError *error = NULL;
      gsize length;

      if (g_task_return_error_if_cancelled (task))
        return;
      /* What is no regular file cannot be read back, and may never end. */
      if (!g_file_test (path, G_FILE_TEST_IS_REGULAR))
        continue;
      if (!g_file_get_contents (path, &content, &length, &error))
        {
          if (!g_error_matches (error, G_FILE_ERROR, G_FILE_ERROR_NOENT))
            {
              g_task_return_error (task, error);
              return;
            }
          g_clear_error (&error);
          continue;
        }
      collect_lines (query, content, length, lines);
    }

  reverse_lines (lines);
  g_ptr_array_add (lines, NULL);
  g_ptr_array_set_free_func (lines, NULL);
  g_task_return_pointer (task, g_ptr_array_free (g_steal_pointer (&lines), FALSE),
                         (GDestroyNotify) g_strfreev);
}

static void
on_flushed (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GTask) task = data;
  GmcpAuditLog *self = GMCP_AUDIT_LOG (object);
  g_autoptr (GError) error = NULL;

  /* What cannot be written now is missing; the rest is there. */
  if (!gmcp_audit_log_flush_finish (self, result, &error))
    g_debug ("%s", error->message);
  g_task_run_in_thread (task, read_in_thread);
}

static void
begin_read (GmcpAuditLog *self,
            GTask *task,
            const char *server,
            const char *id,
            GDateTime *since,
            guint limit)
{
  Query *query = g_new0 (Query, 1);
  g_autoptr (GDateTime) since_utc = since != NULL ? g_date_time_to_utc (since) : NULL;

  query->path = g_strdup (self->path);
  query->n_files = MAX (self->n_files, GMCP_DEFAULT_LOG_FILES);
  query->server = g_strdup (server);
  query->id = g_strdup (id);
  query->limit = limit;
  if (since_utc != NULL)
    query->since = g_date_time_format (since_utc, "%Y-%m-%dT%H:%M:%S.%f");
  g_task_set_task_data (task, query, (GDestroyNotify) query_free);
  gmcp_audit_log_flush_async (self, g_task_get_cancellable (task), on_flushed, task);
}

/**
 * gmcp_audit_log_read_async:
 * @self: a log
 * @server_id: (nullable): the id of a server, or %NULL for all
 * @since: (nullable): the time from which on calls were begun, or %NULL for all
 * @limit: how many lines at most, the newest of all; 0 for all there are
 * @cancellable: (nullable): a cancellable
 * @callback: (scope async): called in the caller's thread-default context
 * @user_data: data for @callback
 *
 * Reads what was called, by this program and by others that write to the same file.
 *
 * Since: 0.1
 */
void
gmcp_audit_log_read_async (GmcpAuditLog *self,
                           const char *server_id,
                           GDateTime *since,
                           guint limit,
                           GCancellable *cancellable,
                           GAsyncReadyCallback callback,
                           gpointer user_data)
{
  g_autoptr (GTask) task = NULL;

  g_return_if_fail (GMCP_IS_AUDIT_LOG (self));
  g_return_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable));

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, gmcp_audit_log_read_async);
  begin_read (self, g_steal_pointer (&task), server_id, NULL, since, limit);
}

/**
 * gmcp_audit_log_read_finish:
 * @self: a log
 * @result: what the callback was given
 * @error: return location for an error
 *
 * Ends [method@Gmcp.AuditLog.read_async].
 *
 * Returns: (transfer full) (array zero-terminated=1): JSON objects as text, the oldest call first
 *
 * Since: 0.1
 */
char **
gmcp_audit_log_read_finish (GmcpAuditLog *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (GMCP_IS_AUDIT_LOG (self), NULL);
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);
  g_return_val_if_fail (g_async_result_is_tagged (result, gmcp_audit_log_read_async), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

/**
 * gmcp_audit_log_find_async:
 * @self: a log
 * @id: the `id` of a line
 * @cancellable: (nullable): a cancellable
 * @callback: (scope async): called in the caller's thread-default context
 * @user_data: data for @callback
 *
 * Looks for one call. Fails with %G_IO_ERROR_NOT_FOUND where the log has none of that id, or has it no
 * longer.
 *
 * Since: 0.1
 */
void
gmcp_audit_log_find_async (GmcpAuditLog *self,
                           const char *id,
                           GCancellable *cancellable,
                           GAsyncReadyCallback callback,
                           gpointer user_data)
{
  g_autoptr (GTask) task = NULL;

  g_return_if_fail (GMCP_IS_AUDIT_LOG (self));
  g_return_if_fail (id != NULL);
  g_return_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable));

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, gmcp_audit_log_find_async);
  begin_read (self, g_steal_pointer (&task), NULL, id, NULL, 1);
}

/**
 * gmcp_audit_log_find_finish:
 * @self: a log
 * @result: what the callback was given
 * @error: return location for an error
 *
 * Ends [method@Gmcp.AuditLog.find_async].
 *
 * Returns: (transfer full): a JSON object as text
 *
 * Since: 0.1
 */
char *
gmcp_audit_log_find_finish (GmcpAuditLog *self, GAsyncResult *result, GError **error)
{
  g_auto (GStrv) lines = NULL;
  Query *query;

  g_return_val_if_fail (GMCP_IS_AUDIT_LOG (self), NULL);
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);
  g_return_val_if_fail (g_async_result_is_tagged (result, gmcp_audit_log_find_async), NULL);

  query = g_task_get_task_data (G_TASK (result));
  lines = g_task_propagate_pointer (G_TASK (result), error);
  if (lines == NULL)
    return NULL;

  if (lines[0] == NULL)
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND,
                   _ ("The audit log %s has no call “%s”: “gmcp audit” lists those it has"),
                   self->path, query->id);
      return NULL;
    }

  return g_strdup (lines[0]);
}

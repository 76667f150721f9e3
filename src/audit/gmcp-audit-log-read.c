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
  char *server;    /* NULL for all */
  char *id;        /* NULL for all */
  char *tool;      /* a part of its name; NULL for all */
  char *outcome;   /* NULL for all */
  char *since;     /* as lines have it, of which the order is that of time; NULL for all */
  char *before;    /* the same */
  char *before_id; /* of the line before which others are looked for; NULL for all */
  guint limit;     /* 0 for none */
} Query;

/* What is found, the newest first. */
typedef struct
{
  GPtrArray *lines;
  gboolean has_begun; /* the line of before_id has been passed */
} Finds;

static void
query_free (Query *query)
{
  g_free (query->path);
  g_free (query->server);
  g_free (query->id);
  g_free (query->tool);
  g_free (query->outcome);
  g_free (query->since);
  g_free (query->before);
  g_free (query->before_id);
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
is_in_time (const Query *query, GmcpJsonValue line)
{
  g_autofree char *time = NULL;

  if (query->since == NULL && query->before == NULL)
    return TRUE;
  time = gmcp_json_value_dup_string (gmcp_json_value_get_member (line, "time"));
  return time != NULL && (query->since == NULL || strcmp (time, query->since) >= 0)
         && (query->before == NULL || strcmp (time, query->before) < 0);
}

static gboolean
has_tool (const Query *query, GmcpJsonValue line)
{
  g_autofree char *tool = NULL;

  if (query->tool == NULL)
    return TRUE;
  tool = gmcp_json_value_dup_string (gmcp_json_value_get_member (line, "tool"));
  return tool != NULL && strstr (tool, query->tool) != NULL;
}

static gboolean
matches_query (const Query *query, GmcpJsonValue line)
{
  return has_member (line, "id", query->id) && has_member (line, "server", query->server)
         && has_member (line, "outcome", query->outcome) && is_in_time (query, line)
         && has_tool (query, line);
}

/* What is no line of the log, as half of one after a crash, is passed over. */
static void
look_at_line (const Query *query, const char *line, gsize length, Finds *finds)
{
  const char *id = finds->has_begun ? query->id : query->before_id;
  g_autoptr (GmcpJsonDoc) doc = NULL;
  GmcpJsonValue root;

  if (id != NULL && memmem (line, length, id, strlen (id)) == NULL)
    return;

  doc = gmcp_json_doc_parse (line, length, NULL, GMCP_LIMIT_JSON_WRITTEN_DEPTH, NULL);
  if (doc == NULL)
    return;

  root = gmcp_json_doc_get_root (doc);
  if (!gmcp_json_value_is_present (gmcp_json_value_get_member (root, "id")))
    return;
  if (!finds->has_begun)
    finds->has_begun = has_member (root, "id", query->before_id);
  else if (matches_query (query, root))
    g_ptr_array_add (finds->lines, g_strndup (line, length));
}

static gboolean
has_enough (const Query *query, const Finds *finds)
{
  return query->limit > 0 && finds->lines->len >= query->limit;
}

/* From the end of the file on; the newest line comes first. */
static void
collect_lines (const Query *query, const char *content, gsize length, Finds *finds)
{
  const char *end = content + length;

  while (end > content && !has_enough (query, finds))
    {
      const char *newline = memrchr (content, '\n', (gsize) (end - content));
      const char *line = newline != NULL ? newline + 1 : content;

      if (end > line)
        look_at_line (query, line, (gsize) (end - line), finds);
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
  Finds finds = { lines, query->before_id == NULL };

  for (guint i = paths->len; i > 0 && !has_enough (query, &finds); i--)
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
      collect_lines (query, content, length, &finds);
    }

  if (!finds.has_begun)
    {
      g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_NOT_FOUND,
                               _ ("The audit log %s has no call “%s”: “gmcp audit” lists those it "
                                  "has"),
                               query->path, query->before_id);
      return;
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

/* As lines have it. */
static char *
format_time (GDateTime *time)
{
  g_autoptr (GDateTime) utc = time != NULL ? g_date_time_to_utc (time) : NULL;

  return utc != NULL ? g_date_time_format (utc, "%Y-%m-%dT%H:%M:%S.%f") : NULL;
}

/* Takes the query. tag: the function that is called. */
static void
begin_read (GmcpAuditLog *self,
            Query *query,
            gpointer tag,
            GCancellable *cancellable,
            GAsyncReadyCallback callback,
            gpointer user_data)
{
  GTask *task = g_task_new (self, cancellable, callback, user_data);

  g_task_set_source_tag (task, tag);
  query->path = g_strdup (self->path);
  query->n_files = MAX (self->n_files, GMCP_DEFAULT_LOG_FILES);
  g_task_set_task_data (task, query, (GDestroyNotify) query_free);
  gmcp_audit_log_flush_async (self, cancellable, on_flushed, task);
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
  Query *query;

  g_return_if_fail (GMCP_IS_AUDIT_LOG (self));
  g_return_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable));

  query = g_new0 (Query, 1);
  query->server = g_strdup (server_id);
  query->since = format_time (since);
  query->limit = limit;
  begin_read (self, query, gmcp_audit_log_read_async, cancellable, callback, user_data);
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
 * gmcp_audit_log_search_async:
 * @self: a log
 * @server_id: (nullable): the id of a server, or %NULL for all
 * @tool: (nullable): a part of a tool's name, or %NULL for all
 * @outcome: (nullable): what came of the call, as lines have it, or %NULL for all
 * @since: (nullable): the time from which on calls were begun, or %NULL for all
 * @before: (nullable): the time before which they were begun, or %NULL for all
 * @before_id: (nullable): the `id` of a line, such as the oldest of an earlier search: only those before it
 *   are looked at; or %NULL for all
 * @limit: how many lines at most, the newest of all; 0 for all there are
 * @cancellable: (nullable): a cancellable
 * @callback: (scope async): called in the caller's thread-default context
 * @user_data: data for @callback
 *
 * Reads what was called, as [method@Gmcp.AuditLog.read_async] does, of which only what is looked for is kept.
 * Nothing older is read once there is as much as @limit.
 *
 * Fails with %G_IO_ERROR_NOT_FOUND where the log has no line of the id @before_id, or has it no longer.
 *
 * Since: 0.1
 */
void
gmcp_audit_log_search_async (GmcpAuditLog *self,
                             const char *server_id,
                             const char *tool,
                             const char *outcome,
                             GDateTime *since,
                             GDateTime *before,
                             const char *before_id,
                             guint limit,
                             GCancellable *cancellable,
                             GAsyncReadyCallback callback,
                             gpointer user_data)
{
  Query *query;

  g_return_if_fail (GMCP_IS_AUDIT_LOG (self));
  g_return_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable));

  query = g_new0 (Query, 1);
  query->server = g_strdup (server_id);
  query->tool = g_strdup (tool);
  query->outcome = g_strdup (outcome);
  query->since = format_time (since);
  query->before = format_time (before);
  query->before_id = g_strdup (before_id);
  query->limit = limit;
  begin_read (self, query, gmcp_audit_log_search_async, cancellable, callback, user_data);
}

/**
 * gmcp_audit_log_search_finish:
 * @self: a log
 * @result: what the callback was given
 * @error: return location for an error
 *
 * Ends [method@Gmcp.AuditLog.search_async].
 *
 * Returns: (transfer full) (array zero-terminated=1): JSON objects as text, the oldest call first
 *
 * Since: 0.1
 */
char **
gmcp_audit_log_search_finish (GmcpAuditLog *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (GMCP_IS_AUDIT_LOG (self), NULL);
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);
  g_return_val_if_fail (g_async_result_is_tagged (result, gmcp_audit_log_search_async), NULL);

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
  Query *query;

  g_return_if_fail (GMCP_IS_AUDIT_LOG (self));
  g_return_if_fail (id != NULL);
  g_return_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable));

  query = g_new0 (Query, 1);
  query->id = g_strdup (id);
  query->limit = 1;
  begin_read (self, query, gmcp_audit_log_find_async, cancellable, callback, user_data);
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

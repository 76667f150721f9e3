/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n.h>

#include "gmcp-task-error.h"
#include "gmcp-task-query.h"

GmcpTaskQuery *
gmcp_task_query_new (const GmcpTaskQueryType *type, const char *user)
{
  GmcpTaskQuery *self = g_new0 (GmcpTaskQuery, 1);

  self->type = type;
  self->user = g_strdup (user);
  return self;
}

void
gmcp_task_query_free (GmcpTaskQuery *self)
{
  g_free (self->user);
  g_free (self->id);
  g_free (self->title);
  g_free (self->description);
  g_free (self->due_date);
  g_free (self);
}

/* NULL text is SQL's NULL. */
static void
bind_text (sqlite3_stmt *statement, int position, const char *text)
{
  sqlite3_bind_text (statement, position, text, -1, SQLITE_TRANSIENT);
}

/* Another program may have written what is not UTF-8 into the file. */
static char *
dup_column (sqlite3_stmt *statement, int column)
{
  const char *text = (const char *) sqlite3_column_text (statement, column);

  return text != NULL ? g_utf8_make_valid (text, -1) : NULL;
}

static GmcpTaskRecord *
read_record (sqlite3_stmt *statement)
{
  GmcpTaskRecord *record = g_new0 (GmcpTaskRecord, 1);

  record->id = dup_column (statement, 0);
  record->title = dup_column (statement, 1);
  record->description = dup_column (statement, 2);
  record->due_date = dup_column (statement, 3);
  record->created_at = dup_column (statement, 4);
  record->updated_at = dup_column (statement, 5);
  record->completed_at = dup_column (statement, 6);
  return record;
}

static char *
dup_now (void)
{
  g_autoptr (GDateTime) now = g_date_time_new_now_utc ();

  return g_date_time_format (now, "%Y-%m-%dT%H:%M:%SZ");
}

/* A task of another user is not found either: that it exists is private. A text that is no
 * identifier is not repeated, since it may hold anything. */
static void
set_not_found (const char *id, GError **error)
{
  if (g_uuid_string_is_valid (id))
    g_set_error (error, GMCP_TASK_ERROR, GMCP_TASK_ERROR_NOT_FOUND,
                 _ ("There is no task with the id %s. list_tasks gives the ids that there are."),
                 id);
  else
    g_set_error_literal (error, GMCP_TASK_ERROR, GMCP_TASK_ERROR_NOT_FOUND,
                         _ ("There is no task with the id that was given. list_tasks gives the "
                            "ids that there are."));
}

static GmcpTaskRecord *
get_record (const GmcpTaskQuery *query, GmcpTaskDatabase *database, GError **error)
{
  sqlite3_stmt *statement;
  GmcpTaskRecord *record = NULL;
  gboolean has_row;

  statement = gmcp_task_database_get_statement (database, GMCP_TASK_SQL_GET, error);
  if (statement == NULL)
    return NULL;

  bind_text (statement, 1, query->user);
  bind_text (statement, 2, query->id);
  if (!gmcp_task_database_step (database, statement, &has_row, error))
    return NULL;

  if (has_row)
    record = read_record (statement);
  else
    set_not_found (query->id, error);

  sqlite3_reset (statement);
  return record;
}

static gboolean
count_tasks (const GmcpTaskQuery *query, GmcpTaskDatabase *database, gint64 *count, GError **error)
{
  GmcpTaskSql sql = query->status == GMCP_TASK_SELECTION_ALL ? GMCP_TASK_SQL_COUNT_ALL
                                                             : GMCP_TASK_SQL_COUNT_BY_STATE;
  sqlite3_stmt *statement = gmcp_task_database_get_statement (database, sql, error);
  gboolean has_row;

  if (statement == NULL)
    return FALSE;

  bind_text (statement, 1, query->user);
  if (query->status != GMCP_TASK_SELECTION_ALL)
    sqlite3_bind_int (statement, 2, query->status == GMCP_TASK_SELECTION_COMPLETED);

  if (!gmcp_task_database_step (database, statement, &has_row, error))
    return FALSE;

  *count = has_row ? sqlite3_column_int64 (statement, 0) : 0;
  return TRUE;
}

static gpointer
list_tasks (const GmcpTaskQuery *query, GmcpTaskDatabase *database, GError **error)
{
  g_autoptr (GmcpTaskPage) page = gmcp_task_page_new ();
  GmcpTaskSql sql = query->status == GMCP_TASK_SELECTION_ALL ? GMCP_TASK_SQL_LIST_ALL
                                                             : GMCP_TASK_SQL_LIST_BY_STATE;
  sqlite3_stmt *statement;
  gboolean has_row;

  if (!count_tasks (query, database, &page->total, error))
    return NULL;

  statement = gmcp_task_database_get_statement (database, sql, error);
  if (statement == NULL)
    return NULL;

  bind_text (statement, 1, query->user);
  if (query->status != GMCP_TASK_SELECTION_ALL)
    sqlite3_bind_int (statement, 2, query->status == GMCP_TASK_SELECTION_COMPLETED);
  sqlite3_bind_int64 (statement, 3, query->limit);
  sqlite3_bind_int64 (statement, 4, query->offset);

  do
    {
      if (!gmcp_task_database_step (database, statement, &has_row, error))
        return NULL;
      if (has_row)
        g_ptr_array_add (page->tasks, read_record (statement));
    }
  while (has_row);

  return g_steal_pointer (&page);
}

static gboolean
add_user (const GmcpTaskQuery *query, GmcpTaskDatabase *database, GError **error)
{
  sqlite3_stmt *statement;

  statement = gmcp_task_database_get_statement (database, GMCP_TASK_SQL_ADD_USER, error);
  if (statement == NULL)
    return FALSE;

  bind_text (statement, 1, query->user);
  return gmcp_task_database_run (database, statement, error);
}

static gpointer
create_task (const GmcpTaskQuery *query, GmcpTaskDatabase *database, GError **error)
{
  g_autofree char *now = dup_now ();
  sqlite3_stmt *statement;

  if (!add_user (query, database, error))
    return NULL;

  statement = gmcp_task_database_get_statement (database, GMCP_TASK_SQL_ADD_TASK, error);
  if (statement == NULL)
    return NULL;

  bind_text (statement, 1, query->user);
  bind_text (statement, 2, query->id);
  bind_text (statement, 3, query->title);
  bind_text (statement, 4, query->description);
  bind_text (statement, 5, query->due_date);
  bind_text (statement, 6, now);
  if (!gmcp_task_database_run (database, statement, error))
    return NULL;

  return get_record (query, database, error);
}

static gpointer
change_record (const GmcpTaskQuery *query,
               GmcpTaskDatabase *database,
               const GmcpTaskRecord *record,
               const char *now,
               GError **error)
{
  sqlite3_stmt *statement;

  statement = gmcp_task_database_get_statement (database, GMCP_TASK_SQL_CHANGE_TASK, error);
  if (statement == NULL)
    return NULL;

  bind_text (statement, 1, query->user);
  bind_text (statement, 2, query->id);
  bind_text (statement, 3, record->title);
  bind_text (statement, 4, record->description);
  bind_text (statement, 5, now);
  bind_text (statement, 6, record->completed_at);
  if (!gmcp_task_database_run (database, statement, error))
    return NULL;

  return get_record (query, database, error);
}

static gboolean
replace_text (char **field, const char *text)
{
  if (g_strcmp0 (*field, text) == 0)
    return FALSE;

  g_free (*field);
  *field = g_strdup (text);
  return TRUE;
}

/* A change that changes nothing leaves `updated_at` alone, so that asking twice does what asking
 * once does. */
static gpointer
update_task (const GmcpTaskQuery *query, GmcpTaskDatabase *database, GError **error)
{
  g_autoptr (GmcpTaskRecord) record = get_record (query, database, error);
  g_autofree char *now = dup_now ();
  gboolean changed = FALSE;

  if (record == NULL)
    return NULL;

  if (query->title != NULL)
    changed |= replace_text (&record->title, query->title);
  if (query->sets_description)
    changed |= replace_text (&record->description, query->description);

  if (!changed)
    return g_steal_pointer (&record);

  return change_record (query, database, record, now, error);
}

static gpointer
complete_task (const GmcpTaskQuery *query, GmcpTaskDatabase *database, GError **error)
{
  g_autoptr (GmcpTaskRecord) record = get_record (query, database, error);
  g_autofree char *now = dup_now ();

  if (record == NULL)
    return NULL;

  if ((record->completed_at != NULL) == query->completed)
    return g_steal_pointer (&record);

  replace_text (&record->completed_at, query->completed ? now : NULL);
  return change_record (query, database, record, now, error);
}

static gpointer
delete_task (const GmcpTaskQuery *query, GmcpTaskDatabase *database, GError **error)
{
  sqlite3_stmt *statement;

  statement = gmcp_task_database_get_statement (database, GMCP_TASK_SQL_DELETE_TASK, error);
  if (statement == NULL)
    return NULL;

  bind_text (statement, 1, query->user);
  bind_text (statement, 2, query->id);
  if (!gmcp_task_database_run (database, statement, error))
    return NULL;

  if (gmcp_task_database_count_changes (database) == 0)
    {
      set_not_found (query->id, error);
      return NULL;
    }

  return g_strdup (query->id);
}

const GmcpTaskQueryType gmcp_task_query_list
  = { "list", FALSE, list_tasks, (GDestroyNotify) gmcp_task_page_free };
const GmcpTaskQueryType gmcp_task_query_create
  = { "create", TRUE, create_task, (GDestroyNotify) gmcp_task_record_free };
const GmcpTaskQueryType gmcp_task_query_update
  = { "update", TRUE, update_task, (GDestroyNotify) gmcp_task_record_free };
const GmcpTaskQueryType gmcp_task_query_complete
  = { "complete", TRUE, complete_task, (GDestroyNotify) gmcp_task_record_free };
const GmcpTaskQueryType gmcp_task_query_delete = { "delete", TRUE, delete_task, g_free };

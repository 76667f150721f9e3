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
  g_free (self->day);
  g_free (self->start);
  g_free (self->end);
  g_free (self->origin);
  g_free (self);
}

/* Another program may have written what is not UTF-8 into the database. */
static char *
dup_column (const char *text)
{
  return text != NULL ? g_utf8_make_valid (text, -1) : NULL;
}

static GmcpTaskRecord *
read_record (const char *const *columns)
{
  GmcpTaskRecord *record = g_new0 (GmcpTaskRecord, 1);

  record->id = dup_column (columns[0]);
  record->title = dup_column (columns[1]);
  record->description = dup_column (columns[2]);
  record->due_date = dup_column (columns[3]);
  record->created_at = dup_column (columns[4]);
  record->updated_at = dup_column (columns[5]);
  record->completed_at = dup_column (columns[6]);
  return record;
}

static void
take_record (const char *const *columns, gpointer user_data)
{
  GmcpTaskRecord **record = user_data;

  if (*record == NULL)
    *record = read_record (columns);
}

static void
add_record (const char *const *columns, gpointer user_data)
{
  GmcpTaskPage *page = user_data;

  g_ptr_array_add (page->tasks, read_record (columns));
}

static void
take_number (const char *const *columns, gpointer user_data)
{
  gint64 *number = user_data;

  *number = columns[0] != NULL ? g_ascii_strtoll (columns[0], NULL, 10) : 0;
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
get_record (GmcpTaskQuery *query, GmcpTaskDatabase *database, GError **error)
{
  GmcpTaskRecord *record = NULL;
  GmcpTaskStatement statement = { .sql = GMCP_TASK_SQL_GET,
                                  .values = { query->user, query->id },
                                  .row_func = take_record,
                                  .row_data = &record };

  if (!gmcp_task_database_run (database, &statement, error))
    {
      g_clear_pointer (&record, gmcp_task_record_free);
      return NULL;
    }

  if (record == NULL)
    set_not_found (query->id, error);
  return record;
}

static gpointer
list_tasks (GmcpTaskQuery *query, GmcpTaskDatabase *database, GError **error)
{
  g_autoptr (GmcpTaskPage) page = gmcp_task_page_new ();
  const char *state = query->status == GMCP_TASK_SELECTION_COMPLETED ? "1" : "0";
  g_autofree char *limit = g_strdup_printf ("%u", query->limit);
  g_autofree char *offset = g_strdup_printf ("%u", query->offset);
  GmcpTaskStatement count = { .sql = GMCP_TASK_SQL_COUNT_BY_STATE,
                              .values = { query->user, state },
                              .row_func = take_number,
                              .row_data = &page->total };
  GmcpTaskStatement list = { .sql = GMCP_TASK_SQL_LIST_BY_STATE,
                             .values = { query->user, state, limit, offset },
                             .row_func = add_record,
                             .row_data = page };

  if (query->status == GMCP_TASK_SELECTION_ALL)
    {
      count.sql = GMCP_TASK_SQL_COUNT_ALL;
      list = (GmcpTaskStatement){ .sql = GMCP_TASK_SQL_LIST_ALL,
                                  .values = { query->user, limit, offset },
                                  .row_func = add_record,
                                  .row_data = page };
    }

  return gmcp_task_database_run (database, &count, error)
             && gmcp_task_database_run (database, &list, error)
           ? g_steal_pointer (&page)
           : NULL;
}

static gboolean
lock_user (GmcpTaskQuery *query, GmcpTaskDatabase *database, GError **error)
{
  GmcpTaskStatement statement = { .sql = GMCP_TASK_SQL_LOCK_USER, .values = { query->user } };

  return gmcp_task_database_run (database, &statement, error);
}

static gpointer
create_task (GmcpTaskQuery *query, GmcpTaskDatabase *database, GError **error)
{
  g_autofree char *now = dup_now ();
  GmcpTaskStatement add_user = { .sql = GMCP_TASK_SQL_ADD_USER, .values = { query->user } };
  GmcpTaskStatement add_task = { .sql = GMCP_TASK_SQL_ADD_TASK,
                                 .values = { query->user, query->id, query->title,
                                             query->description, query->due_date, now } };

  if (!gmcp_task_database_run (database, &add_user, error) || !lock_user (query, database, error)
      || !gmcp_task_database_run (database, &add_task, error))
    return NULL;

  query->did_change = TRUE;
  return get_record (query, database, error);
}

/* The task, which nobody else changes before this transaction ends. */
static GmcpTaskRecord *
get_record_to_change (GmcpTaskQuery *query, GmcpTaskDatabase *database, GError **error)
{
  return lock_user (query, database, error) ? get_record (query, database, error) : NULL;
}

static gpointer
change_record (GmcpTaskQuery *query,
               GmcpTaskDatabase *database,
               const GmcpTaskRecord *record,
               const char *now,
               GError **error)
{
  GmcpTaskStatement statement = { .sql = GMCP_TASK_SQL_CHANGE_TASK,
                                  .values = { query->user, query->id, record->title,
                                              record->description, now, record->completed_at } };

  if (!gmcp_task_database_run (database, &statement, error))
    return NULL;

  query->did_change = TRUE;
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
update_task (GmcpTaskQuery *query, GmcpTaskDatabase *database, GError **error)
{
  g_autoptr (GmcpTaskRecord) record = get_record_to_change (query, database, error);
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
complete_task (GmcpTaskQuery *query, GmcpTaskDatabase *database, GError **error)
{
  g_autoptr (GmcpTaskRecord) record = get_record_to_change (query, database, error);
  g_autofree char *now = dup_now ();

  if (record == NULL)
    return NULL;

  if ((record->completed_at != NULL) == query->completed)
    return g_steal_pointer (&record);

  replace_text (&record->completed_at, query->completed ? now : NULL);
  return change_record (query, database, record, now, error);
}

static gpointer
delete_task (GmcpTaskQuery *query, GmcpTaskDatabase *database, GError **error)
{
  GmcpTaskStatement statement
    = { .sql = GMCP_TASK_SQL_DELETE_TASK, .values = { query->user, query->id } };

  if (!lock_user (query, database, error) || !gmcp_task_database_run (database, &statement, error))
    return NULL;

  if (statement.n_changes == 0)
    {
      set_not_found (query->id, error);
      return NULL;
    }

  query->did_change = TRUE;
  return g_strdup (query->id);
}

static gpointer
get_task (GmcpTaskQuery *query, GmcpTaskDatabase *database, GError **error)
{
  return get_record (query, database, error);
}

static void
add_text (const char *const *columns, gpointer user_data)
{
  g_strv_builder_add (user_data, columns[0]);
}

static gpointer
find_ids (GmcpTaskQuery *query, GmcpTaskDatabase *database, GError **error)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_autofree char *limit = g_strdup_printf ("%u", query->limit);
  GmcpTaskStatement statement = { .sql = GMCP_TASK_SQL_FIND_IDS,
                                  .values = { query->user, query->id, limit },
                                  .row_func = add_text,
                                  .row_data = builder };

  return gmcp_task_database_run (database, &statement, error) ? g_strv_builder_end (builder) : NULL;
}

static gpointer
list_agenda (GmcpTaskQuery *query, GmcpTaskDatabase *database, GError **error)
{
  g_autoptr (GmcpTaskPage) page = gmcp_task_page_new ();
  g_autofree char *limit = g_strdup_printf ("%u", query->limit);
  GmcpTaskStatement count = { .sql = GMCP_TASK_SQL_COUNT_AGENDA,
                              .values = { query->user, query->day, query->start, query->end },
                              .row_func = take_number,
                              .row_data = &page->total };
  GmcpTaskStatement list = { .sql = GMCP_TASK_SQL_LIST_AGENDA,
                             .values = { query->user, query->day, query->start, query->end, limit },
                             .row_func = add_record,
                             .row_data = page };

  return gmcp_task_database_run (database, &count, error)
             && gmcp_task_database_run (database, &list, error)
           ? g_steal_pointer (&page)
           : NULL;
}

/* A number that is another one when another connection has changed the database. */
static gpointer
get_version (GmcpTaskQuery *query, GmcpTaskDatabase *database, GError **error)
{
  g_autofree gint64 *version = g_new0 (gint64, 1);
  GmcpTaskStatement statement
    = { .sql = GMCP_TASK_SQL_GET_VERSION, .row_func = take_number, .row_data = version };

  return gmcp_task_database_run (database, &statement, error) ? g_steal_pointer (&version) : NULL;
}

/* Tells other programs of what the transaction has changed, once it is committed. */
gboolean
gmcp_task_query_tell_change (GmcpTaskQuery *self, GmcpTaskDatabase *database, GError **error)
{
  g_autofree char *notice = g_strdup_printf ("%s %s %s", self->origin, self->id, self->user);
  GmcpTaskStatement statement = { .sql = GMCP_TASK_SQL_NOTIFY, .values = { notice } };

  return gmcp_task_database_run (database, &statement, error);
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
const GmcpTaskQueryType gmcp_task_query_get
  = { "get", FALSE, get_task, (GDestroyNotify) gmcp_task_record_free };
const GmcpTaskQueryType gmcp_task_query_find_ids
  = { "find-ids", FALSE, find_ids, (GDestroyNotify) g_strfreev };
const GmcpTaskQueryType gmcp_task_query_agenda
  = { "agenda", FALSE, list_agenda, (GDestroyNotify) gmcp_task_page_free };
const GmcpTaskQueryType gmcp_task_query_version = { "version", FALSE, get_version, g_free };

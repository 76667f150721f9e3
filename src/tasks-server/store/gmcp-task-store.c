/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n.h>

#include "gmcp-task-calls.h"
#include "gmcp-task-error.h"
#include "gmcp-task-fields.h"
#include "gmcp-task-limits.h"
#include "gmcp-task-store.h"

/* The tasks in one database. Each operation is for one user, whose tasks are all that it sees, is one
 * transaction and ends within the time limit; nothing of what it read or wrote is kept. */

struct _GmcpTaskStore
{
  GObject parent_instance;

  char *location;
  char *origin; /* what changes of this store are known by among programs */
  guint timeout_ms;
  GmcpTaskCalls *calls; /* NULL: disposed */
};

G_DEFINE_FINAL_TYPE (GmcpTaskStore, gmcp_task_store, G_TYPE_OBJECT)

typedef enum
{
  PROP_LOCATION = 1,
  PROP_TIMEOUT_MS,
} GmcpTaskStoreProperty;

static GParamSpec *properties[PROP_TIMEOUT_MS + 1];

typedef enum
{
  SIGNAL_CHANGED,
  N_SIGNALS,
} GmcpTaskStoreSignal;

static guint signals[N_SIGNALS];

static void
on_did_change (const GmcpTaskQuery *query, gpointer user_data)
{
  g_signal_emit (user_data, signals[SIGNAL_CHANGED], 0, query->user, query->id);
}

static void
gmcp_task_store_constructed (GObject *object)
{
  GmcpTaskStore *self = GMCP_TASK_STORE (object);
  g_autoptr (GMainContext) context = g_main_context_ref_thread_default ();

  G_OBJECT_CLASS (gmcp_task_store_parent_class)->constructed (object);
  self->calls
    = gmcp_task_calls_new (self->location, self->timeout_ms, context, on_did_change, self);
}

static void
gmcp_task_store_dispose (GObject *object)
{
  GmcpTaskStore *self = GMCP_TASK_STORE (object);

  g_clear_pointer (&self->calls, gmcp_task_calls_free);
  G_OBJECT_CLASS (gmcp_task_store_parent_class)->dispose (object);
}

static void
gmcp_task_store_finalize (GObject *object)
{
  GmcpTaskStore *self = GMCP_TASK_STORE (object);

  g_free (self->location);
  g_free (self->origin);
  G_OBJECT_CLASS (gmcp_task_store_parent_class)->finalize (object);
}

static void
gmcp_task_store_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  GmcpTaskStore *self = GMCP_TASK_STORE (object);

  switch ((GmcpTaskStoreProperty) prop_id)
    {
    case PROP_LOCATION:
      g_value_set_string (value, self->location);
      break;
    case PROP_TIMEOUT_MS:
      g_value_set_uint (value, self->timeout_ms);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
gmcp_task_store_set_property (GObject *object,
                              guint prop_id,
                              const GValue *value,
                              GParamSpec *pspec)
{
  GmcpTaskStore *self = GMCP_TASK_STORE (object);

  switch ((GmcpTaskStoreProperty) prop_id)
    {
    case PROP_LOCATION:
      self->location = g_value_dup_string (value);
      break;
    case PROP_TIMEOUT_MS:
      self->timeout_ms = g_value_get_uint (value);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
gmcp_task_store_class_init (GmcpTaskStoreClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const GParamFlags flags
    = G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY;

  object_class->constructed = gmcp_task_store_constructed;
  object_class->dispose = gmcp_task_store_dispose;
  object_class->finalize = gmcp_task_store_finalize;
  object_class->get_property = gmcp_task_store_get_property;
  object_class->set_property = gmcp_task_store_set_property;

  properties[PROP_LOCATION] = g_param_spec_string ("location", NULL, NULL, NULL, flags);
  properties[PROP_TIMEOUT_MS] = g_param_spec_uint (
    "timeout-ms", NULL, NULL, 1, GMCP_TASK_MAX_TIMEOUT_MS, GMCP_TASK_DEFAULT_TIMEOUT_MS, flags);
  g_object_class_install_properties (object_class, G_N_ELEMENTS (properties), properties);

  /* A task of a user is not as it was: the user and the id. */
  signals[SIGNAL_CHANGED]
    = g_signal_new ("changed", GMCP_TYPE_TASK_STORE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                    G_TYPE_NONE, 2, G_TYPE_STRING, G_TYPE_STRING);
}

static void
gmcp_task_store_init (GmcpTaskStore *self)
{
  self->origin = g_uuid_string_random ();
}

/* Opens nothing yet: what is wrong with the database comes with each operation, and is gone as soon
 * as it is mended. @location is an absolute file name or the address of a PostgreSQL database. */
GmcpTaskStore *
gmcp_task_store_new (const char *location, guint timeout_ms)
{
  g_return_val_if_fail (location != NULL, NULL);

  return g_object_new (GMCP_TYPE_TASK_STORE, "location", location, "timeout-ms", timeout_ms, NULL);
}

const char *
gmcp_task_store_get_location (GmcpTaskStore *self)
{
  return self->location;
}

const char *
gmcp_task_store_get_origin (GmcpTaskStore *self)
{
  return self->origin;
}

/* Takes @query, and @error where the values were refused. */
static void
submit_query (GmcpTaskStore *self,
              GmcpTaskQuery *query,
              GError *error,
              gpointer source_tag,
              GCancellable *cancellable,
              GAsyncReadyCallback callback,
              gpointer user_data)
{
  g_autoptr (GmcpTaskQuery) owned_query = query;
  g_autoptr (GTask) task = g_task_new (self, cancellable, callback, user_data);

  g_task_set_source_tag (task, source_tag);
  query->origin = g_strdup (self->origin);

  if (error != NULL)
    g_task_return_error (task, error);
  else if (g_task_return_error_if_cancelled (task))
    return;
  else if (self->calls == NULL)
    g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_CLOSED, "%s",
                             _ ("The task store is closed."));
  else
    gmcp_task_calls_submit (self->calls, g_steal_pointer (&task), g_steal_pointer (&owned_query));
}

static gpointer
finish_query (GmcpTaskStore *self, GAsyncResult *result, gpointer source_tag, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);
  g_return_val_if_fail (g_async_result_is_tagged (result, source_tag), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

/* The tasks in the order of their creation, from @offset on, @limit at most. Every @user has been
 * checked with gmcp_task_fields_check_user(). */
void
gmcp_task_store_list_async (GmcpTaskStore *self,
                            const char *user,
                            GmcpTaskSelection status,
                            guint limit,
                            guint offset,
                            GCancellable *cancellable,
                            GAsyncReadyCallback callback,
                            gpointer user_data)
{
  GmcpTaskQuery *query;

  g_return_if_fail (GMCP_IS_TASK_STORE (self));
  g_return_if_fail (user != NULL);

  query = gmcp_task_query_new (&gmcp_task_query_list, user);
  query->status = status;
  query->limit = MIN (limit, GMCP_TASK_LIMIT_PAGE_ITEMS);
  query->offset = MIN (offset, GMCP_TASK_LIMIT_OFFSET);
  submit_query (self, query, NULL, gmcp_task_store_list_async, cancellable, callback, user_data);
}

GmcpTaskPage *
gmcp_task_store_list_finish (GmcpTaskStore *self, GAsyncResult *result, GError **error)
{
  return finish_query (self, result, gmcp_task_store_list_async, error);
}

static gboolean
take_fields (GmcpTaskQuery *query,
             const char *title,
             const char *description,
             const char *due_date,
             GError **error)
{
  query->sets_description = description != NULL;

  return (title == NULL || gmcp_task_fields_take_title (title, &query->title, error))
         && (description == NULL
             || gmcp_task_fields_take_description (description, &query->description, error))
         && (due_date == NULL
             || gmcp_task_fields_take_due_date (due_date, &query->due_date, error));
}

/* @description and @due_date may be NULL. */
void
gmcp_task_store_create_async (GmcpTaskStore *self,
                              const char *user,
                              const char *title,
                              const char *description,
                              const char *due_date,
                              GCancellable *cancellable,
                              GAsyncReadyCallback callback,
                              gpointer user_data)
{
  GError *error = NULL;
  GmcpTaskQuery *query;

  g_return_if_fail (GMCP_IS_TASK_STORE (self));
  g_return_if_fail (user != NULL);
  g_return_if_fail (title != NULL);

  query = gmcp_task_query_new (&gmcp_task_query_create, user);
  query->id = gmcp_task_record_new_id ();
  if (query->id == NULL)
    g_set_error_literal (&error, GMCP_TASK_ERROR, GMCP_TASK_ERROR_DATABASE,
                         _ ("The system has no random numbers, so the task has no id. Nothing was "
                            "changed; try again."));
  else
    take_fields (query, title, description, due_date, &error);

  submit_query (self, query, error, gmcp_task_store_create_async, cancellable, callback, user_data);
}

GmcpTaskRecord *
gmcp_task_store_create_finish (GmcpTaskStore *self, GAsyncResult *result, GError **error)
{
  return finish_query (self, result, gmcp_task_store_create_async, error);
}

/* A NULL @title or @description stays as it is; an empty description is taken away. */
void
gmcp_task_store_update_async (GmcpTaskStore *self,
                              const char *user,
                              const char *id,
                              const char *title,
                              const char *description,
                              GCancellable *cancellable,
                              GAsyncReadyCallback callback,
                              gpointer user_data)
{
  GError *error = NULL;
  GmcpTaskQuery *query;

  g_return_if_fail (GMCP_IS_TASK_STORE (self));
  g_return_if_fail (user != NULL);
  g_return_if_fail (id != NULL);

  query = gmcp_task_query_new (&gmcp_task_query_update, user);
  query->id = g_strdup (id);
  if (title == NULL && description == NULL)
    g_set_error_literal (&error, GMCP_TASK_ERROR, GMCP_TASK_ERROR_VALIDATION,
                         _ ("There is nothing to change: give “title”, “description” or both."));
  else
    take_fields (query, title, description, NULL, &error);

  submit_query (self, query, error, gmcp_task_store_update_async, cancellable, callback, user_data);
}

GmcpTaskRecord *
gmcp_task_store_update_finish (GmcpTaskStore *self, GAsyncResult *result, GError **error)
{
  return finish_query (self, result, gmcp_task_store_update_async, error);
}

void
gmcp_task_store_complete_async (GmcpTaskStore *self,
                                const char *user,
                                const char *id,
                                gboolean completed,
                                GCancellable *cancellable,
                                GAsyncReadyCallback callback,
                                gpointer user_data)
{
  GmcpTaskQuery *query;

  g_return_if_fail (GMCP_IS_TASK_STORE (self));
  g_return_if_fail (user != NULL);
  g_return_if_fail (id != NULL);

  query = gmcp_task_query_new (&gmcp_task_query_complete, user);
  query->id = g_strdup (id);
  query->completed = !!completed;
  submit_query (self, query, NULL, gmcp_task_store_complete_async, cancellable, callback,
                user_data);
}

GmcpTaskRecord *
gmcp_task_store_complete_finish (GmcpTaskStore *self, GAsyncResult *result, GError **error)
{
  return finish_query (self, result, gmcp_task_store_complete_async, error);
}

void
gmcp_task_store_delete_async (GmcpTaskStore *self,
                              const char *user,
                              const char *id,
                              GCancellable *cancellable,
                              GAsyncReadyCallback callback,
                              gpointer user_data)
{
  GmcpTaskQuery *query;

  g_return_if_fail (GMCP_IS_TASK_STORE (self));
  g_return_if_fail (user != NULL);
  g_return_if_fail (id != NULL);

  query = gmcp_task_query_new (&gmcp_task_query_delete, user);
  query->id = g_strdup (id);
  submit_query (self, query, NULL, gmcp_task_store_delete_async, cancellable, callback, user_data);
}

/* The identifier of the task that is gone. */
char *
gmcp_task_store_delete_finish (GmcpTaskStore *self, GAsyncResult *result, GError **error)
{
  return finish_query (self, result, gmcp_task_store_delete_async, error);
}

/* One task, as it is. */
void
gmcp_task_store_get_async (GmcpTaskStore *self,
                           const char *user,
                           const char *id,
                           GCancellable *cancellable,
                           GAsyncReadyCallback callback,
                           gpointer user_data)
{
  GmcpTaskQuery *query;

  g_return_if_fail (GMCP_IS_TASK_STORE (self));
  g_return_if_fail (user != NULL);
  g_return_if_fail (id != NULL);

  query = gmcp_task_query_new (&gmcp_task_query_get, user);
  query->id = g_strdup (id);
  submit_query (self, query, NULL, gmcp_task_store_get_async, cancellable, callback, user_data);
}

GmcpTaskRecord *
gmcp_task_store_get_finish (GmcpTaskStore *self, GAsyncResult *result, GError **error)
{
  return finish_query (self, result, gmcp_task_store_get_async, error);
}

/* The ids that begin with @prefix, of the newest tasks first. */
void
gmcp_task_store_find_ids_async (GmcpTaskStore *self,
                                const char *user,
                                const char *prefix,
                                GCancellable *cancellable,
                                GAsyncReadyCallback callback,
                                gpointer user_data)
{
  GmcpTaskQuery *query;

  g_return_if_fail (GMCP_IS_TASK_STORE (self));
  g_return_if_fail (user != NULL);
  g_return_if_fail (prefix != NULL);

  query = gmcp_task_query_new (&gmcp_task_query_find_ids, user);
  query->id = g_strdup (prefix);
  query->limit = GMCP_TASK_LIMIT_COMPLETIONS;
  submit_query (self, query, NULL, gmcp_task_store_find_ids_async, cancellable, callback,
                user_data);
}

char **
gmcp_task_store_find_ids_finish (GmcpTaskStore *self, GAsyncResult *result, GError **error)
{
  return finish_query (self, result, gmcp_task_store_find_ids_async, error);
}

/* What is due until @day, by the day that its due date names, and what was done from @start on and
 * before @end. */
void
gmcp_task_store_agenda_async (GmcpTaskStore *self,
                              const char *user,
                              const char *day,
                              const char *start,
                              const char *end,
                              GCancellable *cancellable,
                              GAsyncReadyCallback callback,
                              gpointer user_data)
{
  GmcpTaskQuery *query;

  g_return_if_fail (GMCP_IS_TASK_STORE (self));
  g_return_if_fail (user != NULL);
  g_return_if_fail (day != NULL && start != NULL && end != NULL);

  query = gmcp_task_query_new (&gmcp_task_query_agenda, user);
  query->day = g_strdup (day);
  query->start = g_strdup (start);
  query->end = g_strdup (end);
  query->limit = GMCP_TASK_LIMIT_AGENDA;
  submit_query (self, query, NULL, gmcp_task_store_agenda_async, cancellable, callback, user_data);
}

GmcpTaskPage *
gmcp_task_store_agenda_finish (GmcpTaskStore *self, GAsyncResult *result, GError **error)
{
  return finish_query (self, result, gmcp_task_store_agenda_async, error);
}

/* A number that changes when somebody else changes a database that is a file. */
void
gmcp_task_store_get_version_async (GmcpTaskStore *self,
                                   GCancellable *cancellable,
                                   GAsyncReadyCallback callback,
                                   gpointer user_data)
{
  g_return_if_fail (GMCP_IS_TASK_STORE (self));

  submit_query (self, gmcp_task_query_new (&gmcp_task_query_version, ""), NULL,
                gmcp_task_store_get_version_async, cancellable, callback, user_data);
}

/* -1 where there is an error. */
gint64
gmcp_task_store_get_version_finish (GmcpTaskStore *self, GAsyncResult *result, GError **error)
{
  g_autofree gint64 *version
    = finish_query (self, result, gmcp_task_store_get_version_async, error);

  return version != NULL ? *version : -1;
}

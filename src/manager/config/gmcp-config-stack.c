/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-config-source-policy-private.h"
#include "gmcp-config-stack-private.h"
#include "gmcp-pending-tasks-private.h"
#include "gmcp-settings-config-source-private.h"

#include <gmcp/config/file/gmcp-file-config-source.h>

/* A place of configuration. */
typedef struct
{
  GmcpConfigStack *stack;
  GmcpConfigSource *source;
  gboolean is_own;
} Place;

struct _GmcpConfigStack
{
  GMainContext *context;
  GmcpConfigStackHooks hooks;
  gpointer data;
  gboolean is_closed;

  GPtrArray *places;     /* of Place, in order of precedence */
  Place *file;           /* NULL for none */
  GPtrArray *added;      /* of GmcpServerConfig */
  GHashTable *withdrawn; /* id → whether a place has had it since */

  gboolean is_loaded;
  gboolean was_loaded;
  gboolean is_due;    /* something is to be told of */
  GSource *telling;   /* in the next turn of the main loop; NULL for no telling */
  guint n_reading;    /* places, and what else is read, that are waited for */
  guint ticket;       /* of what is read now; what was begun before counts no more */
  GError *load_error; /* of the first place that failed */
  GQueue waiters;     /* of GTask */
};

/* One place that is being read. */
typedef struct
{
  GmcpConfigStack *stack;
  guint ticket;
} Reading;

/* Telling. */

static void
stop_telling (GmcpConfigStack *self)
{
  if (self->telling != NULL)
    g_source_destroy (self->telling);
  g_clear_pointer (&self->telling, g_source_unref);
}

void
gmcp_config_stack_tell (GmcpConfigStack *self)
{
  stop_telling (self);
  self->is_due = FALSE;
  if (!self->is_closed)
    self->hooks.changed (self->data);
}

static gboolean
on_turn (gpointer data)
{
  GmcpConfigStack *self = g_rc_box_acquire (data);

  gmcp_config_stack_tell (self);
  gmcp_config_stack_unref (self);
  return G_SOURCE_REMOVE;
}

/* Before all places have been read once, what one of them says may not hold. */
static void
tell_later (GmcpConfigStack *self)
{
  self->is_due = TRUE;
  if (self->is_closed || self->telling != NULL || (self->n_reading > 0 && !self->is_loaded))
    return;

  self->telling = g_idle_source_new ();
  g_source_set_priority (self->telling, G_PRIORITY_DEFAULT);
  g_source_set_static_name (self->telling, "[gmcp] configuration changed");
  g_source_set_callback (self->telling, on_turn, self, NULL);
  g_source_attach (self->telling, self->context);
}

/* Places. */

static gboolean
is_active (Place *place)
{
  GmcpConfigStack *self = place->stack;

  return self->file == NULL || self->file == place || place->is_own;
}

static void
on_locks_changed (gpointer data)
{
  tell_later (((Place *) data)->stack);
}

static void
on_servers_changed (GListModel *list, guint position, guint removed, guint added, gpointer data)
{
  Place *place = data;

  if (is_active (place))
    tell_later (place->stack);
}

static void
on_policy_changed (GmcpConfigSource *source, gpointer data)
{
  Place *place = data;

  if (is_active (place) || GMCP_IS_SETTINGS_CONFIG_SOURCE (source))
    tell_later (place->stack);
}

static GmcpNoticeLevel
find_level (GmcpConfigSource *source, const GError *error)
{
  GListModel *findings = gmcp_config_source_get_findings (source);
  guint n_findings = g_list_model_get_n_items (findings);

  for (guint i = 0; i < n_findings; i++)
    {
      g_autoptr (GmcpConfigFinding) finding = g_list_model_get_item (findings, i);
      g_autofree char *text = gmcp_config_finding_dup_text (finding);

      if (g_str_equal (text, error->message))
        return gmcp_config_finding_get_severity (finding);
    }
  /* Of a file as a whole. */
  return GMCP_IS_FILE_CONFIG_SOURCE (source) ? GMCP_NOTICE_LEVEL_ERROR : GMCP_NOTICE_LEVEL_WARNING;
}

static void
tell_of_problem (GmcpConfigStack *self,
                 const char *server_id,
                 GmcpNoticeLevel level,
                 const char *message)
{
  if (!self->is_closed)
    self->hooks.problem_found (server_id, level, message, self->data);
}

static void
on_problem_found (GmcpConfigSource *source,
                  const char *server_id,
                  const GError *error,
                  gpointer data)
{
  Place *place = data;

  /* Settings that cannot be read lock nothing. */
  if (is_active (place))
    tell_of_problem (place->stack, server_id, find_level (source, error), error->message);
}

static Place *
place_new (GmcpConfigStack *self, GmcpConfigSource *source, gboolean is_own)
{
  Place *place = g_new0 (Place, 1);

  place->stack = self;
  place->source = g_object_ref (source);
  place->is_own = is_own;
  g_signal_connect (gmcp_config_source_get_servers (source), "items-changed",
                    G_CALLBACK (on_servers_changed), place);
  g_signal_connect (source, "problem-found", G_CALLBACK (on_problem_found), place);
  g_signal_connect (source, "policy-changed", G_CALLBACK (on_policy_changed), place);
  if (GMCP_IS_SETTINGS_CONFIG_SOURCE (source))
    gmcp_settings_config_source_watch_locks (GMCP_SETTINGS_CONFIG_SOURCE (source), on_locks_changed,
                                             place);
  return place;
}

static void
place_free (Place *place)
{
  g_signal_handlers_disconnect_by_data (gmcp_config_source_get_servers (place->source), place);
  g_signal_handlers_disconnect_by_data (place->source, place);
  if (GMCP_IS_SETTINGS_CONFIG_SOURCE (place->source))
    gmcp_settings_config_source_watch_locks (GMCP_SETTINGS_CONFIG_SOURCE (place->source), NULL,
                                             NULL);
  g_object_unref (place->source);
  g_free (place);
}

GmcpConfigStack *
gmcp_config_stack_new (const GmcpConfigStackHooks *hooks, gpointer data)
{
  GmcpConfigStack *self = g_rc_box_new0 (GmcpConfigStack);

  self->context = g_main_context_ref_thread_default ();
  self->hooks = *hooks;
  self->data = data;
  self->places = g_ptr_array_new_with_free_func ((GDestroyNotify) place_free);
  self->added = g_ptr_array_new_with_free_func (g_object_unref);
  self->withdrawn = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_queue_init (&self->waiters);
  return self;
}

static GPtrArray *
list_places (GmcpConfigStack *self, gboolean active)
{
  GPtrArray *sources = g_ptr_array_new ();

  if (active && self->file != NULL)
    g_ptr_array_add (sources, self->file->source);
  for (guint i = 0; i < self->places->len; i++)
    {
      Place *place = g_ptr_array_index (self->places, i);

      if (is_active (place) == active)
        g_ptr_array_add (sources, place->source);
    }
  return sources;
}

GPtrArray *
gmcp_config_stack_list_active (GmcpConfigStack *self)
{
  return list_places (self, TRUE);
}

GPtrArray *
gmcp_config_stack_list_inactive (GmcpConfigStack *self)
{
  return list_places (self, FALSE);
}

GmcpConfigSource *
gmcp_config_stack_peek_file (GmcpConfigStack *self)
{
  return self->file != NULL ? self->file->source : NULL;
}

GmcpSettingsConfigSource *
gmcp_config_stack_peek_settings (GmcpConfigStack *self)
{
  for (guint i = 0; i < self->places->len; i++)
    {
      Place *place = g_ptr_array_index (self->places, i);

      if (GMCP_IS_SETTINGS_CONFIG_SOURCE (place->source))
        return GMCP_SETTINGS_CONFIG_SOURCE (place->source);
    }
  return NULL;
}

/* Reading. */

gboolean
gmcp_config_stack_is_loaded (GmcpConfigStack *self)
{
  return self->is_loaded;
}

gboolean
gmcp_config_stack_was_loaded (GmcpConfigStack *self)
{
  return self->was_loaded;
}

static gboolean
is_in_use (GmcpConfigStack *self)
{
  return self->is_loaded || self->n_reading > 0;
}

static void
finish_reading (GmcpConfigStack *self)
{
  g_autoptr (GError) error = g_steal_pointer (&self->load_error);

  if (error == NULL && !self->is_loaded)
    {
      self->is_loaded = TRUE;
      self->was_loaded = TRUE;
      self->is_due = TRUE;
    }
  if (self->is_due)
    gmcp_config_stack_tell (self);
  if (error != NULL)
    tell_of_problem (self, NULL, GMCP_NOTICE_LEVEL_ERROR, error->message);
  gmcp_pending_tasks_settle (&self->waiters, error);
}

void
gmcp_config_stack_end_reading (GmcpConfigStack *self, guint ticket)
{
  if (ticket != self->ticket || self->is_closed || --self->n_reading > 0)
    return;

  g_rc_box_acquire (self);
  finish_reading (self);
  gmcp_config_stack_unref (self);
}

/* A place whose file is wrong is told of, but keeps nothing else from being read. */
static gboolean
is_optional (GmcpConfigSource *source)
{
  gboolean optional = FALSE;

  if (GMCP_IS_FILE_CONFIG_SOURCE (source))
    g_object_get (source, "optional", &optional, NULL);
  return optional;
}

static void
on_place_read (GObject *object, GAsyncResult *result, gpointer data)
{
  GmcpConfigSource *source = GMCP_CONFIG_SOURCE (object);
  Reading *reading = data;
  GmcpConfigStack *self = reading->stack;
  guint ticket = reading->ticket;
  g_autoptr (GError) error = NULL;

  g_free (reading);
  gmcp_config_source_load_finish (source, result, &error);
  if (ticket == self->ticket)
    {
      if (error != NULL && is_optional (source))
        tell_of_problem (self, NULL, GMCP_NOTICE_LEVEL_ERROR, error->message);
      else if (self->load_error == NULL)
        self->load_error = g_steal_pointer (&error);
    }
  gmcp_config_stack_end_reading (self, ticket);
  gmcp_config_stack_unref (self);
}

static void
read_place (GmcpConfigStack *self, GmcpConfigSource *source, guint ticket)
{
  Reading *reading = g_new (Reading, 1);

  reading->stack = g_rc_box_acquire (self);
  reading->ticket = ticket;
  gmcp_config_source_load_async (source, NULL, on_place_read, reading);
}

static void
begin_reading (GmcpConfigStack *self)
{
  g_autoptr (GPtrArray) active = gmcp_config_stack_list_active (self);
  g_autoptr (GPtrArray) sources = g_ptr_array_new_with_free_func (g_object_unref);
  guint ticket = ++self->ticket;

  /* A place may answer, and its user may change the places, while the others are asked. */
  if (self->file != NULL && gmcp_config_stack_peek_settings (self) != NULL)
    g_ptr_array_add (sources, g_object_ref (gmcp_config_stack_peek_settings (self)));
  for (guint i = 0; i < active->len; i++)
    g_ptr_array_add (sources, g_object_ref (g_ptr_array_index (active, i)));

  /* Two more, for this function and for what else is read. */
  self->n_reading = sources->len + 2;
  g_rc_box_acquire (self);
  g_main_context_push_thread_default (self->context);
  self->hooks.reading (ticket, self->data);
  for (guint i = 0; i < sources->len; i++)
    read_place (self, g_ptr_array_index (sources, i), ticket);
  g_main_context_pop_thread_default (self->context);
  gmcp_config_stack_end_reading (self, ticket);
  gmcp_config_stack_unref (self);
}

void
gmcp_config_stack_load (GmcpConfigStack *self, GTask *task)
{
  gmcp_pending_tasks_add (&self->waiters, task);
  if (self->n_reading == 0)
    begin_reading (self);
}

/* What is being read does not count any more. */
static void
forget_reading (GmcpConfigStack *self)
{
  self->ticket++;
  self->n_reading = 0;
  g_clear_error (&self->load_error);
}

/* What the host does. */

void
gmcp_config_stack_add (GmcpConfigStack *self, GmcpConfigSource *source, gboolean is_own)
{
  Place *place;

  if (self->is_closed)
    return;

  place = place_new (self, source, is_own);
  g_ptr_array_add (self->places, place);
  /* What a place had before it was added was no change, and settings without a server lock something. */
  self->is_due = TRUE;
  if (is_active (place) && is_in_use (self))
    {
      gmcp_config_stack_tell (self);
      self->is_due = TRUE;
      begin_reading (self);
    }
}

void
gmcp_config_stack_remove (GmcpConfigStack *self, GmcpConfigSource *source)
{
  for (guint i = 0; i < self->places->len; i++)
    {
      if (((Place *) g_ptr_array_index (self->places, i))->source != source)
        continue;
      g_ptr_array_remove_index (self->places, i);
      gmcp_config_stack_tell (self);
      return;
    }
}

void
gmcp_config_stack_use_file (GmcpConfigStack *self, GFile *file)
{
  g_clear_pointer (&self->file, place_free);
  if (file != NULL)
    {
      g_autoptr (GmcpConfigSource) source = NULL;

      g_main_context_push_thread_default (self->context);
      source = GMCP_CONFIG_SOURCE (gmcp_file_config_source_new (file));
      g_main_context_pop_thread_default (self->context);
      self->file = place_new (self, source, FALSE);
    }
  if (!is_in_use (self))
    return;

  self->is_loaded = FALSE;
  forget_reading (self);
  g_rc_box_acquire (self);
  gmcp_config_stack_tell (self);
  if (!self->is_closed)
    begin_reading (self);
  gmcp_config_stack_unref (self);
}

gboolean
gmcp_config_stack_remove_projects (GmcpConfigStack *self)
{
  guint n_places = self->places->len;

  for (guint i = n_places; i > 0; i--)
    {
      Place *place = g_ptr_array_index (self->places, i - 1);
      gboolean project = FALSE;

      if (GMCP_IS_FILE_CONFIG_SOURCE (place->source))
        g_object_get (place->source, "project", &project, NULL);
      if (project)
        g_ptr_array_remove_index (self->places, i - 1);
    }
  return self->places->len < n_places;
}

void
gmcp_config_stack_add_server (GmcpConfigStack *self, GmcpServerConfig *config)
{
  g_ptr_array_add (self->added, g_object_ref (config));
  gmcp_config_stack_tell (self);
}

static gboolean
has_server (GPtrArray *sources, const char *id)
{
  for (guint i = 0; i < sources->len; i++)
    {
      GListModel *servers = gmcp_config_source_get_servers (g_ptr_array_index (sources, i));

      for (guint k = 0; k < g_list_model_get_n_items (servers); k++)
        {
          g_autoptr (GmcpServerConfig) config = g_list_model_get_item (servers, k);

          if (g_str_equal (gmcp_server_config_get_id (config), id))
            return TRUE;
        }
    }
  return FALSE;
}

static gboolean
is_in_place (GmcpConfigStack *self, const char *id)
{
  g_autoptr (GPtrArray) active = list_places (self, TRUE);
  g_autoptr (GPtrArray) inactive = list_places (self, FALSE);

  return has_server (active, id) || has_server (inactive, id);
}

void
gmcp_config_stack_drop_server (GmcpConfigStack *self, const char *id)
{
  gboolean was_added = FALSE;

  for (guint i = 0; i < self->added->len && !was_added; i++)
    if (g_str_equal (gmcp_server_config_get_id (g_ptr_array_index (self->added, i)), id))
      {
        g_ptr_array_remove_index (self->added, i);
        was_added = TRUE;
      }

  /* One that no place has any more is gone by itself; if it comes again, that is another. */
  if (!was_added && is_in_place (self, id))
    g_hash_table_insert (self->withdrawn, g_strdup (id), GINT_TO_POINTER (FALSE));
  gmcp_config_stack_tell (self);
}

void
gmcp_config_stack_forget_withdrawn (GmcpConfigStack *self)
{
  GHashTableIter iter;
  gpointer id, was_there;

  g_hash_table_iter_init (&iter, self->withdrawn);
  while (g_hash_table_iter_next (&iter, &id, &was_there))
    {
      if (is_in_place (self, id))
        g_hash_table_iter_replace (&iter, GINT_TO_POINTER (TRUE));
      else if (GPOINTER_TO_INT (was_there))
        g_hash_table_iter_remove (&iter);
    }
}

GPtrArray *
gmcp_config_stack_peek_added (GmcpConfigStack *self)
{
  return self->added;
}

GHashTable *
gmcp_config_stack_peek_withdrawn (GmcpConfigStack *self)
{
  return self->withdrawn;
}

/* The end. */

void
gmcp_config_stack_close (GmcpConfigStack *self, const GError *error)
{
  self->is_closed = TRUE;
  stop_telling (self);
  forget_reading (self);
  g_ptr_array_set_size (self->places, 0);
  g_clear_pointer (&self->file, place_free);
  gmcp_pending_tasks_settle (&self->waiters, error);
}

static void
clear_stack (gpointer data)
{
  GmcpConfigStack *self = data;

  stop_telling (self);
  g_ptr_array_unref (self->places);
  g_clear_pointer (&self->file, place_free);
  g_ptr_array_unref (self->added);
  g_hash_table_unref (self->withdrawn);
  g_clear_error (&self->load_error);
  g_main_context_unref (self->context);
}

void
gmcp_config_stack_unref (GmcpConfigStack *self)
{
  g_rc_box_release_full (self, clear_stack);
}

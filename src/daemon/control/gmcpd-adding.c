/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n.h>
#include <string.h>

#include <gmcp/config/file/gmcp-file-config-source.h>
#include <gmcp/core/gmcp-error.h>

#include "gmcpd-adding.h"
#include "gmcpd-places.h"

#define MAX_NAME_BYTES          256
#define MAX_CONFIGURATION_BYTES (1024u * 1024)

GmcpServerConfig *
gmcpd_adding_read_configuration (const char *name, const char *configuration, GError **error)
{
  if (strlen (name) > MAX_NAME_BYTES || strlen (configuration) > MAX_CONFIGURATION_BYTES)
    {
      g_set_error_literal (error, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG,
                           _ ("The name or the configuration of the server is too long"));
      return NULL;
    }
  return gmcp_server_config_new_from_json (name, configuration, error);
}

static GTask *
begin_task (GmcpManager *manager,
            gpointer tag,
            GCancellable *cancellable,
            GAsyncReadyCallback callback,
            gpointer user_data)
{
  GTask *task = g_task_new (manager, cancellable, callback, user_data);

  g_task_set_source_tag (task, tag);
  /* What has been done is said, also to somebody who has gone. */
  g_task_set_check_cancellable (task, FALSE);
  return task;
}

/* Takes the error, which a place and the manager have in common with other mistakes. */
static GError *
new_taken_error (GError *error)
{
  GError *taken = g_error_new_literal (G_IO_ERROR, G_IO_ERROR_EXISTS, error->message);

  g_error_free (error);
  return taken;
}

static void
on_added (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GmcpManager *manager = GMCP_MANAGER (object);
  GError *error = NULL;
  GmcpManagedServer *server = gmcp_manager_add_server_finish (manager, result, &error);

  /* One of which the start failed is gone. */
  if (g_error_matches (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT)
      && gmcp_manager_get_server (manager, g_task_get_task_data (task)) != NULL)
    error = new_taken_error (error);
  if (server == NULL)
    g_task_return_error (task, error);
  else
    g_task_return_pointer (task, server, g_object_unref);
}

/* A server in its place, which the manager hears of a moment later. */
typedef struct
{
  GmcpManager *manager;
  GTask *task;
  GmcpConfigSource *place;
  char *name;
  gulong changed_id;
  gulong cancelled_id;
} Storing;

static GTask *
end_storing (Storing *self)
{
  GTask *task = self->task;

  g_clear_signal_handler (&self->changed_id, self->manager);
  if (self->cancelled_id != 0)
    g_clear_signal_handler (&self->cancelled_id, g_task_get_cancellable (task));
  g_object_unref (self->manager);
  g_object_unref (self->place);
  g_free (self->name);
  g_free (self);
  return task;
}

/* The first start of a server that is stored. */
typedef struct
{
  char *hash; /* of what was stored */
  GError *failure;
} Trial;

static void
trial_free (gpointer data)
{
  Trial *self = data;

  g_free (self->hash);
  g_clear_error (&self->failure);
  g_free (self);
}

static void
on_taken_out (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Trial *trial = g_task_get_task_data (task);
  g_autoptr (GError) error = NULL;

  if (!gmcpd_adding_remove_finish (GMCP_MANAGER (object), result, &error))
    {
      g_autofree char *failure = g_steal_pointer (&trial->failure->message);

      trial->failure->message = g_strdup_printf (
        _ ("%s; and it could not be taken out of its place again: %s"), failure, error->message);
    }
  g_task_return_error (task, g_steal_pointer (&trial->failure));
}

/* What somebody else has made of the server meanwhile, or put into its place, stays. */
static gboolean
is_as_stored (GmcpManager *manager, GmcpManagedServer *server, const Trial *trial)
{
  g_autofree char *hash = gmcp_server_config_dup_hash (gmcp_managed_server_get_config (server));

  return gmcp_manager_get_server (manager, gmcp_managed_server_get_id (server)) == server
         && g_str_equal (hash, trial->hash);
}

static void on_stored_started (GObject *object, GAsyncResult *result, gpointer user_data);

/* Takes the task. */
static void
begin_trial (GTask *trial_task, GmcpManagedServer *server, const char *hash)
{
  g_autoptr (GTask) task = trial_task;
  Trial *trial = g_new0 (Trial, 1);

  trial->hash = g_strdup (hash);
  g_task_set_task_data (task, trial, trial_free);
  gmcp_managed_server_start_async (server, g_task_get_cancellable (task), on_stored_started,
                                   g_object_ref (task));
}

/* The start of a server goes on where only the waiting for it was cancelled, and is judged all the same. One that was
 * stopped has not failed. */
static void
on_stored_started (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GmcpManager *manager = g_task_get_source_object (task);
  GmcpManagedServer *server = GMCP_MANAGED_SERVER (object);
  Trial *trial = g_task_get_task_data (task);

  if (gmcp_managed_server_start_finish (server, result, &trial->failure))
    g_task_return_pointer (task, g_object_ref (server), g_object_unref);
  else if (g_error_matches (trial->failure, GMCP_ERROR, GMCP_ERROR_NOT_RUNNING)
           || !is_as_stored (manager, server, trial))
    g_task_return_error (task, g_steal_pointer (&trial->failure));
  else if (g_error_matches (trial->failure, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    {
      begin_trial (g_task_new (manager, NULL, NULL, NULL), server, trial->hash);
      g_task_return_error (task, g_steal_pointer (&trial->failure));
    }
  else
    gmcpd_adding_remove_async (manager, gmcp_managed_server_get_id (server), TRUE, NULL,
                               on_taken_out, g_steal_pointer (&task));
}

/* Takes the task. What is disabled is stored alone. */
static void
try_stored (GmcpManagedServer *server, GTask *trial_task)
{
  g_autoptr (GTask) task = trial_task;
  GmcpServerConfig *config = gmcp_managed_server_get_config (server);
  g_autofree char *hash = NULL;

  if (!gmcp_server_config_is_enabled (config))
    {
      g_task_return_pointer (task, g_object_ref (server), g_object_unref);
      return;
    }
  hash = gmcp_server_config_dup_hash (config);
  begin_trial (g_steal_pointer (&task), server, hash);
}

static void
start_stored (Storing *self)
{
  GmcpManagedServer *server = gmcp_manager_get_server (self->manager, self->name);

  if (server != NULL)
    try_stored (server, end_storing (self));
}

static void
on_storing_cancelled (Storing *self)
{
  g_autoptr (GTask) task = end_storing (self);

  g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_CANCELLED, "%s", _ ("The caller has gone"));
}

static void
wait_for_stored (Storing *self)
{
  GCancellable *cancellable = g_task_get_cancellable (self->task);

  gmcpd_places_count_writing ();
  /* What is removed and added again within the time that the source waits for more would be no change to it. */
  gmcp_config_source_load_async (self->place, NULL, NULL, NULL);
  self->changed_id
    = g_signal_connect_swapped (self->manager, "items-changed", G_CALLBACK (start_stored), self);
  if (cancellable != NULL)
    self->cancelled_id = g_signal_connect_swapped (cancellable, "cancelled",
                                                   G_CALLBACK (on_storing_cancelled), self);
  start_stored (self);
}

static void
fail_storing (Storing *self, GError *error)
{
  gboolean is_taken = g_error_matches (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT)
                      && gmcp_server_config_is_valid_id (self->name);
  g_autoptr (GTask) task = end_storing (self);

  if (is_taken)
    error = new_taken_error (error);
  g_task_return_error (task, error);
}

static void
on_file_has_server (GObject *object, GAsyncResult *result, gpointer user_data)
{
  GError *error = NULL;

  if (gmcp_file_config_source_add_server_finish (GMCP_FILE_CONFIG_SOURCE (object), result, &error))
    wait_for_stored (user_data);
  else
    {
      /* It may have been written all the same. */
      gmcpd_places_count_writing ();
      fail_storing (user_data, error);
    }
}

/* Takes the task. */
static void
store_server (GmcpManager *manager, GTask *storing_task, GmcpServerConfig *config)
{
  g_autoptr (GTask) task = storing_task;
  GError *error = NULL;
  GmcpConfigSource *place = gmcpd_places_find_for_new (manager, &error);
  Storing *storing;

  if (place == NULL)
    {
      g_task_return_error (task, error);
      return;
    }

  storing = g_new0 (Storing, 1);
  storing->manager = g_object_ref (manager);
  storing->place = g_object_ref (place);
  storing->name = g_strdup (gmcp_server_config_get_id (config));
  storing->task = g_steal_pointer (&task);
  if (GMCP_IS_FILE_CONFIG_SOURCE (place))
    gmcp_file_config_source_add_server_async (GMCP_FILE_CONFIG_SOURCE (place), config,
                                              g_task_get_cancellable (storing->task),
                                              on_file_has_server, storing);
  else if (gmcp_settings_config_source_add_server (GMCP_SETTINGS_CONFIG_SOURCE (place), config,
                                                   &error))
    wait_for_stored (storing);
  else
    fail_storing (storing, error);
}

void
gmcpd_adding_add_async (GmcpManager *manager,
                        const char *name,
                        const char *configuration,
                        gboolean store,
                        GCancellable *cancellable,
                        GAsyncReadyCallback callback,
                        gpointer user_data)
{
  g_autoptr (GTask) task
    = begin_task (manager, gmcpd_adding_add_async, cancellable, callback, user_data);
  GError *error = NULL;
  g_autoptr (GmcpServerConfig) config
    = gmcpd_adding_read_configuration (name, configuration, &error);
  const char *id = config != NULL ? gmcp_server_config_get_id (config) : NULL;

  if (id != NULL && gmcp_manager_get_server (manager, id) != NULL)
    g_set_error (&error, G_IO_ERROR, G_IO_ERROR_EXISTS, _ ("Server “%s” is configured already"),
                 id);
  if (error != NULL)
    g_task_return_error (task, error);
  else if (store)
    store_server (manager, g_steal_pointer (&task), config);
  else
    {
      g_task_set_task_data (task, g_strdup (id), g_free);
      gmcp_manager_add_server_async (manager, config, cancellable, on_added,
                                     g_steal_pointer (&task));
    }
}

GmcpManagedServer *
gmcpd_adding_add_finish (GmcpManager *manager, GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}

/* A server that goes */

typedef struct
{
  char *name;
  GmcpConfigSource *place; /* that it is taken out of; NULL where it stays stored */
} Removal;

static void
removal_free (gpointer data)
{
  Removal *self = data;

  g_free (self->name);
  g_clear_object (&self->place);
  g_free (self);
}

static void
on_removal_read (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;

  gmcp_config_source_load_finish (GMCP_CONFIG_SOURCE (object), result, NULL);
  g_task_return_boolean (task, TRUE);
}

static void
on_removed (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Removal *removal = g_task_get_task_data (task);
  GError *error = NULL;

  /* One that is not in its place any more may be gone already. */
  if (!gmcp_manager_remove_server_finish (GMCP_MANAGER (object), result, &error)
      && (removal->place == NULL
          || !g_error_matches (error, GMCP_ERROR, GMCP_ERROR_NOT_CONFIGURED)))
    {
      g_task_return_error (task, error);
      return;
    }
  g_clear_error (&error);
  if (removal->place != NULL)
    gmcp_config_source_load_async (removal->place, NULL, on_removal_read, g_steal_pointer (&task));
  else
    g_task_return_boolean (task, TRUE);
}

/* Takes the task. */
static void
stop_removed (GTask *task)
{
  Removal *removal = g_task_get_task_data (task);

  if (removal->place != NULL)
    gmcpd_places_count_writing ();
  gmcp_manager_remove_server_async (g_task_get_source_object (task), removal->name,
                                    g_task_get_cancellable (task), on_removed, task);
}

static void
on_file_written (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GError *error = NULL;

  if (gmcp_file_config_source_remove_server_finish (GMCP_FILE_CONFIG_SOURCE (object), result,
                                                    &error))
    stop_removed (g_steal_pointer (&task));
  else
    g_task_return_error (task, error);
}

/* Takes the task. */
static void
take_out (GTask *removal_task)
{
  g_autoptr (GTask) task = removal_task;
  Removal *removal = g_task_get_task_data (task);
  GError *error = NULL;

  if (GMCP_IS_FILE_CONFIG_SOURCE (removal->place))
    gmcp_file_config_source_remove_server_async (GMCP_FILE_CONFIG_SOURCE (removal->place),
                                                 removal->name, g_task_get_cancellable (task),
                                                 on_file_written, g_object_ref (task));
  else if (gmcp_settings_config_source_remove_server (GMCP_SETTINGS_CONFIG_SOURCE (removal->place),
                                                      removal->name, &error))
    stop_removed (g_steal_pointer (&task));
  else
    g_task_return_error (task, error);
}

void
gmcpd_adding_remove_async (GmcpManager *manager,
                           const char *name,
                           gboolean store,
                           GCancellable *cancellable,
                           GAsyncReadyCallback callback,
                           gpointer user_data)
{
  g_autoptr (GTask) task
    = begin_task (manager, gmcpd_adding_remove_async, cancellable, callback, user_data);
  GmcpConfigSource *place = NULL;
  Removal *removal = g_new0 (Removal, 1);
  GError *error = NULL;

  removal->name = g_strdup (name);
  g_task_set_task_data (task, removal, removal_free);
  if (store)
    place = gmcpd_places_find (manager, name, &error);
  g_set_object (&removal->place, place);
  if (error != NULL)
    g_task_return_error (task, error);
  else if (place != NULL)
    take_out (g_steal_pointer (&task));
  else
    stop_removed (g_steal_pointer (&task));
}

gboolean
gmcpd_adding_remove_finish (GmcpManager *manager, GAsyncResult *result, GError **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}

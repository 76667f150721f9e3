/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n.h>

#include <gmcp/config/file/gmcp-file-config-source.h>
#include <gmcp/core/gmcp-error.h>
#include <gmcp/json/gmcp-json.h>

#include "gmcpd-adding.h"
#include "gmcpd-editing.h"
#include "gmcpd-places.h"

typedef struct
{
  char *name;
  JsonObject *patch;
  char *etag;              /* nullable */
  GmcpConfigSource *place; /* where it is configured */
  guint n_writings;        /* that there had been when that was read */
  gulong cancelled_id;     /* while it waits for its turn */
} Change;

/* Files are changed by one at a time, from reading what is there to the end of writing it. */
static const Change *in_turn;         /* NULL for none */
static GQueue waiting = G_QUEUE_INIT; /* of GTask, owned */

static void begin_change (GTask *task);

static void
change_free (gpointer data)
{
  Change *change = data;

  g_free (change->name);
  json_object_unref (change->patch);
  g_free (change->etag);
  g_clear_object (&change->place);
  g_free (change);
}

static char *
make_etag (GmcpServerConfig *config)
{
  g_autofree char *json = gmcp_server_config_dup_json (config);
  g_autofree char *hash = g_compute_checksum_for_string (G_CHECKSUM_SHA256, json, -1);

  return g_strdup_printf ("\"%s\"", hash);
}

char *
gmcpd_editing_dup_etag (GmcpManager *manager, GmcpManagedServer *server)
{
  const char *id = gmcp_managed_server_get_id (server);
  GmcpConfigSource *place = gmcpd_places_peek (manager, id);
  g_autoptr (GmcpServerConfig) stored
    = place != NULL ? gmcp_config_source_find_server (place, id) : NULL;

  return make_etag (stored != NULL ? stored : gmcp_managed_server_get_config (server));
}

static GmcpServerConfig *
make_patched (GmcpServerConfig *stored, JsonObject *patch, GError **error)
{
  const char *id = gmcp_server_config_get_id (stored);
  g_autoptr (JsonNode) node = json_node_init_object (json_node_alloc (), patch);
  g_autofree char *json = gmcp_json_print (node, NULL);

  if (json_object_has_member (patch, "name"))
    {
      g_set_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG,
                   _ ("Server “%s” cannot be given another name: add one of that name, and remove "
                      "this one"),
                   id);
      return NULL;
    }
  return gmcp_server_config_dup_patched (stored, json, error);
}

/* Any of a list will do. */
static gboolean
has_etag (GmcpServerConfig *stored, const char *etag)
{
  g_autofree char *present = make_etag (stored);
  g_auto (GStrv) tags = etag != NULL ? g_strsplit (etag, ",", -1) : NULL;
  gboolean found = etag == NULL;

  for (guint i = 0; !found && tags[i] != NULL; i++)
    found = g_str_equal (g_strstrip (tags[i]), "*") || g_str_equal (tags[i], present);
  return found;
}

static void
on_waiting_cancelled (GTask *waiting_task)
{
  g_autoptr (GTask) task = waiting_task;
  Change *change = g_task_get_task_data (task);

  g_queue_remove (&waiting, task);
  g_clear_signal_handler (&change->cancelled_id, g_task_get_cancellable (task));
  g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_CANCELLED, "%s", _ ("The caller has gone"));
}

/* Whether the change may go on; if not, it waits. */
static gboolean
take_turn (GTask *task)
{
  GCancellable *cancellable = g_task_get_cancellable (task);
  Change *change = g_task_get_task_data (task);

  if (in_turn == NULL || in_turn == change)
    {
      in_turn = change;
      return TRUE;
    }
  g_queue_push_tail (&waiting, g_object_ref (task));
  if (g_cancellable_is_cancelled (cancellable))
    on_waiting_cancelled (task);
  else if (cancellable != NULL)
    change->cancelled_id = g_signal_connect_swapped (cancellable, "cancelled",
                                                     G_CALLBACK (on_waiting_cancelled), task);
  return FALSE;
}

/* The next one has the turn at once: where it is configured in the settings by now, it ends the turn all the same. */
static void
end_turn (const Change *change)
{
  GTask *next;
  Change *next_change;

  if (in_turn != change)
    return;
  next = g_queue_pop_head (&waiting);
  next_change = next != NULL ? g_task_get_task_data (next) : NULL;
  in_turn = next_change;
  if (next == NULL)
    return;
  g_clear_signal_handler (&next_change->cancelled_id, g_task_get_cancellable (next));
  begin_change (next);
}

static void
fail_change (GTask *task, GError *error)
{
  g_task_return_error (task, error);
  end_turn (g_task_get_task_data (task));
}

/* Another place that cannot be read does not undo what was written to this one. */
static void
on_read_again (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GmcpManager *manager = GMCP_MANAGER (object);
  Change *change = g_task_get_task_data (task);
  GmcpManagedServer *server;

  gmcp_manager_load_config_finish (manager, result, NULL);
  server = gmcp_manager_get_server (manager, change->name);
  if (server == NULL)
    g_task_return_new_error (task, GMCP_ERROR, GMCP_ERROR_NOT_CONFIGURED,
                             _ ("Server “%s” is not configured any more"), change->name);
  else
    g_task_return_pointer (task, g_object_ref (server), g_object_unref);
}

/* Takes the task. What has been written is said, also to somebody who has gone. */
static void
read_again (GTask *task)
{
  gmcpd_places_count_writing ();
  gmcp_manager_load_config_async (g_task_get_source_object (task), NULL, on_read_again,
                                  g_object_ref (task));
  end_turn (g_task_get_task_data (task));
  g_object_unref (task);
}

static void
on_file_written (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GError *error = NULL;

  if (gmcp_file_config_source_set_server_finish (GMCP_FILE_CONFIG_SOURCE (object), result, &error))
    read_again (g_steal_pointer (&task));
  else
    fail_change (task, error);
}

/* NULL with an error where the change cannot be made to what is there. */
static GmcpServerConfig *
make_change (const Change *change, GError **error)
{
  g_autoptr (GmcpServerConfig) stored
    = gmcp_config_source_find_server (change->place, change->name);

  if (!has_etag (stored, change->etag))
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_WRONG_ETAG,
                   _ ("Server “%s” has been changed by somebody else; look at it again"),
                   change->name);
      return NULL;
    }
  return make_patched (stored, change->patch, error);
}

/* Takes the task. */
static void
write_change (GTask *change_task)
{
  g_autoptr (GTask) task = change_task;
  Change *change = g_task_get_task_data (task);
  GError *error = NULL;
  g_autoptr (GmcpServerConfig) patched = make_change (change, &error);

  if (patched == NULL)
    fail_change (task, error);
  else if (GMCP_IS_FILE_CONFIG_SOURCE (change->place))
    gmcp_file_config_source_set_server_async (GMCP_FILE_CONFIG_SOURCE (change->place), patched,
                                              NULL, on_file_written, g_steal_pointer (&task));
  else if (gmcp_settings_config_source_set_server (GMCP_SETTINGS_CONFIG_SOURCE (change->place),
                                                   patched, &error))
    read_again (g_steal_pointer (&task));
  else
    fail_change (task, error);
}

static void
on_read (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GmcpManager *manager = g_task_get_source_object (task);
  Change *change = g_task_get_task_data (task);
  GError *error = NULL;

  if (!gmcp_config_source_load_finish (GMCP_CONFIG_SOURCE (object), result, &error))
    fail_change (task, error);
  else if (change->n_writings != gmcpd_places_get_n_writings ()
           || gmcpd_places_peek (manager, change->name) != change->place)
    begin_change (g_steal_pointer (&task));
  else
    write_change (g_steal_pointer (&task));
}

/* Takes the task. */
static void
begin_change (GTask *change_task)
{
  g_autoptr (GTask) task = change_task;
  Change *change = g_task_get_task_data (task);
  GError *error = NULL;
  GmcpConfigSource *place
    = gmcpd_places_find (g_task_get_source_object (task), change->name, &error);

  if (place == NULL)
    {
      fail_change (task, error);
      return;
    }
  if (GMCP_IS_FILE_CONFIG_SOURCE (place) && !take_turn (task))
    return;
  g_set_object (&change->place, place);
  change->n_writings = gmcpd_places_get_n_writings ();
  gmcp_config_source_load_async (place, g_task_get_cancellable (task), on_read,
                                 g_object_ref (task));
}

void
gmcpd_editing_patch_async (GmcpManager *manager,
                           const char *name,
                           JsonObject *patch,
                           const char *etag,
                           GCancellable *cancellable,
                           GAsyncReadyCallback callback,
                           gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (manager, cancellable, callback, user_data);
  Change *change = g_new0 (Change, 1);

  g_task_set_source_tag (task, gmcpd_editing_patch_async);
  g_task_set_check_cancellable (task, FALSE);
  change->name = g_strdup (name);
  change->patch = json_object_ref (patch);
  change->etag = g_strdup (etag);
  g_task_set_task_data (task, change, change_free);
  begin_change (g_steal_pointer (&task));
}

GmcpManagedServer *
gmcpd_editing_patch_finish (GmcpManager *manager, GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n.h>

#include <gmcp/core/gmcp-error.h>

#include "gmcpd-adding.h"
#include "gmcpd-editing.h"
#include "gmcpd-facts.h"

typedef struct
{
  char *name;
  JsonObject *patch;
  char *etag;       /* nullable */
  guint n_writings; /* that there had been when the settings were read */
} Change;

static void
change_free (gpointer data)
{
  Change *change = data;

  g_free (change->name);
  json_object_unref (change->patch);
  g_free (change->etag);
  g_free (change);
}

/* As the settings have it; NULL where they do not. */
static GmcpServerConfig *
find_stored (GmcpConfigSource *settings, const char *name)
{
  GListModel *servers = gmcp_config_source_get_servers (settings);
  guint n = g_list_model_get_n_items (servers);

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (GmcpServerConfig) config = g_list_model_get_item (servers, i);

      if (g_str_equal (gmcp_server_config_get_id (config), name))
        return g_steal_pointer (&config);
    }
  return NULL;
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
  g_autofree char *source = gmcpd_facts_find_source (manager, id);
  GmcpSettingsConfigSource *settings
    = g_str_equal (source, "settings") ? gmcpd_adding_find_settings (manager, NULL) : NULL;
  g_autoptr (GmcpServerConfig) stored
    = settings != NULL ? find_stored (GMCP_CONFIG_SOURCE (settings), id) : NULL;

  return make_etag (stored != NULL ? stored : gmcp_managed_server_get_config (server));
}

static void
merge_into (JsonObject *target, JsonObject *patch)
{
  JsonObjectIter iter;
  const char *name;
  JsonNode *value;

  json_object_iter_init (&iter, patch);
  while (json_object_iter_next (&iter, &name, &value))
    {
      JsonNode *old = json_object_get_member (target, name);

      if (JSON_NODE_HOLDS_NULL (value))
        {
          if (old != NULL)
            json_object_remove_member (target, name);
        }
      else if (JSON_NODE_HOLDS_OBJECT (value))
        {
          JsonObject *merged = old != NULL && JSON_NODE_HOLDS_OBJECT (old)
                                 ? json_object_ref (json_node_get_object (old))
                                 : json_object_new ();

          merge_into (merged, json_node_get_object (value));
          json_object_set_object_member (target, name, merged);
        }
      else
        json_object_set_member (target, name, json_node_copy (value));
    }
}

static GmcpServerConfig *
make_patched (GmcpServerConfig *stored, JsonObject *patch, GError **error)
{
  const char *id = gmcp_server_config_get_id (stored);
  g_autofree char *json = gmcp_server_config_dup_json (stored);
  g_autoptr (JsonNode) node = json_from_string (json, NULL);
  g_autofree char *patched = NULL;

  if (json_object_has_member (patch, "name"))
    {
      g_set_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG,
                   _ ("Server “%s” cannot be given another name: add one of that name, and remove "
                      "this one"),
                   id);
      return NULL;
    }
  merge_into (json_node_get_object (node), patch);
  patched = json_to_string (node, FALSE);
  return gmcpd_adding_read_configuration (id, patched, error);
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

static gboolean
write_change (GmcpManager *manager,
              GmcpSettingsConfigSource *settings,
              Change *change,
              GError **error)
{
  g_autofree char *source = gmcpd_facts_find_source (manager, change->name);
  g_autoptr (GmcpServerConfig) stored = find_stored (GMCP_CONFIG_SOURCE (settings), change->name);
  g_autoptr (GmcpServerConfig) patched = NULL;

  /* One of a file may hide one of the same name in the settings. */
  if (stored == NULL || !g_str_equal (source, "settings"))
    {
      g_set_error (error, GMCP_ERROR, GMCP_ERROR_NOT_SUPPORTED,
                   /* Translators: a server; “program”, or the file where it is configured */
                   _ ("Server “%s” is not in the settings, but from %s; change it there"),
                   change->name, source);
      return FALSE;
    }
  if (!has_etag (stored, change->etag))
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_WRONG_ETAG,
                   _ ("Server “%s” has been changed by somebody else; look at it again"),
                   change->name);
      return FALSE;
    }
  patched = make_patched (stored, change->patch, error);
  if (patched == NULL || !gmcp_settings_config_source_set_server (settings, patched, error))
    return FALSE;
  gmcpd_adding_count_writing ();
  return TRUE;
}

static void
on_read_again (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GmcpManager *manager = g_task_get_source_object (task);
  Change *change = g_task_get_task_data (task);
  GmcpManagedServer *server = gmcp_manager_get_server (manager, change->name);
  GError *error = NULL;

  if (!gmcp_config_source_load_finish (GMCP_CONFIG_SOURCE (object), result, &error))
    g_task_return_error (task, error);
  else if (server == NULL)
    g_task_return_new_error (task, GMCP_ERROR, GMCP_ERROR_NOT_CONFIGURED,
                             _ ("Server “%s” is not configured any more"), change->name);
  else
    g_task_return_pointer (task, g_object_ref (server), g_object_unref);
}

static void read_settings (GTask *task, GmcpSettingsConfigSource *settings);

static void
on_read (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GmcpSettingsConfigSource *settings = GMCP_SETTINGS_CONFIG_SOURCE (object);
  Change *change = g_task_get_task_data (task);
  GError *error = NULL;

  if (!gmcp_config_source_load_finish (GMCP_CONFIG_SOURCE (object), result, &error))
    g_task_return_error (task, error);
  else if (change->n_writings != gmcpd_adding_get_n_writings ())
    read_settings (g_steal_pointer (&task), settings);
  else if (write_change (g_task_get_source_object (task), settings, change, &error))
    /* What has been written is said, also to somebody who has gone. */
    gmcp_config_source_load_async (GMCP_CONFIG_SOURCE (settings), NULL, on_read_again,
                                   g_steal_pointer (&task));
  else
    g_task_return_error (task, error);
}

/* Takes the task. */
static void
read_settings (GTask *task, GmcpSettingsConfigSource *settings)
{
  Change *change = g_task_get_task_data (task);

  change->n_writings = gmcpd_adding_get_n_writings ();
  gmcp_config_source_load_async (GMCP_CONFIG_SOURCE (settings), g_task_get_cancellable (task),
                                 on_read, task);
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
  GmcpSettingsConfigSource *settings;
  GError *error = NULL;
  Change *change = g_new0 (Change, 1);

  g_task_set_source_tag (task, gmcpd_editing_patch_async);
  g_task_set_check_cancellable (task, FALSE);
  change->name = g_strdup (name);
  change->patch = json_object_ref (patch);
  change->etag = g_strdup (etag);
  g_task_set_task_data (task, change, change_free);
  settings = gmcpd_adding_find_settings (manager, &error);
  if (settings != NULL)
    read_settings (g_steal_pointer (&task), settings);
  else
    g_task_return_error (task, error);
}

GmcpManagedServer *
gmcpd_editing_patch_finish (GmcpManager *manager, GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}

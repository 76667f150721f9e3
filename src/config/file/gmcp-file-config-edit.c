/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-config-edit-private.h"
#include "gmcp-file-config-source-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-state-file-private.h"

#include <gmcp/core/gmcp-error.h>

/* A server of a file goes, or is switched on and off. */

typedef enum
{
  CHANGE_REMOVE,
  CHANGE_ENABLE,
  CHANGE_DISABLE,
} Change;

typedef struct
{
  char *server_id;
  char *folder; /* of the file */
  Change change;
} Edit;

static void
edit_free (gpointer data)
{
  Edit *edit = data;

  g_free (edit->server_id);
  g_free (edit->folder);
  g_free (edit);
}

/* Runs in a thread. */
static GBytes *
edit_text (GBytes *present, gpointer data, GError **error)
{
  const Edit *edit = data;
  gsize length = 0;
  const char *text = present != NULL ? g_bytes_get_data (present, &length) : NULL;
  char *edited;

  if (text == NULL)
    {
      g_set_error (error, GMCP_ERROR, GMCP_ERROR_NOT_CONFIGURED,
                   _ ("There is no server “%s” in the file"), edit->server_id);
      return NULL;
    }

  edited = edit->change == CHANGE_REMOVE
             ? gmcp_config_edit_remove (text, length, edit->folder, edit->server_id, error)
             : gmcp_config_edit_set_enabled (text, length, edit->folder, edit->server_id,
                                             edit->change == CHANGE_ENABLE, error);
  return edited != NULL ? g_bytes_new_take (edited, strlen (edited)) : NULL;
}

static void
on_changed (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GTask) task = data;
  GmcpFileConfigSource *self = g_task_get_source_object (task);
  GError *error = NULL;

  if (gmcp_state_file_change_finish (result, &error))
    {
      g_task_return_boolean (task, TRUE);
      return;
    }
  g_prefix_error (&error, "%s: ", g_file_peek_path (self->file));
  g_task_return_error (task, error);
}

/* Takes the task. */
static void
edit_file (GmcpFileConfigSource *self, GTask *edit_task, const char *server_id, Change change)
{
  g_autoptr (GTask) task = edit_task;
  const char *path = self->file != NULL ? g_file_peek_path (self->file) : NULL;
  GmcpConfigContents *contents = gmcp_file_config_source_peek_contents (self);
  Edit *edit;

  if (g_task_return_error_if_cancelled (task))
    return;
  if (path == NULL || gmcp_config_format_guess (path) != GMCP_CONFIG_FORMAT_JSON)
    {
      g_autofree char *name = self->file != NULL ? g_file_get_parse_name (self->file) : NULL;
      gpointer line = contents != NULL ? g_hash_table_lookup (contents->lines, server_id) : NULL;

      g_task_return_new_error (task, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG,
                               /* Translators: a file, the number of a line, the id of a server */
                               _ ("%s, line %u: only JSON files can be changed from here; change "
                                  "“%s” there by hand"),
                               name != NULL ? name : "?", GPOINTER_TO_UINT (line), server_id);
      return;
    }

  edit = g_new0 (Edit, 1);
  edit->server_id = g_strdup (server_id);
  edit->folder = g_path_get_dirname (path);
  edit->change = change;
  gmcp_state_file_change_async (path, edit_text, edit, edit_free, g_task_get_cancellable (task),
                                on_changed, g_object_ref (task));
}

/**
 * gmcp_file_config_source_remove_server_async:
 * @self: a source
 * @server_id: the id of a server of the file
 * @cancellable: (nullable): a cancellable
 * @callback: (scope async): called in the caller's thread-default context
 * @user_data: data for @callback
 *
 * Takes a server out of the file. All else in it stays as it is written, comments among it. The file of a
 * project has to be trusted anew then.
 *
 * Fails with [error@Gmcp.Error] `INVALID_CONFIG` where the server does not stand below `mcpServers`, where
 * something else would get lost, and for YAML and TOML, and with I/O errors. Nothing is changed then.
 *
 * Since: 0.1
 */
void
gmcp_file_config_source_remove_server_async (GmcpFileConfigSource *self,
                                             const char *server_id,
                                             GCancellable *cancellable,
                                             GAsyncReadyCallback callback,
                                             gpointer user_data)
{
  GTask *task;

  g_return_if_fail (GMCP_IS_FILE_CONFIG_SOURCE (self));
  g_return_if_fail (server_id != NULL);
  g_return_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable));

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, gmcp_file_config_source_remove_server_async);
  edit_file (self, task, server_id, CHANGE_REMOVE);
}

/**
 * gmcp_file_config_source_remove_server_finish:
 * @self: a source
 * @result: what the callback was given
 * @error: return location for an error
 *
 * Ends [method@Gmcp.FileConfigSource.remove_server_async].
 *
 * Returns: whether the server is gone from the file
 *
 * Since: 0.1
 */
gboolean
gmcp_file_config_source_remove_server_finish (GmcpFileConfigSource *self,
                                              GAsyncResult *result,
                                              GError **error)
{
  g_return_val_if_fail (GMCP_IS_FILE_CONFIG_SOURCE (self), FALSE);
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);
  g_return_val_if_fail (
    g_async_result_is_tagged (result, gmcp_file_config_source_remove_server_async), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}

/**
 * gmcp_file_config_source_set_server_enabled_async:
 * @self: a source
 * @server_id: the id of a server of the file
 * @enabled: whether it is to be enabled
 * @cancellable: (nullable): a cancellable
 * @callback: (scope async): called in the caller's thread-default context
 * @user_data: data for @callback
 *
 * Switches a server of the file on or off, and leaves all else in it as it is written. The file of a project
 * has to be trusted anew then.
 *
 * Fails as [method@Gmcp.FileConfigSource.remove_server_async] does.
 *
 * Since: 0.1
 */
void
gmcp_file_config_source_set_server_enabled_async (GmcpFileConfigSource *self,
                                                  const char *server_id,
                                                  gboolean enabled,
                                                  GCancellable *cancellable,
                                                  GAsyncReadyCallback callback,
                                                  gpointer user_data)
{
  GTask *task;

  g_return_if_fail (GMCP_IS_FILE_CONFIG_SOURCE (self));
  g_return_if_fail (server_id != NULL);
  g_return_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable));

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, gmcp_file_config_source_set_server_enabled_async);
  edit_file (self, task, server_id, enabled ? CHANGE_ENABLE : CHANGE_DISABLE);
}

/**
 * gmcp_file_config_source_set_server_enabled_finish:
 * @self: a source
 * @result: what the callback was given
 * @error: return location for an error
 *
 * Ends [method@Gmcp.FileConfigSource.set_server_enabled_async].
 *
 * Returns: whether the file says so now
 *
 * Since: 0.1
 */
gboolean
gmcp_file_config_source_set_server_enabled_finish (GmcpFileConfigSource *self,
                                                   GAsyncResult *result,
                                                   GError **error)
{
  g_return_val_if_fail (GMCP_IS_FILE_CONFIG_SOURCE (self), FALSE);
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);
  g_return_val_if_fail (
    g_async_result_is_tagged (result, gmcp_file_config_source_set_server_enabled_async), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}

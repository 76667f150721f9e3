/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-config-edit-private.h"
#include "gmcp-file-config-source-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-state-file-private.h"

#include <gmcp/core/gmcp-error.h>

/* A server of a file comes, goes, is switched on and off, or is another way. */

typedef enum
{
  CHANGE_REMOVE,
  CHANGE_ENABLE,
  CHANGE_DISABLE,
  CHANGE_TEXT,
  CHANGE_CONFIG,
  CHANGE_ADD,
} Change;

typedef struct
{
  char *server_id;
  char *folder; /* of the file */
  GmcpConfigFormat format;
  Change change;
  char *before; /* with CHANGE_TEXT: what the server's text has to be, and is to be */
  char *text;
  GmcpServerConfig *present; /* the same with CHANGE_CONFIG */
  GmcpServerConfig *config;  /* also with CHANGE_ADD */
} Edit;

static void
edit_free (gpointer data)
{
  Edit *edit = data;

  g_free (edit->server_id);
  g_free (edit->folder);
  g_free (edit->before);
  g_free (edit->text);
  g_clear_object (&edit->present);
  g_clear_object (&edit->config);
  g_free (edit);
}

/* What somebody else has written meanwhile is not lost. */
static char *
change_text (const Edit *edit, const char *text, gsize length, GError **error)
{
  g_autofree char *present
    = gmcp_config_edit_dup_entry (edit->format, text, length, edit->server_id, error);

  if (present == NULL)
    return NULL;
  if (!g_str_equal (present, edit->before))
    {
      gmcp_config_edit_set_changed (edit->server_id, error);
      return NULL;
    }
  return gmcp_config_edit_set_entry (edit->format, text, length, edit->folder, edit->server_id,
                                     edit->text, error);
}

static char *
make_change (const Edit *edit, const char *text, gsize length, GError **error)
{
  switch (edit->change)
    {
    case CHANGE_REMOVE:
      return gmcp_config_edit_remove (edit->format, text, length, edit->folder, edit->server_id,
                                      error);
    case CHANGE_TEXT:
      return change_text (edit, text, length, error);
    case CHANGE_CONFIG:
      return gmcp_config_edit_set_server (edit->format, text, length, edit->folder, edit->present,
                                          edit->config, error);
    case CHANGE_ADD:
      return gmcp_config_edit_add_server (edit->format, text, length, edit->folder, edit->config,
                                          error);
    case CHANGE_ENABLE:
    case CHANGE_DISABLE:
    default:
      return gmcp_config_edit_set_enabled (edit->format, text, length, edit->folder,
                                           edit->server_id, edit->change == CHANGE_ENABLE, error);
    }
}

/* Runs in a thread. */
static GBytes *
edit_text (GBytes *present, gpointer data, GError **error)
{
  const Edit *edit = data;
  gsize length = 0;
  const char *text = present != NULL ? g_bytes_get_data (present, &length) : NULL;
  char *edited;

  if (text == NULL && edit->change != CHANGE_ADD)
    {
      g_set_error (error, GMCP_ERROR, GMCP_ERROR_NOT_CONFIGURED,
                   _ ("There is no server “%s” in the file"), edit->server_id);
      return NULL;
    }

  edited = make_change (edit, text, length, error);
  return edited != NULL ? g_bytes_new_take (edited, strlen (edited)) : NULL;
}

static void
on_changed (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GTask) task = data;
  GError *error = NULL;

  if (gmcp_state_file_change_finish (result, &error))
    {
      g_task_return_boolean (task, TRUE);
      return;
    }
  g_task_return_error (task, error);
}

/* FALSE with an error for what is no file that can be changed from here. */
static gboolean
check_file (GmcpFileConfigSource *self, const char *server_id, GError **error)
{
  const char *path = self->file != NULL ? g_file_peek_path (self->file) : NULL;
  GmcpConfigContents *contents = gmcp_file_config_source_peek_contents (self);
  g_autofree char *name = self->file != NULL ? g_file_get_parse_name (self->file) : NULL;
  gpointer line = contents != NULL ? g_hash_table_lookup (contents->lines, server_id) : NULL;

  if (path != NULL && gmcp_config_format_guess (path) != GMCP_CONFIG_FORMAT_TOML)
    return TRUE;
  if (line == NULL)
    g_set_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG,
                 /* Translators: a file, the id of a server */
                 _ ("%s: only files in JSON or YAML can be changed from here; write “%s” there by "
                    "hand"),
                 name != NULL ? name : "?", server_id);
  else
    g_set_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG,
                 /* Translators: a file, the number of a line, the id of a server */
                 _ ("%s, line %u: only files in JSON or YAML can be changed from here; change "
                    "“%s” there by hand"),
                 name != NULL ? name : "?", GPOINTER_TO_UINT (line), server_id);
  return FALSE;
}

static Edit *
edit_new (const char *server_id, Change change)
{
  Edit *edit = g_new0 (Edit, 1);

  edit->server_id = g_strdup (server_id);
  edit->change = change;
  return edit;
}

/* Takes the task, and the edit. */
static void
edit_file (GmcpFileConfigSource *self, GTask *edit_task, Edit *edit)
{
  g_autoptr (GTask) task = edit_task;
  const char *path = self->file != NULL ? g_file_peek_path (self->file) : NULL;
  GError *error = NULL;

  if (g_task_return_error_if_cancelled (task) || !check_file (self, edit->server_id, &error))
    {
      if (error != NULL)
        g_task_return_error (task, error);
      edit_free (edit);
      return;
    }

  edit->folder = g_path_get_dirname (path);
  edit->format = gmcp_config_format_guess (path);
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
 * Fails with [error@Gmcp.Error] `INVALID_CONFIG` where the server does not stand in the file, where something else
 * would get lost, and for TOML, and with I/O errors. Nothing is changed then.
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
  edit_file (self, task, edit_new (server_id, CHANGE_REMOVE));
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
  edit_file (self, task, edit_new (server_id, enabled ? CHANGE_ENABLE : CHANGE_DISABLE));
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

static void
on_read (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GTask) task = data;
  const char *server_id = g_task_get_task_data (task);
  const char *path = g_file_peek_path (G_FILE (object));
  g_autofree char *content = NULL;
  char *text = NULL;
  gsize length = 0;
  GError *error = NULL;

  if (g_file_load_contents_finish (G_FILE (object), result, &content, &length, NULL, &error))
    text = gmcp_config_edit_dup_entry (gmcp_config_format_guess (path), content, length, server_id,
                                       &error);
  if (text != NULL)
    {
      g_task_return_pointer (task, text, g_free);
      return;
    }
  g_prefix_error (&error, "%s: ", path);
  g_task_return_error (task, error);
}

/**
 * gmcp_file_config_source_read_server_text_async:
 * @self: a source
 * @server_id: the id of a server of the file
 * @cancellable: (nullable): a cancellable
 * @callback: (scope async): called in the caller's thread-default context
 * @user_data: data for @callback
 *
 * Reads what stands in the file for one server, as it is written there, comments included: in JSON an object,
 * in YAML the keys below the server's name. It is for people to change. Fails with [error@Gmcp.Error] `INVALID_CONFIG`
 * where the server does not stand in lines of its own, and for files in TOML.
 *
 * Since: 0.1
 */
void
gmcp_file_config_source_read_server_text_async (GmcpFileConfigSource *self,
                                                const char *server_id,
                                                GCancellable *cancellable,
                                                GAsyncReadyCallback callback,
                                                gpointer user_data)
{
  g_autoptr (GTask) task = NULL;
  GError *error = NULL;

  g_return_if_fail (GMCP_IS_FILE_CONFIG_SOURCE (self));
  g_return_if_fail (server_id != NULL);
  g_return_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable));

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, gmcp_file_config_source_read_server_text_async);
  g_task_set_task_data (task, g_strdup (server_id), g_free);
  if (!check_file (self, server_id, &error))
    g_task_return_error (task, error);
  else
    g_file_load_contents_async (self->file, cancellable, on_read, g_object_ref (task));
}

/**
 * gmcp_file_config_source_read_server_text_finish:
 * @self: a source
 * @result: what the callback was given
 * @error: return location for an error
 *
 * Ends [method@Gmcp.FileConfigSource.read_server_text_async].
 *
 * Returns: (transfer full): the text
 *
 * Since: 0.1
 */
char *
gmcp_file_config_source_read_server_text_finish (GmcpFileConfigSource *self,
                                                 GAsyncResult *result,
                                                 GError **error)
{
  g_return_val_if_fail (GMCP_IS_FILE_CONFIG_SOURCE (self), NULL);
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);
  g_return_val_if_fail (
    g_async_result_is_tagged (result, gmcp_file_config_source_read_server_text_async), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

/**
 * gmcp_file_config_source_write_server_text_async:
 * @self: a source
 * @server_id: the id of a server of the file
 * @before: what stands there, as [method@Gmcp.FileConfigSource.read_server_text_async] gave it
 * @text: what is to stand there
 * @cancellable: (nullable): a cancellable
 * @callback: (scope async): called in the caller's thread-default context
 * @user_data: data for @callback
 *
 * Writes another text for one server, and leaves all else in the file as it is. Fails with
 * [error@Gmcp.Error] `INVALID_CONFIG`, and changes nothing, where the text is no server, where another server would read
 * differently, or where something else than @before stands there by now.
 *
 * Since: 0.1
 */
void
gmcp_file_config_source_write_server_text_async (GmcpFileConfigSource *self,
                                                 const char *server_id,
                                                 const char *before,
                                                 const char *text,
                                                 GCancellable *cancellable,
                                                 GAsyncReadyCallback callback,
                                                 gpointer user_data)
{
  Edit *edit;
  GTask *task;

  g_return_if_fail (GMCP_IS_FILE_CONFIG_SOURCE (self));
  g_return_if_fail (server_id != NULL);
  g_return_if_fail (before != NULL);
  g_return_if_fail (text != NULL);
  g_return_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable));

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, gmcp_file_config_source_write_server_text_async);
  edit = edit_new (server_id, CHANGE_TEXT);
  edit->before = g_strdup (before);
  edit->text = g_strdup (text);
  edit_file (self, task, edit);
}

/**
 * gmcp_file_config_source_write_server_text_finish:
 * @self: a source
 * @result: what the callback was given
 * @error: return location for an error
 *
 * Ends [method@Gmcp.FileConfigSource.write_server_text_async].
 *
 * Returns: whether it was written
 *
 * Since: 0.1
 */
gboolean
gmcp_file_config_source_write_server_text_finish (GmcpFileConfigSource *self,
                                                  GAsyncResult *result,
                                                  GError **error)
{
  g_return_val_if_fail (GMCP_IS_FILE_CONFIG_SOURCE (self), FALSE);
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);
  g_return_val_if_fail (
    g_async_result_is_tagged (result, gmcp_file_config_source_write_server_text_async), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}

/**
 * gmcp_file_config_source_set_server_async:
 * @self: a source that has been loaded
 * @config: a server of the file, as it is to be
 * @cancellable: (nullable): a cancellable
 * @callback: (scope async): called in the caller's thread-default context
 * @user_data: data for @callback
 *
 * Writes what is another way in @config than the file had when it was last loaded, and leaves all else in the file as it
 * is written. The file of a project has to be trusted anew then.
 *
 * Fails with [error@Gmcp.Error] `NOT_CONFIGURED` where the file has no server of that id, and as
 * [method@Gmcp.FileConfigSource.write_server_text_async] does; nothing is changed then.
 *
 * Since: 0.1
 */
void
gmcp_file_config_source_set_server_async (GmcpFileConfigSource *self,
                                          GmcpServerConfig *config,
                                          GCancellable *cancellable,
                                          GAsyncReadyCallback callback,
                                          gpointer user_data)
{
  g_autoptr (GTask) task = NULL;
  GmcpServerConfig *present;
  Edit *edit;

  g_return_if_fail (GMCP_IS_FILE_CONFIG_SOURCE (self));
  g_return_if_fail (GMCP_IS_SERVER_CONFIG (config));
  g_return_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable));

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, gmcp_file_config_source_set_server_async);
  present = gmcp_config_source_find_server (GMCP_CONFIG_SOURCE (self),
                                            gmcp_server_config_get_id (config));
  if (present == NULL)
    {
      g_task_return_new_error (task, GMCP_ERROR, GMCP_ERROR_NOT_CONFIGURED,
                               _ ("There is no server “%s” in the file"),
                               gmcp_server_config_get_id (config));
      return;
    }
  edit = edit_new (gmcp_server_config_get_id (config), CHANGE_CONFIG);
  edit->present = present;
  edit->config = g_object_ref (config);
  edit_file (self, g_steal_pointer (&task), edit);
}

/**
 * gmcp_file_config_source_set_server_finish:
 * @self: a source
 * @result: what the callback was given
 * @error: return location for an error
 *
 * Ends [method@Gmcp.FileConfigSource.set_server_async].
 *
 * Returns: whether it was written
 *
 * Since: 0.1
 */
gboolean
gmcp_file_config_source_set_server_finish (GmcpFileConfigSource *self,
                                           GAsyncResult *result,
                                           GError **error)
{
  g_return_val_if_fail (GMCP_IS_FILE_CONFIG_SOURCE (self), FALSE);
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);
  g_return_val_if_fail (g_async_result_is_tagged (result, gmcp_file_config_source_set_server_async),
                        FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}

/**
 * gmcp_file_config_source_add_server_async:
 * @self: a source
 * @config: a new server
 * @cancellable: (nullable): a cancellable
 * @callback: (scope async): called in the caller's thread-default context
 * @user_data: data for @callback
 *
 * Writes a new server into the file, which is made where there is none. All else in it stays as it is written. Each value
 * is written as it is, so that a secret belongs into the keyring and its name into @config
 * ([class@Gmcp.KeyringSecret]). The file of a project has to be trusted anew then.
 *
 * Fails with [error@Gmcp.Error] `INVALID_ARGUMENT` where the file has a server of that id, with `INVALID_CONFIG` where it
 * cannot be read or something else would get lost, and for TOML, and with I/O errors. Nothing is changed then.
 *
 * Since: 0.1
 */
void
gmcp_file_config_source_add_server_async (GmcpFileConfigSource *self,
                                          GmcpServerConfig *config,
                                          GCancellable *cancellable,
                                          GAsyncReadyCallback callback,
                                          gpointer user_data)
{
  g_autoptr (GTask) task = NULL;
  Edit *edit;

  g_return_if_fail (GMCP_IS_FILE_CONFIG_SOURCE (self));
  g_return_if_fail (GMCP_IS_SERVER_CONFIG (config));
  g_return_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable));

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, gmcp_file_config_source_add_server_async);
  /* What is written is said to be. */
  g_task_set_check_cancellable (task, FALSE);
  edit = edit_new (gmcp_server_config_get_id (config), CHANGE_ADD);
  edit->config = g_object_ref (config);
  edit_file (self, g_steal_pointer (&task), edit);
}

/**
 * gmcp_file_config_source_add_server_finish:
 * @self: a source
 * @result: what the callback was given
 * @error: return location for an error
 *
 * Ends [method@Gmcp.FileConfigSource.add_server_async].
 *
 * Returns: whether it was written
 *
 * Since: 0.1
 */
gboolean
gmcp_file_config_source_add_server_finish (GmcpFileConfigSource *self,
                                           GAsyncResult *result,
                                           GError **error)
{
  g_return_val_if_fail (GMCP_IS_FILE_CONFIG_SOURCE (self), FALSE);
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);
  g_return_val_if_fail (g_async_result_is_tagged (result, gmcp_file_config_source_add_server_async),
                        FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}

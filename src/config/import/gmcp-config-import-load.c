/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-config-edit-private.h"
#include "gmcp-config-import-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-limits.h"
#include "gmcp-settings-schema-private.h"
#include "gmcp-settings-server-private.h"
#include "gmcp-state-file-private.h"

#include <gmcp/core/gmcp-error.h>

/* What there is to import, and what is there already. */

gboolean
gmcp_config_import_open_settings (GmcpConfigImport *self, GError **error)
{
  g_autoptr (GSettingsSchema) schema = gmcp_settings_lookup_manager_schema (error);

  if (schema == NULL)
    return FALSE;
  g_clear_object (&self->manager_settings);
  self->manager_settings = g_settings_new_full (schema, self->backend, NULL);
  return TRUE;
}

GSettings *
gmcp_config_import_open_server (GmcpConfigImport *self, const char *id)
{
  g_autofree char *path = g_strconcat (GMCP_SETTINGS_SERVERS_PATH, id, "/", NULL);
  g_autoptr (GSettingsSchema) schema = gmcp_settings_lookup_server_schema (NULL);

  return schema != NULL ? g_settings_new_full (schema, self->backend, path) : NULL;
}

static void
add_present (GHashTable *present, GmcpServerConfig *config)
{
  g_hash_table_insert (present, g_strdup (gmcp_server_config_get_id (config)), config);
}

static gboolean
list_in_settings (GmcpConfigImport *self, GHashTable *present, GError **error)
{
  g_auto (GStrv) ids = NULL;
  g_autoptr (GSettingsSchema) schema = gmcp_settings_lookup_server_schema (error);

  if (schema == NULL || !gmcp_config_import_open_settings (self, error))
    return FALSE;

  ids = g_settings_get_strv (self->manager_settings, "servers");
  for (gsize i = 0; ids[i] != NULL; i++)
    {
      g_autoptr (GSettings) settings = NULL;

      if (!gmcp_server_config_is_valid_id (ids[i]))
        continue;
      settings = gmcp_config_import_open_server (self, ids[i]);
      add_present (present, gmcp_settings_read_server (settings, ids[i]));
    }
  return TRUE;
}

gboolean
gmcp_config_import_is_blank (GBytes *text)
{
  gsize length;
  const char *data = g_bytes_get_data (text, &length);

  for (gsize i = 0; i < length; i++)
    {
      if (!g_ascii_isspace (data[i]))
        return FALSE;
    }
  return TRUE;
}

GmcpConfigFormat
gmcp_config_import_get_target_format (GmcpConfigImport *self)
{
  g_autofree char *name = g_file_get_basename (self->target_file);

  return gmcp_config_format_guess (name);
}

static gboolean
list_in_file (GmcpConfigImport *self, GHashTable *present, GError **error)
{
  g_autoptr (GmcpConfigContents) contents = NULL;
  gsize length;
  const char *text;
  g_autofree char *name = g_file_get_parse_name (self->target_file);

  if (!gmcp_config_edit_check_format (gmcp_config_import_get_target_format (self), error))
    {
      g_prefix_error (error, "%s: ", name);
      return FALSE;
    }
  if (self->target_text == NULL)
    return TRUE;

  text = g_bytes_get_data (self->target_text, &length);
  contents = gmcp_config_contents_read (text, length, gmcp_config_import_get_target_format (self),
                                        name, self->target_folder, NULL, error);
  if (contents == NULL)
    return FALSE;
  for (guint i = 0; i < contents->servers->len; i++)
    add_present (present, g_object_ref (g_ptr_array_index (contents->servers, i)));
  return TRUE;
}

GHashTable *
gmcp_config_import_list_present (GmcpConfigImport *self, GError **error)
{
  g_autoptr (GHashTable) present
    = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_object_unref);
  gboolean done = self->target_file != NULL ? list_in_file (self, present, error)
                                            : list_in_settings (self, present, error);

  return done ? g_steal_pointer (&present) : NULL;
}

static gboolean
check_size (GBytes *text, const char *name, GError **error)
{
  if (g_bytes_get_size (text) <= GMCP_LIMIT_CONFIG_FILE_BYTES)
    return TRUE;

  g_set_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG,
               _ ("%s: larger than a configuration may be (%u bytes)"), name,
               GMCP_LIMIT_CONFIG_FILE_BYTES);
  return FALSE;
}

static gboolean
preview_items (GmcpConfigImport *self, GBytes *source, GError **error)
{
  g_autofree char *name
    = self->file != NULL ? g_file_get_parse_name (self->file) : g_strdup (_ ("the text"));
  g_autoptr (GFile) parent = self->file != NULL     ? g_file_get_parent (self->file)
                             : self->folder != NULL ? g_object_ref (self->folder)
                                                    : NULL;
  g_autofree char *folder = parent != NULL ? g_file_get_path (parent) : NULL;
  g_autoptr (GPtrArray) findings = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GmcpConfigContents) contents = NULL;
  g_autoptr (GHashTable) present = NULL;
  g_autoptr (GPtrArray) items = NULL;
  gsize length;
  const char *text = g_bytes_get_data (source, &length);

  if (!check_size (source, name, error))
    return FALSE;
  contents
    = gmcp_config_contents_read_foreign (text != NULL ? text : "", length, &self->program,
                                         self->file != NULL ? name : NULL, folder, findings, error);
  if (contents == NULL && self->file == NULL)
    g_prefix_error (error, "%s: ", name);
  present = contents != NULL ? gmcp_config_import_list_present (self, error) : NULL;
  if (present == NULL)
    return FALSE;

  items = gmcp_config_import_plan (self, contents, findings, present);
  g_list_store_splice (self->items, 0, g_list_model_get_n_items (G_LIST_MODEL (self->items)),
                       items->pdata, items->len);
  self->loaded = TRUE;
  return TRUE;
}

static void
finish_loading (GTask *task)
{
  GError *error = NULL;

  if (preview_items (g_task_get_source_object (task), g_task_get_task_data (task), &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

static void
on_target_read (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GTask) task = data;
  GmcpConfigImport *self = g_task_get_source_object (task);
  g_autofree char *name = g_file_get_parse_name (self->target_file);
  g_autoptr (GBytes) text = NULL;
  GError *error = NULL;

  text = gmcp_state_file_read_finish (result, &error);
  if (error != NULL)
    g_prefix_error (&error, "%s: ", name);
  else if (text != NULL)
    check_size (text, name, &error);
  if (error != NULL)
    {
      g_task_return_error (task, error);
      return;
    }

  if (text != NULL && !gmcp_config_import_is_blank (text))
    self->target_text = g_steal_pointer (&text);
  finish_loading (task);
}

static void
take_source (GTask *task, GBytes *text)
{
  GmcpConfigImport *self = g_task_get_source_object (task);

  g_task_set_task_data (task, text, (GDestroyNotify) g_bytes_unref);
  if (self->target_file == NULL)
    {
      finish_loading (task);
      return;
    }
  self->target_folder = g_path_get_dirname (g_file_peek_path (self->target_file));
  gmcp_state_file_read_async (g_file_peek_path (self->target_file), g_task_get_cancellable (task),
                              on_target_read, g_object_ref (task));
}

static void
take_text (GTask *task)
{
  GmcpConfigImport *self = g_task_get_source_object (task);
  GError *error = NULL;
  GBytes *text = gmcp_config_import_complete_text (self->text, &error);

  if (text != NULL)
    {
      take_source (task, text);
      return;
    }
  g_prefix_error (&error, "%s: ", _ ("the text"));
  g_task_return_error (task, error);
}

static void
on_source_read (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GTask) task = data;
  GmcpConfigImport *self = g_task_get_source_object (task);
  g_autoptr (GBytes) text = NULL;
  GError *error = NULL;

  text = gmcp_state_file_read_finish (result, &error);
  if (error != NULL)
    {
      g_prefix_error (&error, "%s: ", g_file_peek_path (self->file));
      g_task_return_error (task, error);
      return;
    }
  if (text == NULL)
    {
      g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, _ ("%s is not there"),
                               g_file_peek_path (self->file));
      return;
    }

  take_source (task, g_steal_pointer (&text));
}

/**
 * gmcp_config_import_load_async:
 * @self: an import
 * @cancellable: (nullable): a cancellable
 * @callback: (scope async): called in the caller's thread-default context
 * @user_data: data for @callback
 *
 * Reads the file and what is configured here, and says in [property@Gmcp.ConfigImport:items] what
 * importing would do. Fails with %GMCP_ERROR_INVALID_CONFIG where one of the files is broken or too
 * large, with %GMCP_ERROR_INVALID_ARGUMENT for a program that is not known, and with I/O errors.
 *
 * Since: 0.1
 */
void
gmcp_config_import_load_async (GmcpConfigImport *self,
                               GCancellable *cancellable,
                               GAsyncReadyCallback callback,
                               gpointer user_data)
{
  g_autoptr (GTask) task = NULL;

  g_return_if_fail (GMCP_IS_CONFIG_IMPORT (self));
  g_return_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable));

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, gmcp_config_import_load_async);
  if (g_task_return_error_if_cancelled (task))
    return;
  if (self->program_name != NULL && self->program == NULL)
    {
      g_task_return_new_error (task, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT,
                               _ ("the files of “%s” are not known"), self->program_name);
      return;
    }
  if (self->file == NULL && self->text == NULL)
    {
      g_task_return_new_error (task, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT, "%s",
                               _ ("there is no file to import from"));
      return;
    }
  if ((self->file != NULL && g_file_peek_path (self->file) == NULL)
      || (self->target_file != NULL && g_file_peek_path (self->target_file) == NULL))
    {
      g_task_return_new_error (task, GMCP_ERROR, GMCP_ERROR_NOT_SUPPORTED, "%s",
                               _ ("only files of this computer can be imported from and to"));
      return;
    }

  gmcp_config_import_drop_preview (self);
  if (self->text != NULL)
    take_text (task);
  else
    gmcp_state_file_read_async (g_file_peek_path (self->file), cancellable, on_source_read,
                                g_steal_pointer (&task));
}

/**
 * gmcp_config_import_load_finish:
 * @self: an import
 * @result: what the callback was given
 * @error: return location for an error
 *
 * Ends [method@Gmcp.ConfigImport.load_async].
 *
 * Returns: whether the items are there
 *
 * Since: 0.1
 */
gboolean
gmcp_config_import_load_finish (GmcpConfigImport *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (GMCP_IS_CONFIG_IMPORT (self), FALSE);
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);
  g_return_val_if_fail (g_async_result_is_tagged (result, gmcp_config_import_load_async), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}

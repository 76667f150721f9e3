/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-config-import-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-settings-server-private.h"
#include "gmcp-state-file-private.h"

#include <gmcp/core/gmcp-error.h>

/* What is being written. */
typedef struct
{
  GPtrArray *items;
  GPtrArray *stored; /* of char *: secrets that were put into the keyring for it */
} Applying;

static void
applying_free (gpointer data)
{
  Applying *applying = data;

  g_ptr_array_unref (applying->items);
  g_clear_pointer (&applying->stored, g_ptr_array_unref);
  g_free (applying);
}

/* A file that is to be replaced. */
typedef struct
{
  GBytes *before; /* NULL where there is none */
  GBytes *after;
} Replacement;

static void
replacement_free (gpointer data)
{
  Replacement *replacement = data;

  g_clear_pointer (&replacement->before, g_bytes_unref);
  g_bytes_unref (replacement->after);
  g_free (replacement);
}

static void
set_changed_meanwhile (GError **error)
{
  g_set_error_literal (error, GMCP_ERROR, GMCP_ERROR_FAILED,
                       _ ("it has been changed meanwhile; nothing was imported: look again at what "
                          "would change"));
}

/* Runs in a thread. */
static GBytes *
replace_contents (GBytes *present, gpointer data, GError **error)
{
  Replacement *replacement = data;

  if (replacement->before == NULL ? present == NULL || gmcp_config_import_is_blank (present)
                                  : present != NULL && g_bytes_equal (present, replacement->before))
    return g_bytes_ref (replacement->after);
  set_changed_meanwhile (error);
  return NULL;
}

static void
on_forgotten (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GTask) task = data;
  GError *error = NULL;

  gmcp_config_import_forget_finish (result, &error);
  g_task_return_error (task, error);
}

/* Takes the error; NULL where it was written. */
static void
finish_applying (GTask *task, GError *error)
{
  Applying *applying = g_task_get_task_data (task);

  if (error == NULL)
    g_task_return_boolean (task, TRUE);
  else
    gmcp_config_import_forget_async (applying->items, g_steal_pointer (&applying->stored), error,
                                     on_forgotten, g_object_ref (task));
}

static void
on_replaced (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GTask) task = data;
  GError *error = NULL;

  gmcp_state_file_change_finish (result, &error);
  finish_applying (task, error);
}

static void
write_to_file (GTask *task)
{
  GmcpConfigImport *self = g_task_get_source_object (task);
  GPtrArray *items = ((Applying *) g_task_get_task_data (task))->items;
  Replacement *replacement;
  GError *error = NULL;
  char *text
    = gmcp_config_import_edit (self, (GmcpConfigImportItem **) items->pdata, items->len, &error);

  if (text == NULL)
    {
      finish_applying (task, error);
      return;
    }

  replacement = g_new0 (Replacement, 1);
  replacement->before = self->target_text != NULL ? g_bytes_ref (self->target_text) : NULL;
  replacement->after = g_bytes_new_take (text, strlen (text));
  gmcp_state_file_change_async (g_file_peek_path (self->target_file), replace_contents, replacement,
                                replacement_free, g_task_get_cancellable (task), on_replaced,
                                g_object_ref (task));
}

static gboolean
is_as_previewed (GmcpConfigImport *self, GPtrArray *items, GError **error)
{
  g_autoptr (GHashTable) present = gmcp_config_import_list_present (self, error);

  for (guint i = 0; present != NULL && i < items->len; i++)
    {
      GmcpConfigImportItem *item = g_ptr_array_index (items, i);
      GmcpServerConfig *now = g_hash_table_lookup (present, item->id);

      if (item->present != NULL ? now != NULL && gmcp_server_config_equal (item->present, now)
                                : now == NULL)
        continue;
      set_changed_meanwhile (error);
      return FALSE;
    }
  return present != NULL;
}

static gboolean
write_to_settings (GmcpConfigImport *self, GPtrArray *items, GError **error)
{
  g_auto (GStrv) ids = NULL;
  g_autoptr (GStrvBuilder) all = g_strv_builder_new ();
  gboolean any_new = FALSE;

  if (!is_as_previewed (self, items, error))
    return FALSE;

  ids = g_settings_get_strv (self->manager_settings, "servers");
  g_strv_builder_addv (all, (const char **) ids);
  for (guint i = 0; i < items->len; i++)
    {
      GmcpConfigImportItem *item = g_ptr_array_index (items, i);
      g_autoptr (GSettings) settings = gmcp_config_import_open_server (self, item->id);

      gmcp_settings_write_server (settings, item->config, (const char *const *) item->properties);
      if (item->present != NULL)
        continue;
      g_strv_builder_add (all, item->id);
      any_new = TRUE;
    }

  /* A server is there once it is listed, with all its keys. */
  if (any_new)
    {
      g_auto (GStrv) wanted = g_strv_builder_end (all);

      g_settings_set_strv (self->manager_settings, "servers", (const char *const *) wanted);
    }
  return TRUE;
}

/* NULL with an error where one is asked for that cannot be imported. */
static GPtrArray *
choose_items (GmcpConfigImport *self, const char *const *ids, GError **error)
{
  g_autoptr (GPtrArray) chosen = g_ptr_array_new_with_free_func (g_object_unref);
  guint n_items = g_list_model_get_n_items (G_LIST_MODEL (self->items));
  gsize n_known = 0;

  for (guint i = 0; i < n_items; i++)
    {
      g_autoptr (GmcpConfigImportItem) item = g_list_model_get_item (G_LIST_MODEL (self->items), i);

      if (ids != NULL && !g_strv_contains (ids, item->id))
        continue;
      if (ids != NULL && item->change == GMCP_IMPORT_CHANGE_REFUSED)
        {
          g_set_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG,
                       _ ("“%s” cannot be imported: %s"), item->name, item->problem);
          return NULL;
        }
      n_known++;
      if (item->change == GMCP_IMPORT_CHANGE_ADDED || item->change == GMCP_IMPORT_CHANGE_CHANGED)
        g_ptr_array_add (chosen, g_steal_pointer (&item));
    }

  if (ids != NULL && n_known < g_strv_length ((char **) ids))
    {
      g_set_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT, "%s",
                   _ ("not all servers that were asked for are there"));
      return NULL;
    }
  return g_steal_pointer (&chosen);
}

/* A server that needs a secret comes after the secret. */
static void
on_stored (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GTask) task = data;
  GmcpConfigImport *self = g_task_get_source_object (task);
  Applying *applying = g_task_get_task_data (task);
  GError *error = NULL;

  applying->stored = gmcp_config_import_store_finish (result, &error);
  if (applying->stored == NULL)
    {
      g_task_return_error (task, error);
      return;
    }

  if (self->target_file != NULL)
    {
      write_to_file (task);
      return;
    }
  write_to_settings (self, applying->items, &error);
  finish_applying (task, error);
}

/**
 * gmcp_config_import_apply_async:
 * @self: an import that was loaded
 * @server_ids: (nullable) (array zero-terminated=1): the ids of the servers to import; %NULL for all that
 *   can be
 * @cancellable: (nullable): a cancellable
 * @callback: (scope async): called in the caller's thread-default context
 * @user_data: data for @callback
 *
 * Writes what the items say: all of it, or nothing. The items stay as they are before it is loaded
 * again.
 *
 * Fails with %GMCP_ERROR_FAILED where what is written to has been changed since it was loaded, with
 * %GMCP_ERROR_INVALID_ARGUMENT for a server that is not among the items, with
 * %GMCP_ERROR_INVALID_CONFIG for one that cannot be imported, and with I/O errors; where secrets are to be
 * stored ([property@Gmcp.ConfigImport:store-secrets]) also with %GMCP_ERROR_NOT_SUPPORTED in a build without
 * the keyring, with %GMCP_ERROR_FAILED where that has another secret of the name, and with its errors.
 *
 * Since: 0.1
 */
void
gmcp_config_import_apply_async (GmcpConfigImport *self,
                                const char *const *server_ids,
                                GCancellable *cancellable,
                                GAsyncReadyCallback callback,
                                gpointer user_data)
{
  g_autoptr (GTask) task = NULL;
  g_autoptr (GPtrArray) items = NULL;
  Applying *applying;
  GError *error = NULL;

  g_return_if_fail (GMCP_IS_CONFIG_IMPORT (self));
  g_return_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable));

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, gmcp_config_import_apply_async);
  if (g_task_return_error_if_cancelled (task))
    return;
  if (!self->loaded)
    {
      g_task_return_new_error (task, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT, "%s",
                               _ ("what would be imported has to be loaded first"));
      return;
    }

  items = choose_items (self, server_ids, &error);
  if (items == NULL)
    {
      g_task_return_error (task, error);
      return;
    }
  if (items->len == 0)
    {
      g_task_return_boolean (task, TRUE);
      return;
    }

  applying = g_new0 (Applying, 1);
  applying->items = g_ptr_array_ref (items);
  g_task_set_task_data (task, applying, applying_free);
  gmcp_config_import_store_async (items, cancellable, on_stored, g_steal_pointer (&task));
}

/**
 * gmcp_config_import_apply_finish:
 * @self: an import
 * @result: what the callback was given
 * @error: return location for an error
 *
 * Ends [method@Gmcp.ConfigImport.apply_async].
 *
 * Returns: whether it was written
 *
 * Since: 0.1
 */
gboolean
gmcp_config_import_apply_finish (GmcpConfigImport *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (GMCP_IS_CONFIG_IMPORT (self), FALSE);
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);
  g_return_val_if_fail (g_async_result_is_tagged (result, gmcp_config_import_apply_async), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}

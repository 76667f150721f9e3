/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <errno.h>
#include <sys/stat.h>

#include "gmcp-i18n-private.h"
#include "gmcp-real-path-private.h"
#include "gmcp-record-file-private.h"
#include "gmcp-state-file-private.h"
#include "gmcp-trusted-folders-private.h"

#include <gmcp/core/gmcp-error.h>

typedef struct
{
  char *store;
  char *folder;
  gboolean trusted;
} Request;

static void
request_free (gpointer data)
{
  Request *request = data;

  g_free (request->store);
  g_free (request->folder);
  g_free (request);
}

static Request *
request_new (const char *store, const char *folder, gboolean trusted)
{
  Request *request = g_new0 (Request, 1);

  request->store = g_strdup (store);
  request->folder = g_strdup (folder);
  request->trusted = trusted;
  return request;
}

/* The paths, in order. */
static GPtrArray *
parse_folders (GBytes *bytes, GError **error)
{
  g_autoptr (GPtrArray) folders = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GmcpJsonDoc) doc = NULL;
  GmcpJsonValue array, value;
  GmcpJsonIter iter;

  if (!gmcp_record_file_parse (bytes, "folders", GMCP_JSON_ARRAY, &doc, &array, error))
    return NULL;

  gmcp_json_iter_init (&iter, array);
  while (gmcp_json_iter_next (&iter, NULL, &value))
    {
      char *folder = gmcp_json_value_dup_string (value);

      if (folder != NULL)
        g_ptr_array_add (folders, folder);
    }
  return g_steal_pointer (&folders);
}

static gboolean
contains_folder (GPtrArray *folders, const char *folder, guint *position)
{
  return g_ptr_array_find_with_equal_func (folders, folder, g_str_equal, position);
}

static void
on_read (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GTask) task = data;
  Request *request = g_task_get_task_data (task);
  GError *error = NULL;
  g_autoptr (GBytes) bytes = gmcp_state_file_read_finish (result, &error);
  g_autoptr (GPtrArray) folders = error == NULL ? parse_folders (bytes, &error) : NULL;

  if (folders != NULL)
    {
      g_task_return_boolean (task, contains_folder (folders, request->folder, NULL));
      return;
    }

  if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    g_prefix_error (&error, _ ("which folders are trusted cannot be read from %s: "),
                    request->store);
  g_task_return_error (task, error);
}

void
gmcp_trusted_folders_check_async (const char *store,
                                  const char *folder,
                                  GCancellable *cancellable,
                                  GAsyncReadyCallback callback,
                                  gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);

  g_task_set_source_tag (task, gmcp_trusted_folders_check_async);
  g_task_set_task_data (task, request_new (store, folder, TRUE), request_free);
  gmcp_state_file_read_async (store, cancellable, on_read, g_steal_pointer (&task));
}

gboolean
gmcp_trusted_folders_check_finish (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, NULL), FALSE);
  g_return_val_if_fail (g_async_result_is_tagged (result, gmcp_trusted_folders_check_async), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}

gboolean
gmcp_trusted_folders_can_hold (const char *folder, GError **error)
{
  g_autofree char *name = g_filename_display_name (folder);
  struct stat info;
  int saved;

  if (stat (folder, &info) != 0)
    {
      saved = errno;
      g_set_error (error, G_IO_ERROR, g_io_error_from_errno (saved), "%s: %s", name,
                   g_strerror (saved));
    }
  else if (!S_ISDIR (info.st_mode))
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_DIRECTORY, _ ("%s is no folder"), name);
  else if ((info.st_mode & S_IWOTH) != 0)
    g_set_error (error, GMCP_ERROR, GMCP_ERROR_NOT_PERMITTED,
                 _ ("%s cannot be trusted: any user of this computer may write to it"), name);
  else if (!g_utf8_validate (folder, -1, NULL))
    g_set_error (error, GMCP_ERROR, GMCP_ERROR_NOT_SUPPORTED,
                 _ ("%s cannot be trusted: its name is no UTF-8"), name);
  else
    return TRUE;
  return FALSE;
}

static GBytes *
write_folders (GPtrArray *folders)
{
  GmcpJsonWriter writer = gmcp_record_file_begin (g_string_new (NULL), 0, "folders");

  gmcp_json_writer_begin_array (&writer);
  for (guint i = 0; i < folders->len; i++)
    gmcp_json_writer_string (&writer, g_ptr_array_index (folders, i));
  gmcp_json_writer_end_array (&writer);
  return gmcp_record_file_end (&writer);
}

/* In a thread, while nobody else is at the store. */
static GBytes *
change_store (GBytes *present, gpointer data, GError **error)
{
  Request *request = data;
  g_autofree char *folder = gmcp_real_path_of_folder (request->folder);
  g_autoptr (GPtrArray) folders = parse_folders (present, error);
  guint position;

  if (folders == NULL || (request->trusted && !gmcp_trusted_folders_can_hold (folder, error)))
    return NULL;

  while (!request->trusted && contains_folder (folders, folder, &position))
    g_ptr_array_remove_index (folders, position);
  if (request->trusted && !contains_folder (folders, folder, NULL))
    g_ptr_array_add (folders, g_steal_pointer (&folder));
  return write_folders (folders);
}

void
gmcp_trusted_folders_store_async (const char *store,
                                  const char *folder,
                                  gboolean trusted,
                                  GCancellable *cancellable,
                                  GAsyncReadyCallback callback,
                                  gpointer user_data)
{
  gmcp_state_file_change_async (store, change_store, request_new (store, folder, trusted),
                                request_free, cancellable, callback, user_data);
}

gboolean
gmcp_trusted_folders_store_finish (GAsyncResult *result, GError **error)
{
  return gmcp_state_file_change_finish (result, error);
}

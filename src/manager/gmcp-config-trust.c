/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-config-trust-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-json-private.h"
#include "gmcp-limits.h"

typedef struct
{
  char *path;
  char *hash; /* NULL to forget the file */
  GFile *store;
  GBytes *text; /* that is written */
} Request;

static void
request_free (Request *request)
{
  g_free (request->path);
  g_free (request->hash);
  g_object_unref (request->store);
  g_clear_pointer (&request->text, g_bytes_unref);
  g_free (request);
}

static Request *
request_new (const char *path, const char *hash)
{
  Request *request = g_new0 (Request, 1);
  g_autofree char *store
    = g_build_filename (g_get_user_state_dir (), "gmcp", "trusted-files.json", NULL);

  request->path = g_strdup (path);
  request->hash = g_strdup (hash);
  request->store = g_file_new_for_path (store);
  return request;
}

char *
gmcp_config_trust_hash (const char *text, gsize length)
{
  return g_compute_checksum_for_data (G_CHECKSUM_SHA256, (const guchar *) text, length);
}

static gboolean
may_read_more (const char *contents, goffset size, gpointer data)
{
  return size <= (goffset) GMCP_LIMIT_CONFIG_FILE_BYTES;
}

/* What is in the store; NULL where there is none that can be used. */
static GmcpJsonDoc *
finish_reading (GFile *store, GAsyncResult *result)
{
  g_autofree char *text = NULL;
  gsize length = 0;

  if (!g_file_load_partial_contents_finish (store, result, &text, &length, NULL, NULL)
      || length > GMCP_LIMIT_CONFIG_FILE_BYTES)
    return NULL;

  return gmcp_json_doc_parse (text, length, NULL, 0, NULL);
}

static void
on_read_to_check (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GTask) task = data;
  Request *request = g_task_get_task_data (task);
  g_autoptr (GmcpJsonDoc) doc = finish_reading (G_FILE (object), result);
  GmcpJsonValue known = GMCP_JSON_NONE;

  if (g_task_return_error_if_cancelled (task))
    return;
  if (doc != NULL)
    known = gmcp_json_value_get_member (
      gmcp_json_value_get_member (gmcp_json_doc_get_root (doc), "files"), request->path);
  g_task_return_boolean (task, gmcp_json_value_equals_string (known, request->hash));
}

void
gmcp_config_trust_check_async (const char *path,
                               const char *hash,
                               GCancellable *cancellable,
                               GAsyncReadyCallback callback,
                               gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  Request *request = request_new (path, hash);

  g_task_set_source_tag (task, gmcp_config_trust_check_async);
  g_task_set_task_data (task, request, (GDestroyNotify) request_free);
  g_file_load_partial_contents_async (request->store, cancellable, may_read_more, on_read_to_check,
                                      g_steal_pointer (&task));
}

gboolean
gmcp_config_trust_check_finish (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, NULL), FALSE);
  g_return_val_if_fail (g_async_result_is_tagged (result, gmcp_config_trust_check_async), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}

/* The store as it is from now on. */
static GBytes *
make_text (Request *request, GmcpJsonDoc *doc)
{
  GString *text = g_string_new (NULL);
  GmcpJsonWriter writer = gmcp_json_writer_init (text);
  GmcpJsonIter iter;
  GmcpJsonValue key;
  GmcpJsonValue value;

  gmcp_json_writer_begin_object (&writer);
  gmcp_json_writer_key (&writer, "files");
  gmcp_json_writer_begin_object (&writer);
  gmcp_json_iter_init (&iter, doc != NULL
                                ? gmcp_json_value_get_member (gmcp_json_doc_get_root (doc), "files")
                                : GMCP_JSON_NONE);
  while (gmcp_json_iter_next (&iter, &key, &value))
    {
      g_autofree char *path = gmcp_json_value_dup_string (key);

      if (path != NULL && !g_str_equal (path, request->path))
        gmcp_json_writer_member_value (&writer, path, value);
    }
  if (request->hash != NULL)
    gmcp_json_writer_member_string (&writer, request->path, request->hash);
  gmcp_json_writer_end_object (&writer);
  gmcp_json_writer_end_object (&writer);
  g_string_append_c (text, '\n');
  return g_string_free_to_bytes (text);
}

static void
on_written (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GTask) task = data;
  g_autoptr (GError) error = NULL;

  if (g_file_replace_contents_finish (G_FILE (object), result, NULL, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, g_steal_pointer (&error));
}

static void
write_store (GTask *task)
{
  Request *request = g_task_get_task_data (task);

  g_file_replace_contents_bytes_async (request->store, request->text, NULL, FALSE,
                                       G_FILE_CREATE_PRIVATE, g_task_get_cancellable (task),
                                       on_written, g_object_ref (task));
}

static void
on_folder_made (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GTask) task = data;

  /* Where it failed, writing fails and says why. */
  g_file_make_directory_finish (G_FILE (object), result, NULL);
  write_store (task);
}

static void
on_parent_made (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GTask) task = data;
  Request *request = g_task_get_task_data (task);
  g_autoptr (GFile) folder = g_file_get_parent (request->store);

  g_file_make_directory_finish (G_FILE (object), result, NULL);
  g_file_make_directory_async (folder, G_PRIORITY_DEFAULT, g_task_get_cancellable (task),
                               on_folder_made, g_object_ref (task));
}

static void
on_read_to_store (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GTask) task = data;
  Request *request = g_task_get_task_data (task);
  g_autoptr (GmcpJsonDoc) doc = finish_reading (G_FILE (object), result);
  g_autoptr (GFile) state = g_file_new_for_path (g_get_user_state_dir ());

  if (g_task_return_error_if_cancelled (task))
    return;
  request->text = make_text (request, doc);
  g_file_make_directory_async (state, G_PRIORITY_DEFAULT, g_task_get_cancellable (task),
                               on_parent_made, g_object_ref (task));
}

void
gmcp_config_trust_store_async (const char *path,
                               const char *hash,
                               GCancellable *cancellable,
                               GAsyncReadyCallback callback,
                               gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  Request *request = request_new (path, hash);

  g_task_set_source_tag (task, gmcp_config_trust_store_async);
  g_task_set_task_data (task, request, (GDestroyNotify) request_free);
  g_file_load_partial_contents_async (request->store, cancellable, may_read_more, on_read_to_store,
                                      g_steal_pointer (&task));
}

gboolean
gmcp_config_trust_store_finish (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, NULL), FALSE);
  g_return_val_if_fail (g_async_result_is_tagged (result, gmcp_config_trust_store_async), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}

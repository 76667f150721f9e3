/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-config-trust-private.h"
#include "gmcp-json-private.h"
#include "gmcp-state-file-private.h"

/* One file, and what is in it. */
typedef struct
{
  char *path;
  char *hash; /* NULL to forget the file */
} Request;

static void
request_free (gpointer data)
{
  Request *request = data;

  g_free (request->path);
  g_free (request->hash);
  g_free (request);
}

static Request *
request_new (const char *path, const char *hash)
{
  Request *request = g_new (Request, 1);

  request->path = g_strdup (path);
  request->hash = g_strdup (hash);
  return request;
}

static char *
dup_store (void)
{
  return g_build_filename (g_get_user_state_dir (), "gmcp", "trusted-files.json", NULL);
}

char *
gmcp_config_trust_hash (const char *text, gsize length)
{
  return g_compute_checksum_for_data (G_CHECKSUM_SHA256, (const guchar *) text, length);
}

/* NULL where there is none that can be used. */
static GmcpJsonDoc *
parse (GBytes *bytes)
{
  if (bytes == NULL)
    return NULL;

  return gmcp_json_doc_parse (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes), NULL, 0,
                              NULL);
}

static GmcpJsonValue
get_files (GmcpJsonDoc *doc)
{
  return doc != NULL ? gmcp_json_value_get_member (gmcp_json_doc_get_root (doc), "files")
                     : GMCP_JSON_NONE;
}

static void
on_read (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GTask) task = data;
  Request *request = g_task_get_task_data (task);
  g_autoptr (GBytes) bytes = gmcp_state_file_read_finish (result, NULL);
  g_autoptr (GmcpJsonDoc) doc = parse (bytes);
  GmcpJsonValue known = gmcp_json_value_get_member (get_files (doc), request->path);

  if (!g_task_return_error_if_cancelled (task))
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
  g_autofree char *store = dup_store ();

  g_task_set_source_tag (task, gmcp_config_trust_check_async);
  g_task_set_task_data (task, request_new (path, hash), request_free);
  gmcp_state_file_read_async (store, cancellable, on_read, g_steal_pointer (&task));
}

gboolean
gmcp_config_trust_check_finish (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, NULL), FALSE);
  g_return_val_if_fail (g_async_result_is_tagged (result, gmcp_config_trust_check_async), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}

/* In a thread, while nobody else is at the store. */
static GBytes *
change_store (GBytes *present, gpointer data, GError **error)
{
  Request *request = data;
  g_autoptr (GmcpJsonDoc) doc = parse (present);
  GString *text = g_string_new (NULL);
  GmcpJsonWriter writer = gmcp_json_writer_init (text);
  GmcpJsonIter iter;
  GmcpJsonValue key;
  GmcpJsonValue value;

  gmcp_json_writer_begin_object (&writer);
  gmcp_json_writer_key (&writer, "files");
  gmcp_json_writer_begin_object (&writer);
  gmcp_json_iter_init (&iter, get_files (doc));
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

void
gmcp_config_trust_store_async (const char *path,
                               const char *hash,
                               GCancellable *cancellable,
                               GAsyncReadyCallback callback,
                               gpointer user_data)
{
  g_autofree char *store = dup_store ();

  gmcp_state_file_change_async (store, change_store, request_new (path, hash), request_free,
                                cancellable, callback, user_data);
}

gboolean
gmcp_config_trust_store_finish (GAsyncResult *result, GError **error)
{
  return gmcp_state_file_change_finish (result, error);
}

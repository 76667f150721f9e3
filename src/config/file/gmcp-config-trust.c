/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-config-trust-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-record-file-private.h"
#include "gmcp-state-file-private.h"

#include <gmcp/core/gmcp-error.h>

/* One file, and what is in it. */
typedef struct
{
  char *path;
  char *server_id; /* NULL for the file */
  char *hash;      /* NULL to forget it */
  GHashTable *approved;
} Request;

static void
request_free (gpointer data)
{
  Request *request = data;

  g_free (request->path);
  g_free (request->server_id);
  g_free (request->hash);
  g_clear_pointer (&request->approved, g_hash_table_unref);
  g_free (request);
}

static Request *
request_new (const char *path, const char *server_id, const char *hash)
{
  Request *request = g_new0 (Request, 1);

  request->path = g_strdup (path);
  request->server_id = g_strdup (server_id);
  request->hash = g_strdup (hash);
  return request;
}

char *
gmcp_config_trust_dup_store (void)
{
  return g_build_filename (g_get_user_state_dir (), "gmcp", "trusted-files.json", NULL);
}

char *
gmcp_config_trust_hash (const char *text, gsize length)
{
  return g_compute_checksum_for_data (G_CHECKSUM_SHA256, (const guchar *) text, length);
}

static gboolean
parse_trust (GBytes *bytes, GmcpJsonDoc **doc, GError **error)
{
  GmcpJsonValue root;

  return gmcp_record_file_parse (bytes, NULL, GMCP_JSON_OBJECT, doc, &root, error);
}

/* “files”: path → hash; “servers”: path → id → hash. */
static GmcpJsonValue
get_part (GmcpJsonDoc *doc, const char *part)
{
  return doc != NULL ? gmcp_json_value_get_member (gmcp_json_doc_get_root (doc), part)
                     : GMCP_JSON_NONE;
}

static void
list_approved (Request *request, GmcpJsonDoc *doc)
{
  GmcpJsonIter iter;
  GmcpJsonValue key;
  GmcpJsonValue value;

  request->approved = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  gmcp_json_iter_init (&iter,
                       gmcp_json_value_get_member (get_part (doc, "servers"), request->path));
  while (gmcp_json_iter_next (&iter, &key, &value))
    {
      if (gmcp_json_value_equals_string (value, request->hash))
        g_hash_table_add (request->approved, gmcp_json_value_dup_string (key));
    }
}

static void
on_read (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GTask) task = data;
  Request *request = g_task_get_task_data (task);
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = gmcp_state_file_read_finish (result, &error);
  g_autoptr (GmcpJsonDoc) doc = NULL;
  GmcpJsonValue known;

  if (g_task_return_error_if_cancelled (task))
    return;

  if (error == NULL)
    parse_trust (bytes, &doc, &error);
  list_approved (request, doc);
  if (error != NULL)
    {
      g_autofree char *store = gmcp_config_trust_dup_store ();

      g_task_return_new_error (
        task, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG,
        _ ("%s could not be read: %s; no file of a project is trusted meanwhile: "
           "mend it, or remove it and trust anew with: gmcp config trust %s"),
        store, error->message, request->path);
      return;
    }

  known = gmcp_json_value_get_member (get_part (doc, "files"), request->path);
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
  g_autofree char *store = gmcp_config_trust_dup_store ();

  g_task_set_source_tag (task, gmcp_config_trust_check_async);
  g_task_set_task_data (task, request_new (path, NULL, hash), request_free);
  gmcp_state_file_read_async (store, cancellable, on_read, g_steal_pointer (&task));
}

gboolean
gmcp_config_trust_check_finish (GAsyncResult *result, GHashTable **approved, GError **error)
{
  Request *request = NULL;
  gboolean trusted;

  g_return_val_if_fail (g_task_is_valid (result, NULL), FALSE);
  g_return_val_if_fail (g_async_result_is_tagged (result, gmcp_config_trust_check_async), FALSE);

  request = g_task_get_task_data (G_TASK (result));
  trusted = g_task_propagate_boolean (G_TASK (result), error);
  *approved = g_steal_pointer (&request->approved);
  return trusted;
}

/* Writes all members but one. */
static void
keep_others (GmcpJsonWriter *writer, GmcpJsonValue object, const char *but)
{
  GmcpJsonIter iter;
  GmcpJsonValue key;
  GmcpJsonValue value;

  gmcp_json_iter_init (&iter, object);
  while (gmcp_json_iter_next (&iter, &key, &value))
    {
      g_autofree char *name = gmcp_json_value_dup_string (key);

      if (!g_str_equal (name, but))
        gmcp_json_writer_member_value (writer, name, value);
    }
}

static void
write_files (GmcpJsonWriter *writer, Request *request, GmcpJsonValue files)
{
  gmcp_json_writer_begin_object (writer);
  keep_others (writer, files, request->server_id == NULL ? request->path : "");
  if (request->server_id == NULL && request->hash != NULL)
    gmcp_json_writer_member_string (writer, request->path, request->hash);
  gmcp_json_writer_end_object (writer);
}

static void
write_servers (GmcpJsonWriter *writer, Request *request, GmcpJsonValue servers)
{
  GmcpJsonValue present = gmcp_json_value_get_member (servers, request->path);

  gmcp_json_writer_begin_object (writer);
  keep_others (writer, servers, request->path);
  if (request->server_id != NULL)
    {
      gmcp_json_writer_key (writer, request->path);
      gmcp_json_writer_begin_object (writer);
      keep_others (writer, present, request->server_id);
      if (request->hash != NULL)
        gmcp_json_writer_member_string (writer, request->server_id, request->hash);
      gmcp_json_writer_end_object (writer);
    }
  else if (request->hash != NULL && gmcp_json_value_is_present (present))
    {
      gmcp_json_writer_member_value (writer, request->path, present);
    }
  gmcp_json_writer_end_object (writer);
}

/* In a thread, while nobody else is at the store. */
static GBytes *
change_store (GBytes *present, gpointer data, GError **error)
{
  Request *request = data;
  g_autoptr (GmcpJsonDoc) doc = NULL;
  GmcpJsonWriter writer;

  /* What is there is not thrown away. */
  if (!parse_trust (present, &doc, error))
    return NULL;

  writer = gmcp_record_file_begin (g_string_new (NULL), 0, "files");
  write_files (&writer, request, get_part (doc, "files"));
  gmcp_json_writer_key (&writer, "servers");
  write_servers (&writer, request, get_part (doc, "servers"));
  return gmcp_record_file_end (&writer);
}

void
gmcp_config_trust_store_async (const char *path,
                               const char *server_id,
                               const char *hash,
                               GCancellable *cancellable,
                               GAsyncReadyCallback callback,
                               gpointer user_data)
{
  g_autofree char *store = gmcp_config_trust_dup_store ();

  gmcp_state_file_change_async (store, change_store, request_new (path, server_id, hash),
                                request_free, cancellable, callback, user_data);
}

gboolean
gmcp_config_trust_store_finish (GAsyncResult *result, GError **error)
{
  return gmcp_state_file_change_finish (result, error);
}

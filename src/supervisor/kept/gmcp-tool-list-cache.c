/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <gio/gio.h>
#include <string.h>

#include "gmcp-cache-folder-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-json-private.h"
#include "gmcp-limits.h"
#include "gmcp-server-config-private.h"
#include "gmcp-state-file-private.h"
#include "gmcp-tool-list-cache-private.h"
#include "gmcp-tool-private.h"

#include <gmcp/core/gmcp-error.h>

/* Of what the file holds; another one is not read. */
#define FORMAT 1

void
gmcp_tool_list_cache_free (GmcpToolListCache *self)
{
  g_ptr_array_unref (self->tools);
  g_free (self->instructions);
  g_free (self);
}

/* The hash has the secrets of the configuration in it, and is hashed once more by itself. */
static char *
path_of (GmcpServerConfig *config, GmcpClientAbilities abilities)
{
  g_autofree char *hash = gmcp_server_config_dup_hash (config);
  g_autofree char *key = g_strconcat (hash, " ", gmcp_client_abilities_to_string (abilities), NULL);
  g_autofree char *digest = g_compute_checksum_for_string (G_CHECKSUM_SHA256, key, -1);

  return g_build_filename (g_get_user_cache_dir (), "gmcp", "tools", digest, NULL);
}

static gboolean
set_format_error (GError **error)
{
  g_set_error (error, GMCP_ERROR, GMCP_ERROR_PROTOCOL, _ ("it is no list of tools"));
  return FALSE;
}

static gboolean
read_tools (GmcpToolListCache *manifest, GmcpJsonValue tools, GError **error)
{
  GmcpJsonIter iter;
  GmcpJsonValue item;

  if (!gmcp_json_value_is_array (tools)
      || gmcp_json_value_get_length (tools) > GMCP_LIMIT_LIST_ITEMS)
    return set_format_error (error);

  gmcp_json_iter_init (&iter, tools);
  while (gmcp_json_iter_next (&iter, NULL, &item))
    {
      g_autoptr (GmcpJsonDoc) own = gmcp_json_value_copy_to_doc (item);
      GmcpTool *tool = gmcp_tool_new_from_value (gmcp_json_doc_get_root (own), error);

      if (tool == NULL)
        return FALSE;
      g_ptr_array_add (manifest->tools, tool);
    }

  return TRUE;
}

static GmcpToolListCache *
parse_cache (GBytes *bytes, GError **error)
{
  gsize length;
  const char *text = g_bytes_get_data (bytes, &length);
  g_autoptr (GmcpJsonDoc) doc = NULL;
  g_autoptr (GmcpToolListCache) manifest = NULL;
  GmcpJsonValue root;
  gint64 format;

  if (length > GMCP_LIMIT_MANIFEST_BYTES)
    {
      g_set_error (error, GMCP_ERROR, GMCP_ERROR_LIMIT_EXCEEDED, _ ("it is larger than %u bytes"),
                   GMCP_LIMIT_MANIFEST_BYTES);
      return NULL;
    }
  doc = gmcp_json_doc_parse (text, length, bytes, 0, error);
  if (doc == NULL)
    return NULL;

  root = gmcp_json_doc_get_root (doc);
  if (!gmcp_json_value_get_int64 (gmcp_json_value_get_member (root, "format"), &format))
    {
      set_format_error (error);
      return NULL;
    }
  if (format != FORMAT)
    return NULL;

  manifest = g_new0 (GmcpToolListCache, 1);
  manifest->tools = g_ptr_array_new_with_free_func (g_object_unref);
  manifest->instructions
    = gmcp_json_value_dup_string (gmcp_json_value_get_member (root, "instructions"));
  if (!read_tools (manifest, gmcp_json_value_get_member (root, "tools"), error))
    return NULL;

  return g_steal_pointer (&manifest);
}

static void
on_read (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GTask) task = data;
  GError *error = NULL;
  g_autoptr (GBytes) bytes = gmcp_state_file_read_finish (result, &error);
  GmcpToolListCache *manifest = bytes != NULL ? parse_cache (bytes, &error) : NULL;

  if (error != NULL)
    {
      g_prefix_error (&error, "%s: ", (const char *) g_task_get_task_data (task));
      g_task_return_error (task, error);
      return;
    }
  g_task_return_pointer (task, manifest, (GDestroyNotify) gmcp_tool_list_cache_free);
}

void
gmcp_tool_list_cache_load_async (GmcpServerConfig *config,
                                 GmcpClientAbilities abilities,
                                 GAsyncReadyCallback callback,
                                 gpointer data)
{
  GTask *task = g_task_new (NULL, NULL, callback, data);
  char *path = path_of (config, abilities);

  g_task_set_source_tag (task, gmcp_tool_list_cache_load_async);
  g_task_set_task_data (task, path, g_free);
  gmcp_state_file_read_used_async (path, NULL, on_read, task);
}

GmcpToolListCache *
gmcp_tool_list_cache_load_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}

static void
on_all_read (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GTask) task = data;
  g_autoptr (GPtrArray) contents = gmcp_state_file_read_all_finish (result, NULL);
  GPtrArray *tools = NULL;

  for (guint i = 0; contents != NULL && i < contents->len; i++)
    {
      GmcpStateFileContent *content = g_ptr_array_index (contents, i);
      g_autoptr (GmcpToolListCache) manifest
        = content->bytes != NULL ? parse_cache (content->bytes, NULL) : NULL;

      if (manifest == NULL)
        continue;
      if (tools == NULL)
        tools = g_ptr_array_new_with_free_func (g_object_unref);
      g_ptr_array_extend (tools, manifest->tools, (GCopyFunc) g_object_ref, NULL);
    }

  g_task_return_pointer (task, tools, (GDestroyNotify) g_ptr_array_unref);
}

void
gmcp_tool_list_cache_load_all_async (GmcpServerConfig *config,
                                     GAsyncReadyCallback callback,
                                     gpointer data)
{
  GTask *task = g_task_new (NULL, NULL, callback, data);
  char *paths[GMCP_CLIENT_N_ABILITIES + 1] = { NULL };

  g_task_set_source_tag (task, gmcp_tool_list_cache_load_all_async);
  for (guint i = 0; i < GMCP_CLIENT_N_ABILITIES; i++)
    paths[i] = path_of (config, (GmcpClientAbilities) i);
  gmcp_state_file_read_all_async ((const char *const *) paths, NULL, on_all_read, task);
  for (guint i = 0; i < GMCP_CLIENT_N_ABILITIES; i++)
    g_free (paths[i]);
}

GPtrArray *
gmcp_tool_list_cache_load_all_finish (GAsyncResult *result)
{
  return g_task_propagate_pointer (G_TASK (result), NULL);
}

typedef struct
{
  char *path;
  GString *text;
} Saving;

static void
saving_free (gpointer data)
{
  Saving *saving = data;

  g_free (saving->path);
  g_string_free (saving->text, TRUE);
  g_free (saving);
}

static gboolean
is_saved (Saving *saving)
{
  g_autofree char *present = NULL;
  gsize length;

  return g_file_test (saving->path, G_FILE_TEST_IS_REGULAR)
         && g_file_get_contents (saving->path, &present, &length, NULL)
         && length == saving->text->len && memcmp (present, saving->text->str, length) == 0;
}

static void
save_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Saving *saving = data;

  if (is_saved (saving))
    gmcp_cache_folder_mark_used (saving->path);
  else
    gmcp_cache_folder_write (saving->path, saving->text->str, saving->text->len,
                             G_FILE_SET_CONTENTS_CONSISTENT);
  g_task_return_boolean (task, TRUE);
}

void
gmcp_tool_list_cache_save_async (GmcpServerConfig *config,
                                 GmcpClientAbilities abilities,
                                 GPtrArray *tools,
                                 const char *instructions,
                                 GmcpRedactor *redactor,
                                 GCancellable *cancellable,
                                 GAsyncReadyCallback callback,
                                 gpointer data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, data);
  Saving *saving = g_new0 (Saving, 1);
  GmcpJsonWriter writer;

  saving->path = path_of (config, abilities);
  saving->text = g_string_new (NULL);
  writer = gmcp_json_writer_init (saving->text);
  gmcp_json_writer_begin_object (&writer);
  gmcp_json_writer_member_int64 (&writer, "format", FORMAT);
  if (instructions != NULL)
    gmcp_json_writer_member_string (&writer, "instructions", instructions);
  gmcp_json_writer_key (&writer, "tools");
  gmcp_json_writer_begin_array (&writer);
  for (guint i = 0; i < tools->len; i++)
    gmcp_json_writer_value (&writer, gmcp_definition_get_value (g_ptr_array_index (tools, i)));
  gmcp_json_writer_end_array (&writer);
  gmcp_json_writer_end_object (&writer);

  g_task_set_source_tag (task, gmcp_tool_list_cache_save_async);
  /* A disk that does not answer holds up its thread only. */
  g_task_set_return_on_cancel (task, TRUE);
  g_task_set_task_data (task, saving, saving_free);
  if (saving->text->len <= GMCP_LIMIT_MANIFEST_BYTES
      && (redactor == NULL
          || !gmcp_redactor_finds_text (redactor, saving->text->str, saving->text->len)))
    g_task_run_in_thread (task, save_in_thread);
  else
    g_task_return_boolean (task, TRUE);
}

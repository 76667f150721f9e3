/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-approval-file-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-json-private.h"

#include <gmcp/core/gmcp-error.h>

char *
gmcp_approval_key_dup_text (const GmcpApprovalKey *key)
{
  g_autoptr (GString) text = g_string_new (NULL);
  GmcpJsonWriter writer = gmcp_json_writer_init (text);

  gmcp_json_writer_begin_array (&writer);
  gmcp_json_writer_string (&writer, key->host != NULL ? key->host : "");
  gmcp_json_writer_string (&writer, key->role != NULL ? key->role : "");
  gmcp_json_writer_string (&writer, key->server);
  gmcp_json_writer_string (&writer, key->identity != NULL ? key->identity : "");
  gmcp_json_writer_string (&writer, key->origin != NULL ? key->origin : "");
  gmcp_json_writer_string (&writer, key->tool);
  gmcp_json_writer_string (&writer, key->digest);
  gmcp_json_writer_end_array (&writer);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* TRUE with NULL where there is nothing yet. */
static gboolean
parse (GBytes *bytes, GmcpJsonDoc **doc, GError **error)
{
  gsize length;
  const char *text;

  *doc = NULL;
  if (bytes == NULL)
    return TRUE;

  text = g_bytes_get_data (bytes, &length);
  *doc = gmcp_json_doc_parse (text, length, bytes, 0, error);
  if (*doc == NULL)
    return FALSE;

  if (!gmcp_json_value_is_array (
        gmcp_json_value_get_member (gmcp_json_doc_get_root (*doc), "allowed")))
    {
      g_clear_pointer (doc, gmcp_json_doc_unref);
      g_set_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG,
                   _ ("there is no array “allowed”; mend the file or remove it"));
      return FALSE;
    }
  return TRUE;
}

static char *
dup_key_text (GmcpJsonValue entry)
{
  g_autofree char *host = gmcp_json_value_dup_string (gmcp_json_value_get_member (entry, "host"));
  g_autofree char *role = gmcp_json_value_dup_string (gmcp_json_value_get_member (entry, "role"));
  g_autofree char *server
    = gmcp_json_value_dup_string (gmcp_json_value_get_member (entry, "server"));
  g_autofree char *identity
    = gmcp_json_value_dup_string (gmcp_json_value_get_member (entry, "identity"));
  g_autofree char *origin
    = gmcp_json_value_dup_string (gmcp_json_value_get_member (entry, "origin"));
  g_autofree char *tool = gmcp_json_value_dup_string (gmcp_json_value_get_member (entry, "tool"));
  g_autofree char *digest
    = gmcp_json_value_dup_string (gmcp_json_value_get_member (entry, "digest"));

  if (server == NULL || tool == NULL || digest == NULL)
    return NULL;

  return gmcp_approval_key_dup_text (
    &(GmcpApprovalKey){ host, role, server, identity, origin, tool, digest });
}

static GHashTable *
list_keys (GmcpJsonDoc *doc)
{
  GHashTable *keys = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  GmcpJsonIter iter;
  GmcpJsonValue entry;

  if (doc == NULL)
    return keys;

  gmcp_json_iter_init (&iter, gmcp_json_value_get_member (gmcp_json_doc_get_root (doc), "allowed"));
  while (gmcp_json_iter_next (&iter, NULL, &entry))
    {
      char *text = dup_key_text (entry);

      if (text != NULL)
        g_hash_table_add (keys, text);
    }
  return keys;
}

GHashTable *
gmcp_approval_file_parse (GBytes *bytes, GError **error)
{
  g_autoptr (GmcpJsonDoc) doc = NULL;

  if (!parse (bytes, &doc, error))
    return NULL;

  return list_keys (doc);
}

static void
write_entry (GmcpJsonWriter *writer, const GmcpApprovalKey *key)
{
  g_autoptr (GDateTime) now = g_date_time_new_now_utc ();
  g_autofree char *since = g_date_time_format_iso8601 (now);

  gmcp_json_writer_begin_object (writer);
  if (key->host != NULL)
    gmcp_json_writer_member_string (writer, "host", key->host);
  if (key->role != NULL)
    gmcp_json_writer_member_string (writer, "role", key->role);
  gmcp_json_writer_member_string (writer, "server", key->server);
  if (key->identity != NULL)
    gmcp_json_writer_member_string (writer, "identity", key->identity);
  if (key->origin != NULL)
    gmcp_json_writer_member_string (writer, "origin", key->origin);
  gmcp_json_writer_member_string (writer, "tool", key->tool);
  gmcp_json_writer_member_string (writer, "digest", key->digest);
  gmcp_json_writer_member_string (writer, "since", since);
  gmcp_json_writer_end_object (writer);
}

GBytes *
gmcp_approval_file_add (GBytes *bytes, const GmcpApprovalKey *key, GError **error)
{
  g_autoptr (GmcpJsonDoc) doc = NULL;
  g_autoptr (GHashTable) keys = NULL;
  g_autofree char *text = gmcp_approval_key_dup_text (key);
  g_autoptr (GString) out = g_string_new (NULL);
  GmcpJsonWriter writer = gmcp_json_writer_init (out);
  GmcpJsonIter iter;
  GmcpJsonValue entry;

  if (!parse (bytes, &doc, error))
    return NULL;

  keys = list_keys (doc);
  if (g_hash_table_contains (keys, text))
    return NULL;

  gmcp_json_writer_begin_object (&writer);
  gmcp_json_writer_member_int64 (&writer, "version", 1);
  gmcp_json_writer_key (&writer, "allowed");
  gmcp_json_writer_begin_array (&writer);
  if (doc != NULL)
    {
      gmcp_json_iter_init (&iter,
                           gmcp_json_value_get_member (gmcp_json_doc_get_root (doc), "allowed"));
      while (gmcp_json_iter_next (&iter, NULL, &entry))
        gmcp_json_writer_value (&writer, entry);
    }
  write_entry (&writer, key);
  gmcp_json_writer_end_array (&writer);
  gmcp_json_writer_end_object (&writer);
  g_string_append_c (out, '\n');
  return g_string_free_to_bytes (g_steal_pointer (&out));
}

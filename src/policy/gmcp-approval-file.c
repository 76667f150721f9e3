/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-approval-file-private.h"
#include "gmcp-record-file-private.h"

static const GmcpRecordField fields[] = {
  { "host", GMCP_RECORD_STRING, G_STRUCT_OFFSET (GmcpApprovalKey, host), FALSE },
  { "role", GMCP_RECORD_STRING, G_STRUCT_OFFSET (GmcpApprovalKey, role), FALSE },
  { "server", GMCP_RECORD_STRING, G_STRUCT_OFFSET (GmcpApprovalKey, server), TRUE },
  { "identity", GMCP_RECORD_STRING, G_STRUCT_OFFSET (GmcpApprovalKey, identity), FALSE },
  { "origin", GMCP_RECORD_STRING, G_STRUCT_OFFSET (GmcpApprovalKey, origin), FALSE },
  { "tool", GMCP_RECORD_STRING, G_STRUCT_OFFSET (GmcpApprovalKey, tool), TRUE },
  { "digest", GMCP_RECORD_STRING, G_STRUCT_OFFSET (GmcpApprovalKey, digest), TRUE },
  { NULL },
};

char *
gmcp_approval_key_dup_text (const GmcpApprovalKey *key)
{
  g_autoptr (GString) text = g_string_new (NULL);
  GmcpJsonWriter writer = gmcp_json_writer_init (text);

  gmcp_json_writer_begin_array (&writer);
  for (const GmcpRecordField *field = fields; field->name != NULL; field++)
    {
      const char *value = G_STRUCT_MEMBER (const char *, key, field->offset);

      gmcp_json_writer_string (&writer, value != NULL ? value : "");
    }
  gmcp_json_writer_end_array (&writer);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static gboolean
parse_allowed (GBytes *bytes, GmcpJsonDoc **doc, GmcpJsonValue *allowed, GError **error)
{
  return gmcp_record_file_parse (bytes, "allowed", GMCP_JSON_ARRAY, doc, allowed, error);
}

static GHashTable *
list_keys (GmcpJsonValue allowed)
{
  GHashTable *keys = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  GmcpJsonIter iter;
  GmcpJsonValue entry;

  gmcp_json_iter_init (&iter, allowed);
  while (gmcp_json_iter_next (&iter, NULL, &entry))
    {
      GmcpApprovalKey key = { NULL };

      /* A host that cannot be read is not no host. */
      if (gmcp_record_read_exactly (fields, entry, &key, NULL))
        g_hash_table_add (keys, gmcp_approval_key_dup_text (&key));
      gmcp_record_clear (fields, &key);
    }
  return keys;
}

GHashTable *
gmcp_approval_file_parse (GBytes *bytes, GError **error)
{
  g_autoptr (GmcpJsonDoc) doc = NULL;
  GmcpJsonValue allowed;

  return parse_allowed (bytes, &doc, &allowed, error) ? list_keys (allowed) : NULL;
}

static void
write_entry (GmcpJsonWriter *writer, const GmcpApprovalKey *key)
{
  g_autoptr (GDateTime) now = g_date_time_new_now_utc ();
  g_autofree char *since = g_date_time_format_iso8601 (now);

  gmcp_json_writer_begin_object (writer);
  gmcp_record_write_members (fields, key, writer);
  gmcp_json_writer_member_string (writer, "since", since);
  gmcp_json_writer_end_object (writer);
}

GBytes *
gmcp_approval_file_add (GBytes *bytes, const GmcpApprovalKey *key, GError **error)
{
  g_autoptr (GmcpJsonDoc) doc = NULL;
  g_autoptr (GHashTable) keys = NULL;
  g_autofree char *text = gmcp_approval_key_dup_text (key);
  GmcpJsonWriter writer;
  GmcpJsonIter iter;
  GmcpJsonValue allowed, entry;

  if (!parse_allowed (bytes, &doc, &allowed, error))
    return NULL;

  keys = list_keys (allowed);
  if (g_hash_table_contains (keys, text))
    return NULL;

  writer = gmcp_record_file_begin (g_string_new (NULL), 1, "allowed");
  gmcp_json_writer_begin_array (&writer);
  gmcp_json_iter_init (&iter, allowed);
  while (gmcp_json_iter_next (&iter, NULL, &entry))
    gmcp_json_writer_value (&writer, entry);
  write_entry (&writer, key);
  gmcp_json_writer_end_array (&writer);
  return gmcp_record_file_end (&writer);
}

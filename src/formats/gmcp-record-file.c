/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-i18n-private.h"
#include "gmcp-record-file-private.h"

#include <gmcp/core/gmcp-error.h>

#define STRING_OF(field, record) G_STRUCT_MEMBER (char *, record, (field)->offset)
#define INT64_OF(field, record)  G_STRUCT_MEMBER (gint64, record, (field)->offset)
#define FLAG_OF(field, record)   G_STRUCT_MEMBER (gboolean, record, (field)->offset)

static gboolean
read_field (const GmcpRecordField *field, GmcpJsonValue value, gpointer record)
{
  switch (field->kind)
    {
    case GMCP_RECORD_INT64:
      return gmcp_json_value_get_int64 (value, &INT64_OF (field, record));
    case GMCP_RECORD_FLAG:
      return gmcp_json_value_get_boolean (value, &FLAG_OF (field, record));
    case GMCP_RECORD_STRING:
    default:
      STRING_OF (field, record) = gmcp_json_value_dup_string (value);
      return STRING_OF (field, record) != NULL;
    }
}

gboolean
gmcp_record_read (const GmcpRecordField *fields, GmcpJsonValue object, gpointer record)
{
  for (const GmcpRecordField *field = fields; field->name != NULL; field++)
    {
      if (read_field (field, gmcp_json_value_get_member (object, field->name), record)
          || !field->required)
        continue;
      gmcp_record_clear (fields, record);
      return FALSE;
    }
  return TRUE;
}

gboolean
gmcp_record_read_exactly (const GmcpRecordField *fields,
                          GmcpJsonValue object,
                          gpointer record,
                          GError **error)
{
  for (const GmcpRecordField *field = fields; field->name != NULL; field++)
    {
      GmcpJsonValue value = gmcp_json_value_get_member (object, field->name);

      if (read_field (field, value, record)
          || (!field->required && !gmcp_json_value_is_present (value)))
        continue;
      gmcp_record_clear (fields, record);
      g_set_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG,
                   _ ("a record has no “%s” that can be read; mend the file or remove it"),
                   field->name);
      return FALSE;
    }
  return TRUE;
}

void
gmcp_record_clear (const GmcpRecordField *fields, gpointer record)
{
  for (const GmcpRecordField *field = fields; field->name != NULL; field++)
    {
      if (field->kind == GMCP_RECORD_STRING)
        g_clear_pointer (&STRING_OF (field, record), g_free);
      else if (field->kind == GMCP_RECORD_INT64)
        INT64_OF (field, record) = 0;
      else
        FLAG_OF (field, record) = FALSE;
    }
}

void
gmcp_record_write_members (const GmcpRecordField *fields,
                           gconstpointer record,
                           GmcpJsonWriter *writer)
{
  for (const GmcpRecordField *field = fields; field->name != NULL; field++)
    {
      if (field->kind == GMCP_RECORD_INT64)
        gmcp_json_writer_member_int64 (writer, field->name, INT64_OF (field, record));
      else if (field->kind == GMCP_RECORD_FLAG && FLAG_OF (field, record))
        gmcp_json_writer_member_boolean (writer, field->name, TRUE);
      else if (field->kind == GMCP_RECORD_STRING && STRING_OF (field, record) != NULL)
        gmcp_json_writer_member_string (writer, field->name, STRING_OF (field, record));
    }
}

GHashTable *
gmcp_record_map_read (GmcpJsonValue object)
{
  GHashTable *map = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  GmcpJsonIter iter;
  GmcpJsonValue key, value;

  if (!gmcp_json_value_is_object (object))
    return map;

  gmcp_json_iter_init (&iter, object);
  while (gmcp_json_iter_next (&iter, &key, &value))
    {
      char *text = gmcp_json_value_dup_string (value);

      if (text != NULL)
        g_hash_table_insert (map, gmcp_json_value_dup_string (key), text);
    }
  return map;
}

void
gmcp_record_map_write (GHashTable *map, GmcpJsonWriter *writer)
{
  g_autoptr (GPtrArray) keys = gmcp_record_list_keys (map);

  gmcp_json_writer_begin_object (writer);
  for (guint i = 0; i < keys->len; i++)
    {
      const char *key = g_ptr_array_index (keys, i);

      gmcp_json_writer_member_string (writer, key, g_hash_table_lookup (map, key));
    }
  gmcp_json_writer_end_object (writer);
}

static int
compare_strings (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

GPtrArray *
gmcp_record_list_keys (GHashTable *table)
{
  GPtrArray *keys = g_ptr_array_sized_new (g_hash_table_size (table));
  GHashTableIter iter;
  gpointer key;

  g_hash_table_iter_init (&iter, table);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    g_ptr_array_add (keys, key);
  g_ptr_array_sort (keys, compare_strings);
  return keys;
}

static void
set_missing (const char *name, GmcpJsonKind kind, GError **error)
{
  if (name == NULL)
    g_set_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG, "%s",
                 _ ("it is no object; mend the file or remove it"));
  else
    g_set_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG,
                 kind == GMCP_JSON_ARRAY
                   ? _ ("there is no array “%s”; mend the file or remove it")
                   : _ ("there is no object “%s”; mend the file or remove it"),
                 name);
}

gboolean
gmcp_record_file_parse (GBytes *bytes,
                        const char *name,
                        GmcpJsonKind kind,
                        GmcpJsonDoc **doc,
                        GmcpJsonValue *records,
                        GError **error)
{
  gsize length;
  const char *text;

  *doc = NULL;
  *records = GMCP_JSON_NONE;
  if (bytes == NULL)
    return TRUE;

  text = g_bytes_get_data (bytes, &length);
  *doc = gmcp_json_doc_parse (text, length, bytes, 0, error);
  if (*doc == NULL)
    return FALSE;

  *records = gmcp_json_doc_get_root (*doc);
  if (name != NULL)
    *records = gmcp_json_value_get_member (*records, name);
  if (gmcp_json_value_get_kind (*records) == kind)
    return TRUE;

  *records = GMCP_JSON_NONE;
  g_clear_pointer (doc, gmcp_json_doc_unref);
  set_missing (name, kind, error);
  return FALSE;
}

GmcpJsonWriter
gmcp_record_file_begin (GString *text, gint64 version, const char *name)
{
  GmcpJsonWriter writer = gmcp_json_writer_init (text);

  gmcp_json_writer_begin_object (&writer);
  if (version > 0)
    gmcp_json_writer_member_int64 (&writer, "version", version);
  gmcp_json_writer_key (&writer, name);
  return writer;
}

GBytes *
gmcp_record_file_end (GmcpJsonWriter *writer)
{
  gmcp_json_writer_end_object (writer);
  g_string_append_c (writer->out, '\n');
  return g_string_free_to_bytes (g_steal_pointer (&writer->out));
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib.h>
#include <string.h>

#include "gmcp-record-file-private.h"

#include <gmcp/core/gmcp-error.h>

#include "unit-test.h"

typedef struct
{
  char *name;
  gint64 at;
  gboolean told;
  char *text;
} Record;

static const GmcpRecordField fields[] = {
  { "name", GMCP_RECORD_STRING, G_STRUCT_OFFSET (Record, name), TRUE },
  { "at", GMCP_RECORD_INT64, G_STRUCT_OFFSET (Record, at), FALSE },
  { "told", GMCP_RECORD_FLAG, G_STRUCT_OFFSET (Record, told), FALSE },
  { "text", GMCP_RECORD_STRING, G_STRUCT_OFFSET (Record, text), FALSE },
  { NULL },
};

/* What is written of a record that was read; NULL where it could not be. */
static char *
copy_record (const char *json)
{
  g_autoptr (GmcpJsonDoc) doc = gmcp_json_doc_parse (json, strlen (json), NULL, 0, NULL);
  GString *out = g_string_new (NULL);
  GmcpJsonWriter writer = gmcp_json_writer_init (out);
  Record record = { NULL };

  g_assert_nonnull (doc);
  if (!gmcp_record_read (fields, gmcp_json_doc_get_root (doc), &record))
    {
      g_assert_null (record.name);
      g_assert_null (record.text);
      g_assert_cmpint (record.at, ==, 0);
      g_assert_false (record.told);
      g_string_free (out, TRUE);
      return NULL;
    }

  gmcp_json_writer_begin_object (&writer);
  gmcp_record_write_members (fields, &record, &writer);
  gmcp_json_writer_end_object (&writer);
  gmcp_record_clear (fields, &record);
  g_assert_null (record.name);
  return g_string_free (out, FALSE);
}

static void
test_records (void)
{
  static const struct
  {
    const char *json;
    const char *copy;
  } cases[] = {
    { "{\"name\":\"a\"}", "{\"name\":\"a\",\"at\":0}" },
    { "{\"text\":\"t\",\"told\":true,\"at\":-7,\"name\":\"a\"}",
      "{\"name\":\"a\",\"at\":-7,\"told\":true,\"text\":\"t\"}" },
    { "{\"name\":\"a\",\"name\":\"b\",\"other\":[1]}", "{\"name\":\"b\",\"at\":0}" },
    { "{\"name\":\"a\",\"at\":\"7\",\"told\":1,\"text\":{}}", "{\"name\":\"a\",\"at\":0}" },
    { "{\"name\":\"a\",\"at\":99999999999999999999,\"told\":null,\"text\":null}",
      "{\"name\":\"a\",\"at\":0}" },
    { "{\"name\":\"\",\"text\":\"\\u0000\"}",
      "{\"name\":\"\",\"at\":0,\"text\":\"\357\277\275\"}" },
    { "{\"text\":\"t\",\"at\":1,\"told\":true}", NULL },
    { "{\"name\":7,\"text\":\"t\"}", NULL },
    { "[]", NULL },
    { "\"name\"", NULL },
  };

  g_test_summary ("what is of another kind is as good as not there");
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *copy = copy_record (cases[i].json);

      g_test_message ("%s", cases[i].json);
      g_assert_cmpstr (copy, ==, cases[i].copy);
    }
}

static void
test_exactly (void)
{
  static const struct
  {
    const char *json;
    gboolean is_record;
  } cases[] = {
    { "{\"name\":\"a\"}", TRUE },
    { "{\"name\":\"a\",\"at\":7,\"told\":false,\"text\":\"t\",\"other\":1}", TRUE },
    { "{\"name\":\"a\",\"text\":5}", FALSE },
    { "{\"name\":\"a\",\"text\":null}", FALSE },
    { "{\"name\":\"a\",\"told\":1}", FALSE },
    { "{\"text\":\"t\"}", FALSE },
    { "7", FALSE },
  };

  g_test_summary ("where it decides what is permitted, what is of another kind is no record");
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GmcpJsonDoc) doc
        = gmcp_json_doc_parse (cases[i].json, strlen (cases[i].json), NULL, 0, NULL);
      g_autoptr (GError) error = NULL;
      Record record = { NULL };

      g_test_message ("%s", cases[i].json);
      g_assert_cmpint (
        gmcp_record_read_exactly (fields, gmcp_json_doc_get_root (doc), &record, &error), ==,
        cases[i].is_record);
      if (!cases[i].is_record)
        g_assert_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG);
      g_assert_true ((record.name != NULL) == cases[i].is_record);
      gmcp_record_clear (fields, &record);
    }
}

static gboolean
parse (const char *text, const char *name, GmcpJsonKind kind, char **records, GError **error)
{
  g_autoptr (GBytes) bytes = text != NULL ? g_bytes_new (text, strlen (text)) : NULL;
  g_autoptr (GmcpJsonDoc) doc = NULL;
  GmcpJsonValue found;
  gboolean parsed = gmcp_record_file_parse (bytes, name, kind, &doc, &found, error);

  *records = gmcp_json_value_is_present (found) ? gmcp_json_value_dup_raw (found) : NULL;
  g_assert_true ((doc != NULL) == (*records != NULL));
  return parsed;
}

static void
test_files (void)
{
  static const struct
  {
    const char *text;
    const char *name;
    GmcpJsonKind kind;
    const char *records; /* or a part of the message */
    gboolean fine;
  } cases[] = {
    { NULL, "all", GMCP_JSON_ARRAY, NULL, TRUE },
    { "{\"version\":1,\"all\":[1]}", "all", GMCP_JSON_ARRAY, "[1]", TRUE },
    { "{\"all\":{},\"all\":[2]}", "all", GMCP_JSON_ARRAY, "[2]", TRUE },
    { "{\"all\":{\"a\":1}}", "all", GMCP_JSON_OBJECT, "{\"a\":1}", TRUE },
    { "{\"all\":1}", NULL, GMCP_JSON_OBJECT, "{\"all\":1}", TRUE },
    { "{\"all\":{}}", "all", GMCP_JSON_ARRAY, "no array “all”; mend the file or remove it", FALSE },
    { "{\"al\":[]}", "all", GMCP_JSON_ARRAY, "no array “all”", FALSE },
    { "{\"all\":[]}", "all", GMCP_JSON_OBJECT, "no object “all”; mend the file or remove it",
      FALSE },
    { "[[]]", "all", GMCP_JSON_ARRAY, "no array “all”", FALSE },
    { "[]", NULL, GMCP_JSON_OBJECT, "it is no object; mend the file or remove it", FALSE },
    { "", "all", GMCP_JSON_ARRAY, "", FALSE },
    { "{\"all\":[", "all", GMCP_JSON_ARRAY, "", FALSE },
  };

  g_test_summary ("a file of another form is an error that says what helps");
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *records = NULL;
      g_autoptr (GError) error = NULL;

      g_test_message ("%s", cases[i].text != NULL ? cases[i].text : "(none)");
      g_assert_true (parse (cases[i].text, cases[i].name, cases[i].kind, &records, &error)
                     == cases[i].fine);
      if (cases[i].fine)
        {
          g_assert_no_error (error);
          g_assert_cmpstr (records, ==, cases[i].records);
          continue;
        }
      g_assert_null (records);
      g_assert_nonnull (strstr (error->message, cases[i].records));
      if (*cases[i].records != '\0')
        g_assert_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG);
    }
}

static void
test_deep (void)
{
  g_autofree char *deep = g_strnfill (100000, '[');
  g_autofree char *records = NULL;
  g_autoptr (GError) error = NULL;

  g_test_summary ("what is too deep is an error, and no crash");
  g_assert_false (parse (deep, "all", GMCP_JSON_ARRAY, &records, &error));
  g_assert_nonnull (error);
}

static void
test_maps (void)
{
  static const char json[]
    = "{\"b\":\"2\",\"a\":\"1\",\"n\":3,\"o\":{},\"b\":\"22\",\"\":\"none\",\"x\":null}";
  g_autoptr (GmcpJsonDoc) doc = gmcp_json_doc_parse (json, strlen (json), NULL, 0, NULL);
  g_autoptr (GHashTable) map = gmcp_record_map_read (gmcp_json_doc_get_root (doc));
  g_autoptr (GHashTable) none = gmcp_record_map_read (GMCP_JSON_NONE);
  g_autoptr (GBytes) bytes = NULL;
  GmcpJsonWriter writer = gmcp_record_file_begin (g_string_new (NULL), 3, "map");
  gsize length;
  const char *text;

  g_assert_cmpuint (g_hash_table_size (none), ==, 0);
  gmcp_record_map_write (map, &writer);
  bytes = gmcp_record_file_end (&writer);
  text = g_bytes_get_data (bytes, &length);
  g_assert_cmpmem (text, length,
                   "{\"version\":3,\"map\":{\"\":\"none\",\"a\":\"1\",\"b\":\"22\"}}\n", 49);
}

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/formats/records/fields", test_records);
  g_test_add_func ("/formats/records/exactly", test_exactly);
  g_test_add_func ("/formats/records/files", test_files);
  g_test_add_func ("/formats/records/deep", test_deep);
  g_test_add_func ("/formats/records/maps", test_maps);
  return g_test_run ();
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <float.h>
#include <locale.h>
#include <math.h>
#include <string.h>

#include "gmcp-json-private.h"
#include "unit-test.h"

static void
test_commas (void)
{
  g_autoptr (GString) text = g_string_new (NULL);
  GmcpJsonWriter writer = gmcp_json_writer_init (text);

  gmcp_json_writer_begin_object (&writer);
  gmcp_json_writer_member_string (&writer, "a", "x");
  gmcp_json_writer_key (&writer, "b");
  gmcp_json_writer_begin_array (&writer);
  gmcp_json_writer_begin_array (&writer);
  gmcp_json_writer_end_array (&writer);
  gmcp_json_writer_begin_object (&writer);
  gmcp_json_writer_end_object (&writer);
  gmcp_json_writer_int64 (&writer, -1);
  gmcp_json_writer_null (&writer);
  gmcp_json_writer_raw (&writer, "[0]garbage", 3);
  gmcp_json_writer_raw (&writer, "true", -1);
  gmcp_json_writer_end_array (&writer);
  gmcp_json_writer_member_int64 (&writer, "c", 7);
  gmcp_json_writer_member_boolean (&writer, "d", FALSE);
  gmcp_json_writer_member_value (&writer, "e", GMCP_JSON_NONE);
  gmcp_json_writer_key (&writer, "f");
  gmcp_json_writer_base64 (&writer, (const guint8 *) "x", 1);
  gmcp_json_writer_key (&writer, "g");
  gmcp_json_writer_string_len (&writer, NULL, 0);
  gmcp_json_writer_end_object (&writer);

  g_assert_cmpstr (text->str, ==,
                   "{\"a\":\"x\",\"b\":[[],{},-1,null,[0],true],\"c\":7,\"d\":false,\"e\":null,"
                   "\"f\":\"eA==\",\"g\":\"\"}");
}

static void
test_missing_texts (void)
{
  g_autoptr (GString) text = g_string_new (NULL);
  GmcpJsonWriter writer = gmcp_json_writer_init (text);

  g_test_summary ("a text that a caller forgot is told of and leaves no half of a member");
  for (guint i = 0; i < 6; i++)
    g_test_expect_message (G_LOG_DOMAIN, G_LOG_LEVEL_CRITICAL, "*assertion*!= NULL*");
  gmcp_json_writer_begin_object (&writer);
  gmcp_json_writer_member_string (&writer, "a", NULL);
  gmcp_json_writer_key (&writer, "b");
  gmcp_json_writer_string (&writer, NULL);
  gmcp_json_writer_key (&writer, "c");
  gmcp_json_writer_string_len (&writer, NULL, 3);
  gmcp_json_writer_key (&writer, "d");
  gmcp_json_writer_raw (&writer, NULL, -1);
  gmcp_json_writer_key (&writer, NULL);
  gmcp_json_writer_int64 (&writer, 1);
  gmcp_json_writer_key (&writer, "f");
  gmcp_json_writer_begin_array (&writer);
  gmcp_json_writer_int64 (&writer, 1);
  gmcp_json_writer_string (&writer, NULL);
  gmcp_json_writer_end_array (&writer);
  gmcp_json_writer_end_object (&writer);
  g_test_assert_expected_messages ();

  g_assert_cmpstr (text->str, ==,
                   "{\"a\":null,\"b\":null,\"c\":null,\"d\":null,\"\":1,\"f\":[1,null]}");
}

static void
test_strings (void)
{
  static const struct
  {
    const char *string;
    const char *json;
  } cases[] = {
    { "", "\"\"" },
    { "plain", "\"plain\"" },
    { "\"\\/\b\f\n\r\t", "\"\\\"\\\\/\\b\\f\\n\\r\\t\"" },
    { "\x01\x1f\x7f", "\"\\u0001\\u001f\177\"" },
    { "é€😀", "\"é€😀\"" },
    { "a\xff"
      "b",
      "\"a\xef\xbf\xbd"
      "b\"" },
    { "\xe2\x82", "\"\xef\xbf\xbd\"" },
    { "\xe2\x82\"", "\"\xef\xbf\xbd\\\"\"" },
    { "\xf0\x9f\x98x", "\"\xef\xbf\xbdx\"" },
    { "\xed\xa0\x80", "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"" },
    { "\xc0\xaf", "\"\xef\xbf\xbd\xef\xbf\xbd\"" },
    { "a long run of text, a \n in it, and more behind it\xf5",
      "\"a long run of text, a \\n in it, and more behind it\xef\xbf\xbd\"" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GString) text = g_string_new (NULL);
      g_autofree char *exact = g_memdup2 (cases[i].string, strlen (cases[i].string));
      GmcpJsonWriter writer = gmcp_json_writer_init (text);

      gmcp_json_writer_string_len (&writer, exact, (gssize) strlen (cases[i].string));
      g_assert_cmpstr (text->str, ==, cases[i].json);
    }
}

static void
test_embedded_nul (void)
{
  g_autoptr (GString) text = g_string_new (NULL);
  GmcpJsonWriter writer = gmcp_json_writer_init (text);

  gmcp_json_writer_string_len (&writer, "a\0b", 3);
  g_assert_cmpstr (text->str, ==, "\"a\\u0000b\"");
}

static void
test_integers (void)
{
  g_autoptr (GString) text = g_string_new (NULL);
  GmcpJsonWriter writer = gmcp_json_writer_init (text);

  gmcp_json_writer_begin_array (&writer);
  gmcp_json_writer_int64 (&writer, 0);
  gmcp_json_writer_int64 (&writer, G_MAXINT64);
  gmcp_json_writer_int64 (&writer, G_MININT64);
  gmcp_json_writer_uint64 (&writer, G_MAXUINT64);
  gmcp_json_writer_end_array (&writer);
  g_assert_cmpstr (text->str, ==,
                   "[0,9223372036854775807,-9223372036854775808,18446744073709551615]");
}

static void
assert_double (double number, const char *expected)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GmcpJsonDoc) doc = NULL;
  GmcpJsonWriter writer = gmcp_json_writer_init (text);
  double read = 0;

  gmcp_json_writer_double (&writer, number);
  if (expected != NULL)
    g_assert_cmpstr (text->str, ==, expected);
  doc = gmcp_json_doc_parse (text->str, text->len, NULL, 0, NULL);
  if (isfinite (number))
    {
      g_assert_true (gmcp_json_value_get_double (gmcp_json_doc_get_root (doc), &read));
      g_assert_cmpmem (&read, sizeof read, &number, sizeof number);
    }
}

static void
test_doubles (void)
{
  assert_double (0, "0");
  assert_double (-0.0, "-0");
  assert_double (5, "5");
  assert_double (0.1, "0.1");
  assert_double (-1.5, "-1.5");
  assert_double (1e22, "1e+22");
  assert_double (1.0 / 3, "0.3333333333333333");
  assert_double (0.1 + 0.2, "0.30000000000000004");
  assert_double (9007199254740993.0, "9007199254740992");
  assert_double (DBL_MAX, "1.7976931348623157e+308");
  assert_double (DBL_TRUE_MIN, NULL);
  assert_double (NAN, "null");
  assert_double (-INFINITY, "null");
}

static void
test_random_doubles (void)
{
  for (guint i = 0; i < 20000; i++)
    {
      guint64 bits = (guint64) g_test_rand_int () << 32 | (guint32) g_test_rand_int ();
      double number;

      memcpy (&number, &bits, sizeof number);
      if (isfinite (number))
        assert_double (number, NULL);
    }
}

static void
test_locale (void)
{
  static const char *const locales[] = { "de_DE.UTF-8", "fr_FR.UTF-8", "ru_RU.UTF-8" };
  const char *set = NULL;

  g_test_summary ("numbers have a point also where the locale writes a comma");
  for (guint i = 0; i < G_N_ELEMENTS (locales) && set == NULL; i++)
    set = setlocale (LC_NUMERIC, locales[i]);
  if (set == NULL)
    {
      g_test_skip ("no locale with a decimal comma is installed (de_DE, fr_FR or ru_RU.UTF-8)");
      return;
    }
  assert_double (1.5, "1.5");
  assert_double (0.1 + 0.2, "0.30000000000000004");
  setlocale (LC_NUMERIC, "C");
}

static void
test_values (void)
{
  const char *json = "{ \"a\\n\" :\r\n [ 1.50 ,\n\n\t\"x\\r\\ny\" ] }\n";
  g_autoptr (GmcpJsonDoc) doc = gmcp_json_doc_parse (json, strlen (json), NULL, 0, NULL);
  g_autoptr (GString) text = g_string_new (NULL);
  GmcpJsonWriter writer = gmcp_json_writer_init (text);
  GmcpJsonValue root = gmcp_json_doc_get_root (doc);

  g_test_summary ("a parsed value is written as it came, on one line");
  gmcp_json_writer_begin_array (&writer);
  gmcp_json_writer_value (&writer, root);
  gmcp_json_writer_value (&writer, gmcp_json_value_get_pointer (root, "/a\n/0"));
  gmcp_json_writer_end_array (&writer);
  g_assert_cmpstr (text->str, ==, "[{ \"a\\n\" : [ 1.50 ,\t\"x\\r\\ny\" ] },1.50]");
}

static GmcpJsonDoc *
parse_owned (const char *json)
{
  gsize length = strlen (json);
  g_autoptr (GBytes) owner = g_bytes_new (json, length);

  return gmcp_json_doc_parse (g_bytes_get_data (owner, NULL), length, owner, 0, NULL);
}

static void
write_twice (GmcpJsonWriter *writer, GmcpJsonDoc *doc)
{
  gmcp_json_writer_begin_array (writer);
  gmcp_json_writer_value (writer, gmcp_json_doc_get_root (doc));
  gmcp_json_writer_int64 (writer, 1);
  gmcp_json_writer_value (writer, gmcp_json_doc_get_root (doc));
  gmcp_json_writer_end_array (writer);
}

static void
test_parts (void)
{
  g_autofree char *large = g_strnfill (GMCP_JSON_PART_BYTES, 'x');
  g_autofree char *json = g_strconcat ("\"", large, "\"", NULL);
  g_autofree char *broken = g_strconcat ("[\"", large, "\",\n0]", NULL);
  g_autofree char *minor = g_strconcat ("[\"", large, "\",\"", large, "\",\"", large, "\"]", NULL);
  g_autoptr (GmcpJsonDoc) owned = parse_owned (json);
  g_autoptr (GmcpJsonDoc) copied = gmcp_json_doc_parse (json, strlen (json), NULL, 0, NULL);
  g_autoptr (GmcpJsonDoc) with_line_end = parse_owned (broken);
  g_autoptr (GmcpJsonDoc) in_larger = parse_owned (minor);
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GArray) parts = gmcp_json_parts_new ();
  GmcpJsonWriter writer = gmcp_json_writer_init (text);
  const GmcpJsonPart *part;
  gsize length;

  g_test_summary (
    "large values are left where they came in, where that is all there is of a buffer");
  writer.parts = parts;
  write_twice (&writer, owned);
  g_assert_cmpstr (text->str, ==, "[,1,]");
  g_assert_cmpuint (parts->len, ==, 2);
  part = &g_array_index (parts, GmcpJsonPart, 0);
  g_assert_cmpuint (part->position, ==, 1);
  g_assert_true (g_bytes_get_data (part->bytes, &length)
                 == gmcp_json_value_peek_raw (gmcp_json_doc_get_root (owned), &length));
  g_assert_cmpuint (length, ==, strlen (json));
  g_assert_cmpuint (g_array_index (parts, GmcpJsonPart, 1).position, ==, strlen ("[,1,"));

  /* One buffer has its document to itself, one has a line end, one is much larger. */
  writer.comma = FALSE;
  gmcp_json_writer_value (&writer, gmcp_json_doc_get_root (copied));
  gmcp_json_writer_value (&writer, gmcp_json_doc_get_root (with_line_end));
  gmcp_json_writer_value (&writer,
                          gmcp_json_value_get_element (gmcp_json_doc_get_root (in_larger), 1));
  g_assert_cmpuint (parts->len, ==, 2);
  g_assert_cmpuint (text->len, ==, strlen ("[,1,]") + strlen (json) * 3 + strlen (",[,0],"));
}

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/json/writer/commas", test_commas);
  g_test_add_func ("/json/writer/missing-texts", test_missing_texts);
  g_test_add_func ("/json/writer/strings", test_strings);
  g_test_add_func ("/json/writer/embedded-nul", test_embedded_nul);
  g_test_add_func ("/json/writer/integers", test_integers);
  g_test_add_func ("/json/writer/doubles", test_doubles);
  g_test_add_func ("/json/writer/random-doubles", test_random_doubles);
  g_test_add_func ("/json/writer/locale", test_locale);
  g_test_add_func ("/json/writer/values", test_values);
  g_test_add_func ("/json/writer/parts", test_parts);
  return g_test_run ();
}

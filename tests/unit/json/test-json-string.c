/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-json-private.h"
#include "unit-test.h"

static GmcpJsonDoc *
parse (const char *text)
{
  g_autoptr (GError) error = NULL;
  GmcpJsonDoc *doc = gmcp_json_doc_parse (text, strlen (text), NULL, 0, &error);

  g_assert_no_error (error);
  return doc;
}

static const struct
{
  const char *json;
  const char *decoded;
} strings[] = {
  { "\"\"", "" },
  { "\"plain\"", "plain" },
  { "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "\"\\/\b\f\n\r\t" },
  { "\"\\u0041\\u00e9\\u20AC\\uffff\"", "Aé€\xef\xbf\xbf" },
  { "\"\\uD83D\\uDE00\"", "😀" },
  { "\"x\\udbff\\udfffy\"", "x\xf4\x8f\xbf\xbfy" },
  { "\"a\\u0000b\"", "a\xef\xbf\xbd"
                     "b" },
  { "\"\\ud800\"", "\xef\xbf\xbd" },
  { "\"\\udc00\\ud800\"", "\xef\xbf\xbd\xef\xbf\xbd" },
  { "\"\\ud800\\ud83d\\ude00\"", "\xef\xbf\xbd😀" },
  { "\"\\ud83d\\u0041\"", "\xef\xbf\xbd"
                          "A" },
  { "\"\\ud83dx\\ude00\"", "\xef\xbf\xbdx\xef\xbf\xbd" },
  { "\"\\ud83d\\n\"", "\xef\xbf\xbd\n" },
  { "\"日本語 \\\\ ½\"", "日本語 \\ ½" },
};

static void
test_decode (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (strings); i++)
    {
      g_autoptr (GmcpJsonDoc) doc = parse (strings[i].json);
      GmcpJsonValue root = gmcp_json_doc_get_root (doc);
      g_autofree char *string = gmcp_json_value_dup_string (root);
      g_autoptr (GBytes) bytes = gmcp_json_value_dup_string_bytes (root);
      g_autofree char *longer = g_strconcat (strings[i].decoded, "x", NULL);
      gsize length;
      const char *data = g_bytes_get_data (bytes, &length);

      g_assert_cmpstr (string, ==, strings[i].decoded);
      g_assert_cmpstr (data, ==, strings[i].decoded);
      g_assert_cmpuint (length, ==, strlen (strings[i].decoded));
      g_assert_true (gmcp_json_value_equals_string (root, strings[i].decoded));
      g_assert_false (gmcp_json_value_equals_string (root, longer));
      if (*string != '\0')
        {
          string[length - 1] ^= 1;
          g_assert_false (gmcp_json_value_equals_string (root, string));
          string[length - 1] = '\0';
          g_assert_false (gmcp_json_value_equals_string (root, string));
        }
    }
}

static void
test_plain (void)
{
  g_autoptr (GmcpJsonDoc) doc = parse ("[\"abc\",\"a\\tc\",\"\",1]");
  GmcpJsonValue root = gmcp_json_doc_get_root (doc);
  gsize length;
  const char *text = gmcp_json_value_peek_plain (gmcp_json_value_get_element (root, 0), &length);

  g_assert_cmpmem (text, length, "abc", 3);
  g_assert_null (gmcp_json_value_peek_plain (gmcp_json_value_get_element (root, 1), &length));
  g_assert_nonnull (gmcp_json_value_peek_plain (gmcp_json_value_get_element (root, 2), &length));
  g_assert_cmpuint (length, ==, 0);
  g_assert_null (gmcp_json_value_peek_plain (gmcp_json_value_get_element (root, 3), &length));
  g_assert_null (gmcp_json_value_dup_string (gmcp_json_value_get_element (root, 3)));
  g_assert_false (gmcp_json_value_equals_string (gmcp_json_value_get_element (root, 3), "1"));
}

static void
test_base64_accepted (void)
{
  /* The vectors of RFC 4648, section 10, and ways in which real text departs from them. */
  static const struct
  {
    const char *json;
    const char *bytes;
  } cases[] = {
    { "\"\"", "" },
    { "\"Zg==\"", "f" },
    { "\"Zm8=\"", "fo" },
    { "\"Zm9v\"", "foo" },
    { "\"Zm9vYg==\"", "foob" },
    { "\"Zm9vYmE=\"", "fooba" },
    { "\"Zm9vYmFy\"", "foobar" },
    { "\"Zg\"", "f" },
    { "\"Zm9vYmE\"", "fooba" },
    { "\"+/+/\"", "\xfb\xff\xbf" },
    { "\"-_-_\"", "\xfb\xff\xbf" },
    { "\"+\\/\\u002b/\"", "\xfb\xff\xbf" },
    { "\"Zm9v\\nYmFy\\r\\n\"", "foobar" },
    { "\" Z m 9 v Y g = = \"", "foob" },
    { "\"Zm9 vYmFy\"", "foobar" },
    { "\"   \"", "" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GmcpJsonDoc) doc = parse (cases[i].json);
      g_autoptr (GError) error = NULL;
      g_autoptr (GBytes) bytes
        = gmcp_json_value_decode_base64 (gmcp_json_doc_get_root (doc), &error);

      g_test_message ("%s", cases[i].json);
      g_assert_no_error (error);
      g_assert_cmpmem (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes), cases[i].bytes,
                       strlen (cases[i].bytes));
    }
}

static void
test_base64_rejected (void)
{
  static const char *const cases[]
    = { "\"Z\"",        "\"Zm9vY\"",    "\"=\"",       "\"====\"",       "\"Zg=\"",
        "\"Zg===\"",    "\"Zm8==\"",    "\"Zm9v=\"",   "\"Zg==Zg==\"",   "\"Zg= Zg=\"",
        "\"Zm9v!mFy\"", "\"Zm9vYm.y\"", "\"Zm9vYmé\"", "\"Zm9\\u0000\"", "\"Zm\\b9v\"",
        "12",           "null",         "[]" };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GmcpJsonDoc) doc = parse (cases[i]);
      g_autoptr (GError) error = NULL;

      g_test_message ("%s", cases[i]);
      g_assert_null (gmcp_json_value_decode_base64 (gmcp_json_doc_get_root (doc), &error));
      g_assert_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_JSON);
    }
}

static void
test_base64_round_trip (void)
{
  guint8 data[300];

  g_test_summary ("what the writer encodes is what GLib encodes, and reads back");
  for (guint i = 0; i < sizeof data; i++)
    data[i] = (guint8) (i * 167 + 13);

  for (guint length = 0; length <= sizeof data; length++)
    {
      g_autofree char *reference = g_base64_encode (data, length);
      g_autoptr (GString) text = g_string_new (NULL);
      g_autoptr (GmcpJsonDoc) doc = NULL;
      g_autoptr (GBytes) bytes = NULL;
      GmcpJsonWriter writer = gmcp_json_writer_init (text);

      gmcp_json_writer_base64 (&writer, data, length);
      doc = parse (text->str);
      g_assert_true (gmcp_json_value_equals_string (gmcp_json_doc_get_root (doc), reference));
      bytes = gmcp_json_value_decode_base64 (gmcp_json_doc_get_root (doc), NULL);
      g_assert_cmpmem (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes), data, length);
    }
}

/* -1 for what is in neither alphabet. */
static int
sextet_of (guint byte)
{
  static const char standard[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const char *found = byte != 0 ? strchr (standard, (int) byte) : NULL;

  if (byte == '-' || byte == '_')
    return byte == '-' ? 62 : 63;
  return found != NULL ? (int) (found - standard) : -1;
}

static void
test_base64_each_character (void)
{
  g_test_summary ("each character at each place of a text that is decoded in blocks");
  for (guint byte = 0x20; byte < 0x7f; byte++)
    {
      if (strchr ("\"\\ =", (int) byte) != NULL)
        continue;
      for (guint place = 0; place < 72; place++)
        {
          g_autofree char *text = g_strnfill (72, 'A');
          g_autofree char *json = NULL;
          g_autoptr (GmcpJsonDoc) doc = NULL;
          g_autoptr (GBytes) bytes = NULL;
          guint8 expected[54] = { 0 };
          int sextet = sextet_of (byte);
          guint32 group = sextet > 0 ? (guint32) sextet << (6 * (3 - place % 4)) : 0;

          text[place] = (char) byte;
          json = g_strdup_printf ("\"%s\"", text);
          doc = parse (json);
          bytes = gmcp_json_value_decode_base64 (gmcp_json_doc_get_root (doc), NULL);
          if (sextet < 0)
            {
              g_assert_null (bytes);
              continue;
            }
          for (guint i = 0; i < 3; i++)
            expected[place / 4 * 3 + i] = (guint8) (group >> (8 * (2 - i)));
          g_assert_cmpmem (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes), expected,
                           sizeof expected);
        }
    }
}

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/json/string/decode", test_decode);
  g_test_add_func ("/json/string/plain", test_plain);
  g_test_add_func ("/json/string/base64-accepted", test_base64_accepted);
  g_test_add_func ("/json/string/base64-rejected", test_base64_rejected);
  g_test_add_func ("/json/string/base64-round-trip", test_base64_round_trip);
  g_test_add_func ("/json/string/base64-each-character", test_base64_each_character);
  return g_test_run ();
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-json-private.h"
#include "gmcp-limits.h"
#include "unit-test.h"

/* Reads from a block without a byte to spare, so that ASan and valgrind see a read behind it. */
static GmcpJsonDoc *
parse_exact (const char *text, gsize length, guint max_depth, GError **error)
{
  g_autofree char *exact = g_memdup2 (text, length);

  return gmcp_json_doc_parse (exact, length, NULL, max_depth, error);
}

static void
assert_rejected (const char *text, gsize length, GmcpError code, const char *where)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpJsonDoc) doc = parse_exact (text, length, 0, &error);

  if (doc != NULL)
    g_error ("accepted: %s", text);
  g_assert_error (error, GMCP_ERROR, (int) code);
  if (strstr (error->message, where) == NULL)
    g_error ("“%s” does not say “%s”", error->message, where);
}

static void
test_accepts (void)
{
  static const char *const texts[] = { "null",
                                       " true\n",
                                       "\t\r\nfalse ",
                                       "0",
                                       "-0",
                                       "-0.0",
                                       "1e5",
                                       "1E+5",
                                       "1.25e-7",
                                       "\"\"",
                                       "\"a\"",
                                       "[]",
                                       "{}",
                                       "[[],{}]",
                                       "[ 1 , 2 ]",
                                       "{ \"a\" : { \"b\" : [ null ] } }",
                                       "{\"\":0}",
                                       "{\"a\":1,\"a\":2}",
                                       "\"\\u0000\"",
                                       "\"\\ud800\"",
                                       "\"\\uD83D\\uDE00\"",
                                       "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"",
                                       "\"\177\"",
                                       "\"\xc2\x80\xe0\xa0\x80\xf0\x90\x80\x80\xf4\x8f\xbf\xbf\"",
                                       "123456789012345678901234567890",
                                       "1e99999",
                                       "[1,[2,[3,[4]],5],6]" };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (GmcpJsonDoc) doc = parse_exact (texts[i], strlen (texts[i]), 0, &error);

      if (doc == NULL)
        g_error ("%s: %s", texts[i], error->message);
    }
}

static void
test_rejects (void)
{
  static const struct
  {
    const char *text;
    const char *where;
  } cases[] = {
    { "", "byte 0:" },
    { "  ", "byte 2:" },
    { "nul", "byte 0:" },
    { "{\n  \"ä\": 1,\n  \"ä\": x}", "line 3, column 8: something" },
    { "[1, // one\n 2]", "byte 4: a comment" },
    { "# no", "byte 0: a comment" },
    { "{'a': 1}", "byte 1: a single quote" },
    { "[1,\n]", "line 2, column 1: a closing bracket after a comma" },
    { "\xff\xfe{", "byte 0: text in UTF-16" },
    { "nulll", "byte 4:" },
    { "True", "byte 0:" },
    { "[1,]", "byte 3:" },
    { "[,1]", "byte 1:" },
    { "[1 2]", "byte 3:" },
    { "[1", "byte 2:" },
    { "[", "byte 1:" },
    { "]", "byte 0:" },
    { "[1}", "byte 2:" },
    { "{]", "byte 1:" },
    { "{", "byte 1:" },
    { "{\"a\"", "byte 4:" },
    { "{\"a\":", "byte 5:" },
    { "{\"a\":1", "byte 6:" },
    { "{\"a\" 1}", "byte 5:" },
    { "{\"a\":1,}", "byte 7:" },
    { "{\"a\":1 \"b\":2}", "byte 7:" },
    { "{a:1}", "byte 1:" },
    { "{1:1}", "byte 1:" },
    { "{\"a\":1]", "byte 6:" },
    { "{} {}", "byte 3:" },
    { "[]]", "byte 2:" },
    { "1 x", "byte 2:" },
    { "01", "byte 0:" },
    { "-", "byte 1:" },
    { "-01", "byte 1:" },
    { "+1", "byte 0:" },
    { ".5", "byte 0:" },
    { "1.", "byte 2:" },
    { "1.e5", "byte 2:" },
    { "1e", "byte 2:" },
    { "1e+", "byte 3:" },
    { "0x10", "byte 1:" },
    { "NaN", "byte 0:" },
    { "-Infinity", "byte 1:" },
    { "'a'", "byte 0:" },
    { "\"a", "byte 2:" },
    { "\"a\\", "byte 2:" },
    { "\"\\x\"", "byte 1:" },
    { "\"\\u12G4\"", "byte 1:" },
    { "\"\\u123", "byte 1:" },
    { "\"\\U0041\"", "byte 1:" },
    { "\"a\nb\"", "byte 2:" },
    { "\"\t\"", "byte 1:" },
    { "\"\x1f\"", "byte 1:" },
    { "[1] // x", "byte 4:" },
    { "/* x */ 1", "byte 0:" },
    { "\xef\xbb\xbf{}", "byte 0:" },
    { "[\f1]", "byte 1:" },
    { "[\xc2\xa0"
      "1]",
      "byte 1:" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    assert_rejected (cases[i].text, strlen (cases[i].text), GMCP_ERROR_INVALID_JSON,
                     cases[i].where);
  assert_rejected ("[1]\0", 4, GMCP_ERROR_INVALID_JSON, "byte 3:");
  assert_rejected ("\"\0\"", 3, GMCP_ERROR_INVALID_JSON, "byte 1:");
}

/* Each class of table 3-7 of the Unicode standard, and what is outside it. */
static void
test_ill_formed_utf8 (void)
{
  static const char *const sequences[] = {
    "\x80",
    "\xbf",
    "\x80\x80",
    "\xc0\x80",
    "\xc0\xaf",
    "\xc1\xbf", /* continuation, overlong 2 */
    "\xc2",
    "\xdf",
    "\xc2\x41",
    "\xc2\xc2\x80",
    "\xdf\x7f", /* truncated 2 */
    "\xe0\x80\x80",
    "\xe0\x9f\xbf",
    "\xe0\xa0",
    "\xe0",
    "\xe1\x80",
    "\xe1\x80\x41",
    "\xef\xbf",
    "\xe1\x41\x80",
    "\xec\xc0\x80",
    "\xe0\xa0\xc0", /* overlong and truncated 3 */
    "\xed\xa0\x80",
    "\xed\xad\xbf",
    "\xed\xb0\x80",
    "\xed\xbf\xbf",
    "\xed\xa0\xbd\xed\xb8\x80", /* surrogates */
    "\xf0\x80\x80\x80",
    "\xf0\x8f\xbf\xbf",
    "\xf0\x90",
    "\xf0\x90\x80",
    "\xf0",
    "\xf1\x80\x80\x41",
    "\xf1\x80\x41\x80",
    "\xf1\x41\x80\x80",
    "\xf3\xbf\xbf\xc0", /* overlong and truncated 4 */
    "\xf4\x90\x80\x80",
    "\xf4\xbf\xbf\xbf",
    "\xf5\x80\x80\x80",
    "\xf7\xbf\xbf\xbf", /* > U+10FFFF */
    "\xf8\x88\x80\x80\x80",
    "\xfc\x84\x80\x80\x80\x80",
    "\xfe",
    "\xff",
    "\xfe\xff",
  };

  for (guint i = 0; i < G_N_ELEMENTS (sequences); i++)
    for (guint before = 0; before < 20; before++)
      {
        g_autoptr (GString) text = g_string_new ("\"");

        for (guint j = 0; j < before; j++)
          g_string_append_c (text, 'x');
        g_string_append (text, sequences[i]);
        /* Unterminated, then terminated, then with much text behind it. */
        assert_rejected (text->str, text->len, GMCP_ERROR_INVALID_JSON, "byte");
        g_string_append_c (text, '"');
        assert_rejected (text->str, text->len, GMCP_ERROR_INVALID_JSON, "byte");
        g_string_insert (text, (gssize) text->len - 1, "abcdefghijklmnopqrstuvwxyz");
        assert_rejected (text->str, text->len, GMCP_ERROR_INVALID_JSON, "byte");
      }
  assert_rejected ("\xff", 1, GMCP_ERROR_INVALID_JSON, "byte 0:");
}

static char *
nested (guint depth, gboolean objects)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < depth; i++)
    g_string_append (text, objects ? "{\"a\":" : "[");
  g_string_append (text, "0");
  for (guint i = 0; i < depth; i++)
    g_string_append_c (text, objects ? '}' : ']');
  return g_string_free (text, FALSE);
}

static void
test_depth (void)
{
  for (guint objects = 0; objects < 2; objects++)
    {
      g_autofree char *fits = nested (GMCP_LIMIT_JSON_DEPTH, objects != 0);
      g_autofree char *deeper = nested (GMCP_LIMIT_JSON_DEPTH + 1, objects != 0);
      g_autoptr (GError) error = NULL;
      g_autoptr (GmcpJsonDoc) doc = parse_exact (fits, strlen (fits), 0, &error);
      g_autoptr (GmcpJsonDoc) allowed = parse_exact (deeper, strlen (deeper), 300, NULL);

      g_assert_no_error (error);
      g_assert_nonnull (doc);
      g_assert_nonnull (allowed);
      g_assert_null (parse_exact (deeper, strlen (deeper), 0, &error));
      g_assert_error (error, GMCP_ERROR, GMCP_ERROR_LIMIT_EXCEEDED);
    }
}

static void
test_hostile_depth (void)
{
  const gsize length = 200 * 1024;
  g_autofree char *brackets = g_strnfill (length, '[');
  g_autoptr (GError) error = NULL;

  g_test_summary ("no depth that a caller allows lets a document use up the stack");
  g_assert_null (gmcp_json_doc_parse (brackets, length, NULL, G_MAXUINT, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_LIMIT_EXCEEDED);
}

static void
test_many_values (void)
{
  const guint counts[] = { 510, 511, 512, 513, 2047, 2048, 2049, 100000 };

  g_test_summary ("the tape grows from the stack to the heap without losing a value");
  for (guint i = 0; i < G_N_ELEMENTS (counts); i++)
    {
      g_autoptr (GString) text = g_string_new ("[0");
      g_autoptr (GmcpJsonDoc) doc = NULL;
      GmcpJsonValue root;
      gint64 number = -1;

      for (guint j = 1; j < counts[i]; j++)
        g_string_append_printf (text, ",%u", j);
      g_string_append_c (text, ']');
      doc = parse_exact (text->str, text->len, 0, NULL);
      root = gmcp_json_doc_get_root (doc);
      g_assert_cmpuint (gmcp_json_value_get_length (root), ==, counts[i]);
      g_assert_true (
        gmcp_json_value_get_int64 (gmcp_json_value_get_element (root, counts[i] - 1), &number));
      g_assert_cmpint (number, ==, counts[i] - 1);
    }
}

static void
test_too_many_values (void)
{
  const gsize length = 2 * (gsize) GMCP_LIMIT_JSON_VALUES + 1;
  g_autofree char *text = g_malloc (length);
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpJsonDoc) doc = NULL;

  for (gsize i = 0; i < length; i++)
    text[i] = i % 2 == 0 ? ',' : '1';
  text[0] = '[';
  text[length - 1] = ']';

  /* The array is a value too. */
  g_assert_null (gmcp_json_doc_parse (text, length, NULL, 0, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_LIMIT_EXCEEDED);

  text[length - 3] = ']';
  doc = gmcp_json_doc_parse (text, length - 2, NULL, 0, NULL);
  g_assert_nonnull (doc);
}

static void
test_owner (void)
{
  GBytes *owner = g_bytes_new ("  [\"a\"]  ", 9);
  g_autoptr (GmcpJsonDoc) doc = NULL;
  gsize length;
  const char *data = g_bytes_get_data (owner, &length);
  const char *raw;

  doc = gmcp_json_doc_parse (data, length, owner, 0, NULL);
  g_bytes_unref (owner);
  raw = gmcp_json_value_peek_raw (gmcp_json_doc_get_root (doc), &length);
  g_assert_true (raw == data + 2);
  g_assert_cmpmem (raw, length, "[\"a\"]", 5);

  gmcp_json_doc_ref (doc);
  gmcp_json_doc_unref (doc);
}

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/json/reader/accepts", test_accepts);
  g_test_add_func ("/json/reader/rejects", test_rejects);
  g_test_add_func ("/json/reader/ill-formed-utf8", test_ill_formed_utf8);
  g_test_add_func ("/json/reader/depth", test_depth);
  g_test_add_func ("/json/reader/hostile-depth", test_hostile_depth);
  g_test_add_func ("/json/reader/many-values", test_many_values);
  g_test_add_func ("/json/reader/too-many-values", test_too_many_values);
  g_test_add_func ("/json/reader/owner", test_owner);
  return g_test_run ();
}

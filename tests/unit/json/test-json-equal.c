/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-json-private.h"
#include "gmcp-limits.h"
#include "unit-test.h"

static GmcpJsonDoc *
parse (const char *text)
{
  g_autoptr (GError) error = NULL;
  GmcpJsonDoc *doc = gmcp_json_doc_parse (text, strlen (text), NULL, 0, &error);

  g_assert_no_error (error);
  return doc;
}

static void
compare (const char *a, const char *b, gboolean equal)
{
  g_autoptr (GmcpJsonDoc) doc_a = parse (a);
  g_autoptr (GmcpJsonDoc) doc_b = parse (b);
  GmcpJsonValue root_a = gmcp_json_doc_get_root (doc_a);
  GmcpJsonValue root_b = gmcp_json_doc_get_root (doc_b);

  g_test_message ("%.200s and %.200s", a, b);
  g_assert_cmpint (gmcp_json_value_equal (root_a, root_b), ==, equal);
  g_assert_cmpint (gmcp_json_value_equal (root_b, root_a), ==, equal);
  /* Unequal values may share a hash of 32 bits, once in four thousand million runs. */
  g_assert_cmpint (gmcp_json_value_hash (root_a) == gmcp_json_value_hash (root_b), ==, equal);
}

static void
test_equal (void)
{
  static const char *const cases[][2] = {
    { "1", "1.0" },
    { "1", "1e0" },
    { "100", "1E+2" },
    { "0.001", "1e-3" },
    { "-12.50", "-1.25e1" },
    { "0", "-0" },
    { "0", "0.000e99999999999999999999" },
    { "9007199254740993", "9007199254740993.0" },
    { "1e400", "10e399" },
    { "1e400", "0.1e401" },
    { "1e99999999999999999999", "1e+099999999999999999999" },
    { "\"a\"", "\"\\u0061\"" },
    { "\"\\n/\"", "\"\\u000A\\/\"" },
    { "\"😀\"", "\"\\ud83d\\ude00\"" },
    { "[1,[2.0]]", " [ 1.0 , [ 2 ] ] " },
    { "{\"a\":1,\"b\":2}", "{\"b\":2.0,\"a\":1}" },
    { "{\"a\":1,\"b\":2,\"a\":3}", "{\"b\":2,\"a\":3}" },
    { "{\"a\":{\"x\":1,\"x\":2},\"\\u0061\":{\"y\":[]}}", "{\"a\":{\"y\":[ ]}}" },
    { "{}", "{ }" },
    { "[]", "[ ]" },
    { "null", "null" },
    { "true", " true" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    compare (cases[i][0], cases[i][1], TRUE);
}

static void
test_unequal (void)
{
  static const char *const cases[][2] = {
    { "1", "2" },
    { "1", "-1" },
    { "1", "10" },
    { "1", "1.0000000000000000000000000001" },
    { "9007199254740993", "9007199254740992" },
    { "9007199254740993", "9007199254740992.0" },
    { "1e400", "1e401" },
    { "1e400", "2e400" },
    { "1e-400", "0" },
    { "12", "1.2" },
    { "101", "11" },
    { "1", "\"1\"" },
    { "0", "false" },
    { "0", "null" },
    { "true", "false" },
    { "\"a\"", "\"b\"" },
    { "\"a\"", "\"ab\"" },
    { "\"\"", "null" },
    { "\"\\u00e9\"", "\"e\\u0301\"" },
    { "[]", "{}" },
    { "[1,2]", "[2,1]" },
    { "[1]", "[1,1]" },
    { "[[1],2]", "[[1,2]]" },
    { "[[],[1]]", "[[1],[]]" },
    { "{\"a\":1}", "{\"a\":2}" },
    { "{\"a\":1}", "{\"b\":1}" },
    { "{\"a\":1}", "{\"a\":1,\"b\":1}" },
    { "{\"a\":1,\"a\":2}", "{\"a\":1}" },
    { "{\"a\":1,\"b\":2}", "{\"a\":2,\"b\":1}" },
    { "{\"ab\":\"c\"}", "{\"a\":\"bc\"}" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    compare (cases[i][0], cases[i][1], FALSE);
}

static void
test_big_exponents (void)
{
  g_test_summary ("exponents that no integer holds are compared by what is written");
  compare ("1e99999999999999999998", "1e99999999999999999998", TRUE);
  compare ("1e100000000000000000", "1.0E100000000000000000", TRUE);
  /* The hash leaves such an exponent out. */
  {
    g_autoptr (GmcpJsonDoc) doc
      = parse ("[1e99999999999999999998,1e99999999999999999999,1e-99999999999999999999]");
    GmcpJsonValue root = gmcp_json_doc_get_root (doc);

    g_assert_false (gmcp_json_value_equal (gmcp_json_value_get_element (root, 0),
                                           gmcp_json_value_get_element (root, 1)));
    g_assert_false (gmcp_json_value_equal (gmcp_json_value_get_element (root, 1),
                                           gmcp_json_value_get_element (root, 2)));
  }
}

/* Members whose names differ in their last bytes only, in falling order. */
static char *
make_big_object (guint n_members, gboolean forwards)
{
  GString *text = g_string_new ("{");

  for (guint i = 0; i < n_members; i++)
    {
      guint number = forwards ? i : n_members - 1 - i;
      char member[64];

      g_snprintf (member, sizeof member, "%s\"a common start of the name %08u\":%u",
                  i > 0 ? "," : "", number, number);
      g_string_append (text, member);
    }
  g_string_append_c (text, '}');
  return g_string_free (text, FALSE);
}

static void
test_big_objects (void)
{
  g_autofree char *forwards = make_big_object (100000, TRUE);
  g_autofree char *backwards = make_big_object (100000, FALSE);
  g_autoptr (GmcpJsonDoc) doc = parse (forwards);
  g_autoptr (GmcpJsonDoc) turned = parse (backwards);

  g_test_summary ("a search of the whole object for each member would take minutes here");
  g_assert_true (
    gmcp_json_value_equal (gmcp_json_doc_get_root (doc), gmcp_json_doc_get_root (turned)));
  g_assert_cmpuint (gmcp_json_value_hash (gmcp_json_doc_get_root (doc)), ==,
                    gmcp_json_value_hash (gmcp_json_doc_get_root (turned)));

  g_clear_pointer (&turned, gmcp_json_doc_unref);
  backwards[strlen (backwards) - 2] = '1';
  turned = parse (backwards);
  g_assert_false (
    gmcp_json_value_equal (gmcp_json_doc_get_root (doc), gmcp_json_doc_get_root (turned)));
}

static void
test_deep (void)
{
  GString *a = g_string_new (NULL);
  GString *b = g_string_new (NULL);
  g_autofree char *text_a = NULL;
  g_autofree char *text_b = NULL;

  for (guint i = 0; i < GMCP_LIMIT_JSON_DEPTH; i++)
    {
      g_string_append (a, "{\"a\":");
      g_string_append (b, "{ \"a\":");
    }
  g_string_append (a, "1");
  g_string_append (b, "1.0");
  for (guint i = 0; i < GMCP_LIMIT_JSON_DEPTH; i++)
    {
      g_string_append_c (a, '}');
      g_string_append_c (b, '}');
    }
  text_a = g_string_free (a, FALSE);
  text_b = g_string_free (b, FALSE);
  compare (text_a, text_b, TRUE);
}

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/json/equal/equal", test_equal);
  g_test_add_func ("/json/equal/unequal", test_unequal);
  g_test_add_func ("/json/equal/big-exponents", test_big_exponents);
  g_test_add_func ("/json/equal/big-objects", test_big_objects);
  g_test_add_func ("/json/equal/deep", test_deep);
  return g_test_run ();
}

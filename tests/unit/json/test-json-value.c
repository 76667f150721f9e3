/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <math.h>
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

static void
assert_raw (GmcpJsonValue value, const char *expected)
{
  g_autofree char *raw = gmcp_json_value_dup_raw (value);

  g_assert_cmpstr (raw, ==, expected);
}

static void
test_members (void)
{
  g_autoptr (GmcpJsonDoc) doc = parse (
    "{\"a\":1,\"b\":{\"a\":2,\"deep\":[{\"a\":3}]},\"ab\":4,\"\":5,\"a\":6,\"\\u0063\\n\":7,\"é\":8}");
  GmcpJsonValue root = gmcp_json_doc_get_root (doc);

  g_assert_cmpuint (gmcp_json_value_get_length (root), ==, 7);
  assert_raw (gmcp_json_value_get_member (root, "a"), "6");
  assert_raw (gmcp_json_value_get_member (root, "ab"), "4");
  assert_raw (gmcp_json_value_get_member (root, ""), "5");
  assert_raw (gmcp_json_value_get_member (root, "c\n"), "7");
  assert_raw (gmcp_json_value_get_member (root, "é"), "8");
  assert_raw (gmcp_json_value_get_member (gmcp_json_value_get_member (root, "b"), "deep"),
              "[{\"a\":3}]");
  g_assert_false (gmcp_json_value_is_present (gmcp_json_value_get_member (root, "c")));
  g_assert_false (gmcp_json_value_is_present (gmcp_json_value_get_member (root, "deep")));
}

static void
test_doubled (void)
{
  static const char *const doubled[] = {
    "{\"\":1,\"\":2}",
    "[0,{\"x\":{\"a\":1,\"b\":2,\"a\":3}}]",
    "{\"a\":1,\"\\u0061\":2}",
    "{\"1\":0,\"2\":0,\"3\":0,\"4\":0,\"5\":0,\"6\":0,\"7\":0,\"8\":0,\"9\":0,\"1\":0}",
  };
  static const char *const single[] = {
    "1",
    "{}",
    "[{\"a\":1},{\"a\":1}]",
    "{\"a\":{\"a\":{\"a\":1}},\"ab\":1,\"A\":1,\"\\n\":1,\"n\":1}",
    "{\"1\":0,\"2\":0,\"3\":0,\"4\":0,\"5\":0,\"6\":0,\"7\":0,\"8\":0,\"9\":0,\"10\":0}",
  };

  for (guint i = 0; i < G_N_ELEMENTS (doubled); i++)
    {
      g_autoptr (GmcpJsonDoc) doc = parse (doubled[i]);

      g_assert_true (gmcp_json_doc_has_doubled_members (doc));
    }
  for (guint i = 0; i < G_N_ELEMENTS (single); i++)
    {
      g_autoptr (GmcpJsonDoc) doc = parse (single[i]);

      g_assert_false (gmcp_json_doc_has_doubled_members (doc));
    }
}

static void
test_elements (void)
{
  g_autoptr (GmcpJsonDoc) flat = parse ("[10,\"x\",null,{},[],14]");
  g_autoptr (GmcpJsonDoc) nested = parse ("[[1,2],[3],{\"a\":[4]},5]");
  GmcpJsonValue root = gmcp_json_doc_get_root (flat);

  assert_raw (gmcp_json_value_get_element (root, 0), "10");
  assert_raw (gmcp_json_value_get_element (root, 5), "14");
  g_assert_false (gmcp_json_value_is_present (gmcp_json_value_get_element (root, 6)));

  root = gmcp_json_doc_get_root (nested);
  assert_raw (gmcp_json_value_get_element (root, 1), "[3]");
  assert_raw (gmcp_json_value_get_element (root, 2), "{\"a\":[4]}");
  assert_raw (gmcp_json_value_get_element (root, 3), "5");
  g_assert_false (gmcp_json_value_is_present (gmcp_json_value_get_element (root, G_MAXUINT)));
}

static void
test_iterator (void)
{
  g_autoptr (GmcpJsonDoc) doc = parse ("{\"a\":[1,[2]],\"a\":null,\"b\":{}}");
  g_autoptr (GString) seen = g_string_new (NULL);
  GmcpJsonIter iter;
  GmcpJsonIter inner;
  GmcpJsonValue key;
  GmcpJsonValue value;

  gmcp_json_iter_init (&iter, gmcp_json_doc_get_root (doc));
  while (gmcp_json_iter_next (&iter, &key, &value))
    {
      g_autofree char *name = gmcp_json_value_dup_string (key);
      g_autofree char *raw = gmcp_json_value_dup_raw (value);

      g_string_append_printf (seen, "%s=%s;", name, raw);
    }
  g_assert_cmpstr (seen->str, ==, "a=[1,[2]];a=null;b={};");

  gmcp_json_iter_init (&inner, gmcp_json_value_get_pointer (gmcp_json_doc_get_root (doc), "/a/1"));
  g_assert_false (gmcp_json_iter_next (&inner, &key, &value));
  gmcp_json_iter_init (&inner, gmcp_json_doc_get_root (doc));
  g_assert_true (gmcp_json_iter_next (&inner, NULL, &value));
  gmcp_json_iter_init (&inner, value);
  g_assert_true (gmcp_json_iter_next (&inner, &key, &value));
  g_assert_false (gmcp_json_value_is_present (key));
  assert_raw (value, "1");
  g_assert_true (gmcp_json_iter_next (&inner, NULL, NULL));
  g_assert_false (gmcp_json_iter_next (&inner, &key, &value));
}

static void
test_absent (void)
{
  GmcpJsonValue none = GMCP_JSON_NONE;
  GmcpJsonIter iter;
  gboolean boolean = 7;
  gint64 integer = 7;
  guint64 whole = 7;
  double number = 7;
  gsize length = 7;

  g_test_summary ("a value that is not there is answered by every function");
  g_assert_cmpint (gmcp_json_value_get_kind (none), ==, GMCP_JSON_ABSENT);
  g_assert_cmpuint (gmcp_json_value_get_length (none), ==, 0);
  g_assert_false (gmcp_json_value_is_present (gmcp_json_value_get_member (none, "a")));
  g_assert_false (gmcp_json_value_is_present (gmcp_json_value_get_element (none, 0)));
  g_assert_false (gmcp_json_value_is_present (gmcp_json_value_get_pointer (none, "/a")));
  g_assert_false (gmcp_json_value_get_boolean (none, &boolean));
  g_assert_false (gmcp_json_value_get_int64 (none, &integer));
  g_assert_false (gmcp_json_value_get_uint64 (none, &whole));
  g_assert_false (gmcp_json_value_get_double (none, &number));
  g_assert_true (boolean == 7 && integer == 7 && whole == 7 && number == 7);
  g_assert_null (gmcp_json_value_dup_string (none));
  g_assert_null (gmcp_json_value_dup_string_bytes (none));
  g_assert_null (gmcp_json_value_dup_raw (none));
  g_assert_null (gmcp_json_value_peek_raw (none, &length));
  g_assert_null (gmcp_json_value_peek_plain (none, &length));
  g_assert_cmpuint (length, ==, 0);
  g_assert_false (gmcp_json_value_equals_string (none, ""));
  g_assert_null (gmcp_json_value_decode_base64 (none, NULL));
  g_assert_null (gmcp_json_value_copy_to_doc (none));
  g_assert_null (gmcp_json_value_to_node (none));
  g_assert_true (gmcp_json_value_equal (none, none));
  g_assert_cmpuint (gmcp_json_value_hash (none), ==, gmcp_json_value_hash (none));
  gmcp_json_iter_init (&iter, none);
  g_assert_false (gmcp_json_iter_next (&iter, NULL, NULL));
}

/* The document and the answers of RFC 6901, section 5. */
static void
test_pointer (void)
{
  g_autoptr (GmcpJsonDoc) doc = parse (
    "{\"foo\":[\"bar\",\"baz\"],\"\":0,\"a/b\":1,\"c%d\":2,\"e^f\":3,\"g|h\":4,\"i\\\\j\":5,"
    "\"k\\\"l\":6,\" \":7,\"m~n\":8,\"~1\":9,\"0\":{\"01\":10}}");
  static const struct
  {
    const char *pointer;
    const char *raw; /* NULL: nothing there */
  } cases[] = {
    { "/foo", "[\"bar\",\"baz\"]" },
    { "/foo/0", "\"bar\"" },
    { "/foo/1", "\"baz\"" },
    { "/", "0" },
    { "/a~1b", "1" },
    { "/c%d", "2" },
    { "/e^f", "3" },
    { "/g|h", "4" },
    { "/i\\j", "5" },
    { "/k\"l", "6" },
    { "/ ", "7" },
    { "/m~0n", "8" },
    { "/~01", "9" },
    { "/0/01", "10" },
    { "/foo/2", NULL },
    { "/foo/-", NULL },
    { "/foo/00", NULL },
    { "/foo/01", NULL },
    { "/foo/+1", NULL },
    { "/foo/ 1", NULL },
    { "/foo/1 ", NULL },
    { "/foo/4294967296", NULL },
    { "/foo/18446744073709551616", NULL },
    { "/foo/", NULL },
    { "/foo/0/", NULL },
    { "/nothing/at/all", NULL },
    { "foo", NULL },
    { "/m~2n", NULL },
    { "/m~", NULL },
    { "/foo/~", NULL },
  };
  GmcpJsonValue root = gmcp_json_doc_get_root (doc);

  g_assert_cmpint (gmcp_json_value_get_pointer (root, "").index, ==, root.index);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    assert_raw (gmcp_json_value_get_pointer (root, cases[i].pointer), cases[i].raw);
}

static void
test_booleans (void)
{
  g_autoptr (GmcpJsonDoc) doc = parse ("[true,false,null,1,\"true\"]");
  GmcpJsonValue root = gmcp_json_doc_get_root (doc);
  gboolean boolean = FALSE;

  g_assert_true (gmcp_json_value_get_boolean (gmcp_json_value_get_element (root, 0), &boolean));
  g_assert_true (boolean);
  g_assert_true (gmcp_json_value_get_boolean (gmcp_json_value_get_element (root, 1), &boolean));
  g_assert_false (boolean);
  for (guint i = 2; i < 5; i++)
    g_assert_false (gmcp_json_value_get_boolean (gmcp_json_value_get_element (root, i), &boolean));
}

static void
test_integers (void)
{
  static const struct
  {
    const char *text;
    gboolean is_int64;
    gint64 int64;
    gboolean is_uint64;
    guint64 uint64;
  } cases[] = {
    { "0", TRUE, 0, TRUE, 0 },
    { "-0", TRUE, 0, TRUE, 0 },
    { "-0.0", TRUE, 0, TRUE, 0 },
    { "0e99999999999999999999", TRUE, 0, TRUE, 0 },
    { "42", TRUE, 42, TRUE, 42 },
    { "-42", TRUE, -42, FALSE, 0 },
    { "1.0", TRUE, 1, TRUE, 1 },
    { "1e3", TRUE, 1000, TRUE, 1000 },
    { "1.5e1", TRUE, 15, TRUE, 15 },
    { "-1200e-2", TRUE, -12, FALSE, 0 },
    { "0.001e3", TRUE, 1, TRUE, 1 },
    { "9007199254740993", TRUE, G_GINT64_CONSTANT (9007199254740993), TRUE, 9007199254740993u },
    { "9223372036854775807", TRUE, G_MAXINT64, TRUE, (guint64) G_MAXINT64 },
    { "-9223372036854775808", TRUE, G_MININT64, FALSE, 0 },
    { "-9223372036854775808.000", TRUE, G_MININT64, FALSE, 0 },
    { "922337203685477580.7e1", TRUE, G_MAXINT64, TRUE, (guint64) G_MAXINT64 },
    { "9223372036854775808", FALSE, 0, TRUE, (guint64) G_MAXINT64 + 1 },
    { "-9223372036854775809", FALSE, 0, FALSE, 0 },
    { "18446744073709551615", FALSE, 0, TRUE, G_MAXUINT64 },
    { "18446744073709551615.0", FALSE, 0, TRUE, G_MAXUINT64 },
    { "18446744073709551616", FALSE, 0, FALSE, 0 },
    { "1e19", FALSE, 0, TRUE, G_GUINT64_CONSTANT (10000000000000000000) },
    { "1e20", FALSE, 0, FALSE, 0 },
    { "99999999999999999999999", FALSE, 0, FALSE, 0 },
    { "1e99999999999999999999", FALSE, 0, FALSE, 0 },
    { "1e-99999999999999999999", FALSE, 0, FALSE, 0 },
    { "0.5", FALSE, 0, FALSE, 0 },
    { "1.0000000000000000000001", FALSE, 0, FALSE, 0 },
    { "1e-1", FALSE, 0, FALSE, 0 },
    { "\"1\"", FALSE, 0, FALSE, 0 },
    { "true", FALSE, 0, FALSE, 0 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GmcpJsonDoc) doc = parse (cases[i].text);
      GmcpJsonValue root = gmcp_json_doc_get_root (doc);
      gint64 int64 = 0;
      guint64 uint64 = 0;

      g_test_message ("%s", cases[i].text);
      g_assert_cmpint (gmcp_json_value_get_int64 (root, &int64), ==, cases[i].is_int64);
      g_assert_cmpint (int64, ==, cases[i].int64);
      g_assert_cmpint (gmcp_json_value_get_uint64 (root, &uint64), ==, cases[i].is_uint64);
      g_assert_cmpuint (uint64, ==, cases[i].uint64);
    }
}

static void
test_long_integer (void)
{
  g_autofree char *zeros = g_strnfill (100000, '0');
  g_autofree char *text = g_strdup_printf ("17%se-100000", zeros);
  g_autoptr (GmcpJsonDoc) doc = parse (text);
  gint64 number = 0;

  g_assert_true (gmcp_json_value_get_int64 (gmcp_json_doc_get_root (doc), &number));
  g_assert_cmpint (number, ==, 17);
}

static void
test_doubles (void)
{
  static const struct
  {
    const char *text;
    gboolean fits;
    double number;
  } cases[] = {
    { "0", TRUE, 0 },
    { "1", TRUE, 1 },
    { "0.1", TRUE, 0.1 },
    { "-2.5e3", TRUE, -2500 },
    { "1E-2", TRUE, 0.01 },
    { "9007199254740993", TRUE, 9007199254740992.0 },
    { "1.7976931348623157e308", TRUE, 1.7976931348623157e308 },
    { "4.9e-324", TRUE, 4.9e-324 },
    { "1e-999999", TRUE, 0 },
    { "1e309", FALSE, 0 },
    { "-1e999999", FALSE, 0 },
    { "null", FALSE, 0 },
    { "\"1\"", FALSE, 0 },
    { "0.1000000000000000055511151231257827021181583404541015625000000000000000000", TRUE, 0.1 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GmcpJsonDoc) doc = parse (cases[i].text);
      double number = 0;

      g_test_message ("%s", cases[i].text);
      g_assert_cmpint (gmcp_json_value_get_double (gmcp_json_doc_get_root (doc), &number), ==,
                       cases[i].fits);
      g_assert_true (number == cases[i].number);
    }
}

static void
test_negative_zero (void)
{
  g_autoptr (GmcpJsonDoc) doc = parse ("-0");
  double number = 1;

  g_assert_true (gmcp_json_value_get_double (gmcp_json_doc_get_root (doc), &number));
  g_assert_true (number == 0 && signbit (number));
}

static void
test_copy_to_doc (void)
{
  g_autoptr (GmcpJsonDoc) doc = parse ("[0,{\"a\":[1,{\"b\":\"x\\ty\"}],\"c\":2},3]");
  g_autoptr (GmcpJsonDoc) copy
    = gmcp_json_value_copy_to_doc (gmcp_json_value_get_element (gmcp_json_doc_get_root (doc), 1));
  g_autofree char *string = NULL;
  GmcpJsonValue root;

  g_clear_pointer (&doc, gmcp_json_doc_unref);
  root = gmcp_json_doc_get_root (copy);
  assert_raw (root, "{\"a\":[1,{\"b\":\"x\\ty\"}],\"c\":2}");
  assert_raw (gmcp_json_value_get_pointer (root, "/c"), "2");
  string = gmcp_json_value_dup_string (gmcp_json_value_get_pointer (root, "/a/1/b"));
  g_assert_cmpstr (string, ==, "x\ty");
}

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/json/value/members", test_members);
  g_test_add_func ("/json/value/doubled", test_doubled);
  g_test_add_func ("/json/value/elements", test_elements);
  g_test_add_func ("/json/value/iterator", test_iterator);
  g_test_add_func ("/json/value/absent", test_absent);
  g_test_add_func ("/json/value/pointer", test_pointer);
  g_test_add_func ("/json/value/booleans", test_booleans);
  g_test_add_func ("/json/value/integers", test_integers);
  g_test_add_func ("/json/value/long-integer", test_long_integer);
  g_test_add_func ("/json/value/doubles", test_doubles);
  g_test_add_func ("/json/value/negative-zero", test_negative_zero);
  g_test_add_func ("/json/value/copy-to-doc", test_copy_to_doc);
  return g_test_run ();
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "gmcp-json-private.h"
#include "gmcp-limits.h"
#include "unit-test.h"

static JsonNode *
node_of (const char *text)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpJsonDoc) doc = gmcp_json_doc_parse (text, strlen (text), NULL, 0, &error);
  JsonNode *node;

  g_assert_no_error (error);
  node = gmcp_json_value_to_node (gmcp_json_doc_get_root (doc));
  g_assert_true (json_node_is_immutable (node));
  return node;
}

static void
test_scalars (void)
{
  g_autoptr (JsonNode) node = node_of (
    "[null,true,-9223372036854775808,1.0,18446744073709551615,1e999,-1e999,\"a\\u0000b\"]");
  JsonArray *array = json_node_get_array (node);

  g_assert_cmpuint (json_array_get_length (array), ==, 8);
  g_assert_true (json_array_get_null_element (array, 0));
  g_assert_true (json_array_get_boolean_element (array, 1));
  g_assert_cmpint (json_array_get_int_element (array, 2), ==, G_MININT64);
  g_assert_true (json_node_get_value_type (json_array_get_element (array, 3)) == G_TYPE_DOUBLE);
  g_assert_cmpfloat (json_array_get_double_element (array, 4), ==, 18446744073709551616.0);
  g_assert_cmpfloat (json_array_get_double_element (array, 5), ==, DBL_MAX);
  g_assert_cmpfloat (json_array_get_double_element (array, 6), ==, -DBL_MAX);
  g_assert_cmpstr (json_array_get_string_element (array, 7), ==,
                   "a\xef\xbf\xbd"
                   "b");
}

static void
test_members (void)
{
  g_autoptr (GString) text = g_string_new ("{\"z\":0,\"a\":1,\"z\":2");
  g_autoptr (JsonNode) few = NULL;
  g_autoptr (JsonNode) many = NULL;
  g_autoptr (GList) names = NULL;
  JsonObject *object;

  g_test_summary ("order is kept, and the last of doubled members wins, in small and big objects");
  g_string_append (text, "}");
  few = node_of (text->str);
  g_string_truncate (text, text->len - 1);
  for (guint i = 0; i < 100; i++)
    g_string_append_printf (text, ",\"%u\":%u,\"a\":%u", 99 - i, i, i);
  g_string_append (text, "}");
  many = node_of (text->str);

  object = json_node_get_object (few);
  g_assert_cmpuint (json_object_get_size (object), ==, 2);
  g_assert_cmpint (json_object_get_int_member (object, "z"), ==, 2);

  object = json_node_get_object (many);
  g_assert_cmpuint (json_object_get_size (object), ==, 102);
  g_assert_cmpint (json_object_get_int_member (object, "z"), ==, 2);
  g_assert_cmpint (json_object_get_int_member (object, "a"), ==, 99);
  g_assert_cmpint (json_object_get_int_member (object, "99"), ==, 0);
  names = json_object_get_members (object);
  g_assert_cmpstr (names->data, ==, "z");
  g_assert_cmpstr (names->next->data, ==, "a");
  g_assert_cmpstr (names->next->next->data, ==, "99");
}

/* Names of 2^17 kinds with one g_str_hash(): "Ez" and "FY" add the same to it. */
static char *
make_colliding_object (guint n_members)
{
  GString *text = g_string_new ("{\"first\":1");

  for (guint i = 0; i < n_members; i++)
    {
      g_string_append (text, ",\"");
      for (guint bit = 0; bit < 17; bit++)
        g_string_append (text, (i >> bit & 1) != 0 ? "Ez" : "FY");
      g_string_append (text, "\":0");
    }
  g_string_append (text, ",\"last\":2}");
  return g_string_free (text, FALSE);
}

static void
test_colliding_names (void)
{
  g_autofree char *text = make_colliding_object (100000);
  g_autoptr (JsonNode) node = NULL;
  JsonObject *object;

  g_test_summary ("names made to collide in json-glib's hash table, which would take minutes");
  node = node_of (text);
  object = json_node_get_object (node);
  g_assert_cmpint (json_object_get_int_member (object, "first"), ==, 1);
  g_assert_cmpint (json_object_get_int_member (object, "last"), ==, 2);
  g_assert_cmpuint (json_object_get_size (object), >=, 64);
  g_assert_cmpuint (json_object_get_size (object), <, 1000);
}

static void
test_ordinary_names (void)
{
  static const char *const prefixes[] = { "", "key_", "/a/", "é", "00000000-0000-4000-8000-" };
  static const char *const suffixes[] = { "", "/b" };
  const guint n_members = g_test_thorough () ? 100000 : 500;

  g_test_summary ("no member of a big object with names of the usual sort is left out");
  for (guint i = 0; i < G_N_ELEMENTS (prefixes) * G_N_ELEMENTS (suffixes) * 6; i++)
    {
      const char *prefix = prefixes[i % 5];
      const char *suffix = suffixes[i / 5 % 2];
      const guint64 step = G_GUINT64_CONSTANT (1) << (i / 10 % 3 * 8);
      g_autoptr (GString) text = g_string_new ("{");
      g_autoptr (JsonNode) node = NULL;

      for (guint j = 0; j < n_members; j++)
        {
          g_string_append_printf (text, "%s\"%s", j > 0 ? "," : "", prefix);
          if (i < 30)
            g_string_append_printf (text, "%" G_GUINT64_FORMAT, j * step);
          else
            g_string_append_printf (text, "%012" G_GINT64_MODIFIER "x", j * step);
          g_string_append_printf (text, "%s\":%u", suffix, j);
        }
      g_string_append_c (text, '}');
      node = node_of (text->str);
      g_assert_cmpuint (json_object_get_size (json_node_get_object (node)), ==, n_members);
    }
}

static void
assert_round_trip (const char *text, const char *expected)
{
  g_autoptr (JsonNode) node = node_of (text);
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpJsonDoc) doc = gmcp_json_doc_from_node (node, &error);
  g_autofree char *raw = NULL;

  g_assert_no_error (error);
  raw = gmcp_json_value_dup_raw (gmcp_json_doc_get_root (doc));
  g_assert_cmpstr (raw, ==, expected);
}

static void
test_round_trip (void)
{
  assert_round_trip (" { \"a\" : [ 1 , 2.0 , 2.5 , \"\\u00e9\\n\" , null , true ] , \"b\" : { } } ",
                     "{\"a\":[1,2.0,2.5,\"é\\n\",null,true],\"b\":{}}");
  assert_round_trip ("1e25", "1e+25");
  assert_round_trip ("-0", "0");
  assert_round_trip ("-0.0", "-0.0");
}

static void
assert_fails (JsonNode *node, GmcpError code)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GString) text = g_string_new ("[0");
  GmcpJsonWriter writer = { .out = text, .comma = TRUE };

  g_assert_false (gmcp_json_writer_node (&writer, node, &error));
  g_assert_error (error, GMCP_ERROR, (int) code);
  g_assert_cmpstr (text->str, ==, "[0");
  g_assert_true (writer.comma);
  g_assert_null (gmcp_json_doc_from_node (node, NULL));
}

static void
test_not_a_number (void)
{
  g_autoptr (JsonNode) node = json_node_new (JSON_NODE_ARRAY);
  const double numbers[] = { NAN, INFINITY, -INFINITY };

  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    {
      JsonArray *array = json_array_new ();

      json_array_add_int_element (array, 1);
      json_array_add_double_element (array, numbers[i]);
      json_node_take_array (node, array);
      assert_fails (node, GMCP_ERROR_INVALID_ARGUMENT);
    }
}

static void
test_unset (void)
{
  g_autoptr (JsonNode) unset = json_node_new (JSON_NODE_VALUE);
  g_autoptr (JsonNode) object = json_node_new (JSON_NODE_OBJECT);
  g_autoptr (GString) text = g_string_new (NULL);
  GmcpJsonWriter writer = gmcp_json_writer_init (text);

  assert_fails (unset, GMCP_ERROR_INVALID_ARGUMENT);
  gmcp_json_writer_begin_array (&writer);
  g_assert_true (gmcp_json_writer_node (&writer, NULL, NULL));
  g_assert_true (gmcp_json_writer_node (&writer, object, NULL));
  gmcp_json_writer_end_array (&writer);
  g_assert_cmpstr (text->str, ==, "[null,null]");
}

static void
test_depth (void)
{
  g_autoptr (JsonNode) node = json_node_init_int (json_node_alloc (), 0);

  for (guint depth = 0; depth <= GMCP_LIMIT_JSON_DEPTH; depth++)
    {
      g_autoptr (GmcpJsonDoc) doc = gmcp_json_doc_from_node (node, NULL);
      JsonArray *array = json_array_new ();

      g_assert_nonnull (doc);
      json_array_add_element (array, g_steal_pointer (&node));
      node = json_node_init_array (json_node_alloc (), array);
      json_array_unref (array);
    }
  assert_fails (node, GMCP_ERROR_LIMIT_EXCEEDED);
}

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/json/node/scalars", test_scalars);
  g_test_add_func ("/json/node/members", test_members);
  g_test_add_func ("/json/node/colliding-names", test_colliding_names);
  g_test_add_func ("/json/node/ordinary-names", test_ordinary_names);
  g_test_add_func ("/json/node/round-trip", test_round_trip);
  g_test_add_func ("/json/node/not-a-number", test_not_a_number);
  g_test_add_func ("/json/node/unset", test_unset);
  g_test_add_func ("/json/node/depth", test_depth);
  return g_test_run ();
}

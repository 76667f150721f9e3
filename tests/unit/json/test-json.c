/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <gmcp/gmcp.h>
#include <math.h>
#include <string.h>

#include "unit-test.h"

static void
test_refuses (void)
{
  static const char *const texts[] = {
    "",           " ",           "{} {}",          "{\"a\":0777}",
    "[.5]",       "[1.]",        "[+1]",           "[1e]",
    "[\"\\q\"]",  "[\"\\ud8\"]", "[\"a\tb\"]",     "[\"a\\\nb\"]",
    "{'a': 1}",   "[1,]",        "[\"\xff\"]",     "[nul]",
    "{\"a\":1,}", "/* */ 1",     "\xef\xbb\xbf{}", "[NaN]",
    "{\"a\" 1}",  "[Infinity]",  "\"no end",       "[1 2]",
  };

  for (gsize i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (JsonNode) node = gmcp_json_parse (texts[i], -1, &error);

      g_test_message ("%s", texts[i]);
      g_assert_null (node);
      g_assert_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_JSON);
    }
}

static void
test_length (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JsonNode) node = gmcp_json_parse ("12345", 2, &error);
  g_autoptr (JsonNode) zero = NULL;

  g_assert_no_error (error);
  g_assert_cmpint (json_node_get_int (node), ==, 12);

  zero = gmcp_json_parse ("[1\0]", 4, &error);
  g_assert_null (zero);
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_JSON);
}

static void
test_can_be_changed (void)
{
  g_autoptr (JsonNode) node = gmcp_json_parse ("{\"a\":[1,2]}", -1, NULL);
  JsonObject *object = json_node_get_object (node);
  g_autofree char *text = NULL;

  json_array_remove_element (json_object_get_array_member (object, "a"), 0);
  json_object_set_double_member (object, "b", 1e20);
  text = gmcp_json_print (node, NULL);
  g_assert_cmpstr (text, ==, "{\"a\":[2],\"b\":1e+20}");
}

static void
test_prints_what_it_reads (void)
{
  static const char text[]
    = "{\"z\":[1e+20,-1e-07,1.0,0.1,9223372036854775807,1.7976931348623157e+308],"
      "\"a\":\"\\u0001ä\\\"\\\\\",\"n\":null,\"t\":true}";
  g_autoptr (JsonNode) node = gmcp_json_parse (text, -1, NULL);
  g_autofree char *printed = gmcp_json_print (node, NULL);
  g_autoptr (JsonNode) again = gmcp_json_parse (printed, -1, NULL);

  g_assert_cmpstr (printed, ==, text);
  g_assert_true (json_node_equal (node, again));
}

static JsonNode *
nest (JsonNode *inner, guint n)
{
  for (guint i = 0; i < n; i++)
    {
      JsonArray *array = json_array_new ();

      json_array_add_element (array, inner);
      inner = json_node_init_array (json_node_alloc (), array);
      json_array_unref (array);
    }
  return inner;
}

static void
test_what_was_read_fits_into_something (void)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *text = g_strnfill (512, '[');
  g_autoptr (JsonNode) deepest = NULL;
  g_autoptr (JsonNode) deeper = NULL;
  g_autofree char *printed = NULL;

  memset (text + 256, ']', 256);
  deepest = gmcp_json_parse (text, -1, &error);
  g_assert_no_error (error);
  deepest = nest (g_steal_pointer (&deepest), 20);
  printed = gmcp_json_print (deepest, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (strlen (printed), ==, 552);

  deeper = gmcp_json_parse (printed, -1, &error);
  g_assert_null (deeper);
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_LIMIT_EXCEEDED);
}

static void
test_print_refuses (void)
{
  const double numbers[] = { NAN, INFINITY };

  for (gsize i = 0; i < G_N_ELEMENTS (numbers); i++)
    {
      g_autoptr (JsonNode) node = json_node_init_double (json_node_alloc (), numbers[i]);
      g_autoptr (GError) error = NULL;
      g_autofree char *text = gmcp_json_print (node, &error);

      g_assert_null (text);
      g_assert_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT);
    }
  {
    g_autoptr (JsonNode) deep = nest (json_node_init_null (json_node_alloc ()), 2000);
    g_autoptr (GError) error = NULL;
    g_autofree char *text = gmcp_json_print (deep, &error);

    g_assert_null (text);
    g_assert_error (error, GMCP_ERROR, GMCP_ERROR_LIMIT_EXCEEDED);
  }
}

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/json/refuses", test_refuses);
  g_test_add_func ("/json/length", test_length);
  g_test_add_func ("/json/can-be-changed", test_can_be_changed);
  g_test_add_func ("/json/prints-what-it-reads", test_prints_what_it_reads);
  g_test_add_func ("/json/what-was-read-fits-into-something",
                   test_what_was_read_fits_into_something);
  g_test_add_func ("/json/print-refuses", test_print_refuses);
  return g_test_run ();
}

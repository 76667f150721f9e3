/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Both JSON libraries have a function of this name. Jansson's is not used here, and the symbols have
 * versions that keep them apart. */
#define json_object_iter_next jansson_object_iter_next
#include <jansson.h>
#undef json_object_iter_next

#include "gmcp-json-private.h"

/* What is read is written and read back as the same, and jansson agrees on what is JSON and what it
 * says. jansson is known to differ thus:
 *
 * - it goes deeper (2,048 levels) than our default limit;
 * - it refuses integers outside int64, and numbers too great for a double;
 * - it refuses escapes of lone surrogates, and \u0000 in member names;
 * - it gives \u0000 in other strings (with JSON_ALLOW_NUL) where we give U+FFFD;
 * - it overlooks a NUL byte behind a number. */

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

/* libFuzzer keeps the input of an abort, not that of g_error()'s trap. */
static void
check_at (gboolean holds, const char *condition, int line)
{
  if (G_LIKELY (holds))
    return;
  g_printerr ("%s:%d: not so: %s\n", __FILE__, line, condition);
  abort ();
}

#define check(condition) check_at (condition, #condition, __LINE__)

static gboolean
read_unit (const char *p, const char *end, guint *unit)
{
  if (end - p < 6 || p[0] != '\\' || p[1] != 'u')
    return FALSE;

  *unit = 0;
  for (guint i = 2; i < 6; i++)
    *unit = *unit << 4 | (guint) g_ascii_xdigit_value (p[i]);
  return TRUE;
}

/* Whether jansson refuses the string, by its raw text: for a lone surrogate, or U+0000 in a name. */
static gboolean
string_is_refused (GmcpJsonValue string, gboolean is_name)
{
  gsize length;
  const char *p = gmcp_json_value_peek_raw (string, &length);
  const char *end = p + length;

  while (p < end)
    {
      guint unit;
      guint low;

      if (*p != '\\')
        {
          p++;
          continue;
        }
      if (!read_unit (p, end, &unit))
        {
          p += 2;
          continue;
        }
      p += 6;
      if (unit == 0 && is_name)
        return TRUE;
      if (unit < 0xd800 || unit > 0xdfff)
        continue;
      if (unit >= 0xdc00 || !read_unit (p, end, &low) || low < 0xdc00 || low > 0xdfff)
        return TRUE;
      p += 6;
    }
  return FALSE;
}

static gboolean
number_is_refused (GmcpJsonValue number)
{
  gsize length;
  const char *raw = gmcp_json_value_peek_raw (number, &length);
  gboolean real = memchr (raw, '.', length) != NULL || memchr (raw, 'e', length) != NULL
                  || memchr (raw, 'E', length) != NULL;
  gint64 integer;
  double as_double;

  return real ? !gmcp_json_value_get_double (number, &as_double)
              : !gmcp_json_value_get_int64 (number, &integer);
}

static gboolean
is_refused (GmcpJsonValue value)
{
  GmcpJsonIter iter;
  GmcpJsonValue name;
  GmcpJsonValue child;

  if (gmcp_json_value_is_string (value))
    return string_is_refused (value, FALSE);
  if (gmcp_json_value_is_number (value))
    return number_is_refused (value);

  gmcp_json_iter_init (&iter, value);
  while (gmcp_json_iter_next (&iter, &name, &child))
    if ((gmcp_json_value_is_present (name) && string_is_refused (name, TRUE)) || is_refused (child))
      return TRUE;
  return FALSE;
}

static void compare (GmcpJsonValue ours, json_t *theirs);

static void
compare_strings (GmcpJsonValue ours, json_t *theirs)
{
  g_autoptr (GBytes) bytes = gmcp_json_value_dup_string_bytes (ours);
  g_autoptr (GString) expected = g_string_new (NULL);
  const char *text = json_string_value (theirs);
  gsize length;
  const char *decoded = g_bytes_get_data (bytes, &length);

  for (size_t i = 0; i < json_string_length (theirs); i++)
    if (text[i] == '\0')
      g_string_append (expected, "\xef\xbf\xbd");
    else
      g_string_append_c (expected, text[i]);

  check (length == expected->len && memcmp (decoded, expected->str, length) == 0);
  check (decoded[length] == '\0');
  check (gmcp_json_value_equals_string (ours, expected->str));
}

static void
compare_objects (GmcpJsonValue ours, json_t *theirs)
{
  g_autoptr (GHashTable) names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  GmcpJsonIter iter;
  GmcpJsonValue name;

  gmcp_json_iter_init (&iter, ours);
  while (gmcp_json_iter_next (&iter, &name, NULL))
    {
      char *decoded = gmcp_json_value_dup_string (name);
      json_t *member = json_object_get (theirs, decoded);

      check (member != NULL);
      compare (gmcp_json_value_get_member (ours, decoded), member);
      g_hash_table_add (names, decoded);
    }
  check (g_hash_table_size (names) == json_object_size (theirs));
}

static void
compare_numbers (GmcpJsonValue ours, json_t *theirs)
{
  gint64 integer = 0;
  double real = 0;

  if (json_is_integer (theirs))
    check (gmcp_json_value_get_int64 (ours, &integer) && integer == json_integer_value (theirs));
  else
    check (gmcp_json_value_get_double (ours, &real) && real == json_real_value (theirs));
}

static void
compare_arrays (GmcpJsonValue ours, json_t *theirs)
{
  check (gmcp_json_value_get_length (ours) == json_array_size (theirs));
  for (guint i = 0; i < json_array_size (theirs); i++)
    compare (gmcp_json_value_get_element (ours, i), json_array_get (theirs, i));
}

static void
compare (GmcpJsonValue ours, json_t *theirs)
{
  static const json_type types[] = {
    [GMCP_JSON_NULL] = JSON_NULL,   [GMCP_JSON_FALSE] = JSON_FALSE,
    [GMCP_JSON_TRUE] = JSON_TRUE,   [GMCP_JSON_STRING] = JSON_STRING,
    [GMCP_JSON_ARRAY] = JSON_ARRAY, [GMCP_JSON_OBJECT] = JSON_OBJECT,
  };
  GmcpJsonKind kind = gmcp_json_value_get_kind (ours);

  if (kind == GMCP_JSON_NUMBER)
    {
      check (json_is_number (theirs));
      compare_numbers (ours, theirs);
      return;
    }
  check (json_typeof (theirs) == types[kind]);
  if (kind == GMCP_JSON_STRING)
    compare_strings (ours, theirs);
  else if (kind == GMCP_JSON_ARRAY)
    compare_arrays (ours, theirs);
  else if (kind == GMCP_JSON_OBJECT)
    compare_objects (ours, theirs);
}

static void
check_agreement (GmcpJsonDoc *doc, const GError *error, const char *data, gsize size)
{
  json_error_t json_error;
  json_t *theirs = json_loadb (data, size, JSON_DECODE_ANY | JSON_ALLOW_NUL, &json_error);

  if (doc != NULL && theirs != NULL)
    compare (gmcp_json_doc_get_root (doc), theirs);
  else if (doc != NULL)
    check (is_refused (gmcp_json_doc_get_root (doc)));
  else if (theirs != NULL)
    check (g_error_matches (error, GMCP_ERROR, GMCP_ERROR_LIMIT_EXCEEDED)
           || memchr (data, '\0', size) != NULL);
  json_decref (theirs);
}

static void
check_text (GmcpJsonValue root)
{
  g_autoptr (GString) text = g_string_new (NULL);
  GmcpJsonWriter writer = gmcp_json_writer_init (text);
  g_autoptr (GmcpJsonDoc) again = NULL;
  g_autoptr (GmcpJsonDoc) copy = gmcp_json_value_copy_to_doc (root);

  gmcp_json_writer_value (&writer, root);
  check (strpbrk (text->str, "\r\n") == NULL);
  again = gmcp_json_doc_parse (text->str, text->len, NULL, 0, NULL);
  check (again != NULL);
  check (gmcp_json_value_equal (root, gmcp_json_doc_get_root (again)));
  check (gmcp_json_value_equal (root, gmcp_json_doc_get_root (copy)));
  check (gmcp_json_value_hash (root) == gmcp_json_value_hash (gmcp_json_doc_get_root (again)));
}

static void
check_node (GmcpJsonValue root)
{
  g_autoptr (JsonNode) node = gmcp_json_value_to_node (root);
  g_autoptr (GmcpJsonDoc) doc = gmcp_json_doc_from_node (node, NULL);
  g_autoptr (GmcpJsonDoc) again = NULL;
  g_autoptr (JsonNode) node_again = NULL;

  check (doc != NULL);
  node_again = gmcp_json_value_to_node (gmcp_json_doc_get_root (doc));
  check (json_node_equal (node, node_again));
  again = gmcp_json_doc_from_node (node_again, NULL);
  check (gmcp_json_value_equal (gmcp_json_doc_get_root (doc), gmcp_json_doc_get_root (again)));
}

/* All bytes as a string, and the bytes that its text stands for in Base64. */
static void
check_string (const char *data, gsize size)
{
  g_autoptr (GString) text = g_string_new (NULL);
  GmcpJsonWriter writer = gmcp_json_writer_init (text);
  g_autoptr (GmcpJsonDoc) doc = NULL;
  g_autoptr (GBytes) bytes = NULL;
  GmcpJsonValue root;

  gmcp_json_writer_begin_array (&writer);
  gmcp_json_writer_string_len (&writer, data, (gssize) size);
  gmcp_json_writer_base64 (&writer, (const guint8 *) data, size);
  gmcp_json_writer_end_array (&writer);
  doc = gmcp_json_doc_parse (text->str, text->len, NULL, 0, NULL);
  check (doc != NULL);

  root = gmcp_json_doc_get_root (doc);
  if (g_utf8_validate_len (data, size, NULL))
    {
      g_autofree char *terminated = g_strndup (data, size);

      check (gmcp_json_value_equals_string (gmcp_json_value_get_element (root, 0), terminated));
    }
  bytes = gmcp_json_value_decode_base64 (gmcp_json_value_get_element (root, 1), NULL);
  check (bytes != NULL && g_bytes_get_size (bytes) == size);
  check (size == 0 || memcmp (g_bytes_get_data (bytes, NULL), data, size) == 0);
  g_clear_pointer (&bytes, g_bytes_unref);
  bytes = gmcp_json_value_decode_base64 (gmcp_json_value_get_element (root, 0), NULL);
  check (bytes == NULL || g_bytes_get_size (bytes) <= size / 4 * 3 + 2);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  const char *text = (const char *) data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpJsonDoc) doc = gmcp_json_doc_parse (text, size, NULL, 0, &error);

  check ((doc != NULL) == (error == NULL));
  check_agreement (doc, error, text, size);
  if (doc != NULL)
    {
      check_text (gmcp_json_doc_get_root (doc));
      check_node (gmcp_json_doc_get_root (doc));
    }
  check_string (text, size);
  return 0;
}

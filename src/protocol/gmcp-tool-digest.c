/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <math.h>
#include <string.h>

#include "gmcp-protocol-private.h"
#include "gmcp-tool-private.h"

/* One text for all ways of writing the same JSON: members sorted by name, the last of doubled ones,
 * numbers in one form. The reader's depth limit bounds the recursion. */

typedef struct
{
  char *key;
  guint position;
  GmcpJsonValue value;
} Member;

static void
clear_member (gpointer data)
{
  g_free (((Member *) data)->key);
}

static int
compare_members (gconstpointer a, gconstpointer b)
{
  const Member *first = a;
  const Member *second = b;
  int order = strcmp (first->key, second->key);

  if (order != 0)
    return order;

  return first->position < second->position ? -1 : 1;
}

static void write_canonical (GmcpJsonWriter *writer, GmcpJsonValue value);

/* Without the member of that name, where one is given. */
static void
write_canonical_object (GmcpJsonWriter *writer, GmcpJsonValue object, const char *left_out)
{
  g_autoptr (GArray) members
    = g_array_sized_new (FALSE, FALSE, sizeof (Member), gmcp_json_value_get_length (object));
  GmcpJsonIter iter;
  GmcpJsonValue key;
  GmcpJsonValue value;

  g_array_set_clear_func (members, clear_member);
  gmcp_json_iter_init (&iter, object);
  while (gmcp_json_iter_next (&iter, &key, &value))
    {
      Member member = { gmcp_json_value_dup_string (key), members->len, value };

      g_array_append_val (members, member);
    }
  g_array_sort (members, compare_members);

  gmcp_json_writer_begin_object (writer);
  for (guint i = 0; i < members->len; i++)
    {
      Member *member = &g_array_index (members, Member, i);

      if ((i + 1 < members->len && strcmp (member->key, member[1].key) == 0)
          || g_strcmp0 (member->key, left_out) == 0)
        continue;
      gmcp_json_writer_key (writer, member->key);
      write_canonical (writer, member->value);
    }
  gmcp_json_writer_end_object (writer);
}

static void
write_canonical_string (GmcpJsonWriter *writer, GmcpJsonValue value)
{
  g_autofree char *decoded = NULL;
  gsize length = 0;
  const char *plain = gmcp_json_value_peek_plain (value, &length);

  if (plain == NULL)
    {
      decoded = gmcp_json_value_dup_string (value);
      plain = decoded;
      length = strlen (decoded);
    }
  gmcp_json_writer_string_len (writer, plain, (gssize) length);
}

static void
write_canonical_number (GmcpJsonWriter *writer, GmcpJsonValue value)
{
  gint64 integer;
  guint64 unsigned_integer;
  double number;
  const char *raw;
  gsize length;

  if (gmcp_json_value_get_int64 (value, &integer))
    gmcp_json_writer_int64 (writer, integer);
  else if (gmcp_json_value_get_uint64 (value, &unsigned_integer))
    gmcp_json_writer_uint64 (writer, unsigned_integer);
  else if (gmcp_json_value_get_double (value, &number) && isfinite (number))
    gmcp_json_writer_double (writer, number);
  else
    {
      raw = gmcp_json_value_peek_raw (value, &length);
      gmcp_json_writer_raw (writer, raw, length);
    }
}

static void
write_canonical (GmcpJsonWriter *writer, GmcpJsonValue value)
{
  GmcpJsonIter iter;
  GmcpJsonValue element;

  switch (gmcp_json_value_get_kind (value))
    {
    case GMCP_JSON_OBJECT:
      write_canonical_object (writer, value, NULL);
      break;
    case GMCP_JSON_ARRAY:
      gmcp_json_writer_begin_array (writer);
      gmcp_json_iter_init (&iter, value);
      while (gmcp_json_iter_next (&iter, NULL, &element))
        write_canonical (writer, element);
      gmcp_json_writer_end_array (writer);
      break;
    case GMCP_JSON_STRING:
      write_canonical_string (writer, value);
      break;
    case GMCP_JSON_NUMBER:
      write_canonical_number (writer, value);
      break;
    case GMCP_JSON_TRUE:
    case GMCP_JSON_FALSE:
      gmcp_json_writer_boolean (writer, gmcp_json_value_get_kind (value) == GMCP_JSON_TRUE);
      break;
    case GMCP_JSON_ABSENT:
    case GMCP_JSON_NULL:
    default:
      gmcp_json_writer_null (writer);
      break;
    }
}

char *
gmcp_tool_digest_value (GmcpJsonValue tool)
{
  g_autoptr (GString) text = g_string_sized_new (1024);
  GmcpJsonWriter writer = gmcp_json_writer_init (text);

  write_canonical_object (&writer, tool, GMCP_MEMBER_META);
  return g_compute_checksum_for_string (G_CHECKSUM_SHA256, text->str, text->len);
}

char *
gmcp_tool_digest_told_value (GmcpJsonValue tool)
{
  static const char *const told[] = { "name", "description", "inputSchema", "outputSchema" };
  g_autoptr (GString) text = g_string_sized_new (1024);
  GmcpJsonWriter writer = gmcp_json_writer_init (text);

  gmcp_json_writer_begin_array (&writer);
  for (guint i = 0; i < G_N_ELEMENTS (told); i++)
    write_canonical (&writer, gmcp_json_value_get_member (tool, told[i]));
  gmcp_json_writer_end_array (&writer);

  return g_compute_checksum_for_string (G_CHECKSUM_SHA256, text->str, text->len);
}

static gboolean
is_covered_by (GmcpJsonValue a, GmcpJsonValue b)
{
  GmcpJsonIter iter;
  GmcpJsonValue key;

  gmcp_json_iter_init (&iter, a);
  while (gmcp_json_iter_next (&iter, &key, NULL))
    {
      g_autofree char *name = gmcp_json_value_dup_string (key);
      GmcpJsonValue other;

      if (strcmp (name, GMCP_MEMBER_META) == 0)
        continue;

      other = gmcp_json_value_get_member (b, name);
      if (!gmcp_json_value_is_present (other)
          || !gmcp_json_value_equal (gmcp_json_value_get_member (a, name), other))
        return FALSE;
    }

  return TRUE;
}

gboolean
gmcp_tool_same_definition (GmcpTool *a, GmcpTool *b)
{
  GmcpJsonValue first = gmcp_definition_get_value (a);
  GmcpJsonValue second = gmcp_definition_get_value (b);
  gsize first_length;
  gsize second_length;
  const char *first_raw;
  const char *second_raw;

  if (first.doc == second.doc && first.index == second.index)
    return TRUE;

  first_raw = gmcp_json_value_peek_raw (first, &first_length);
  second_raw = gmcp_json_value_peek_raw (second, &second_length);
  if (first_length == second_length && memcmp (first_raw, second_raw, first_length) == 0)
    return TRUE;

  return is_covered_by (first, second) && is_covered_by (second, first);
}

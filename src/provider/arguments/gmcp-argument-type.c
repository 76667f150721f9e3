/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-argument-shapes-private.h"

#include <string.h>

/* A type is to be read beside a name, and one of many in a line. */
#define VALUE_CHARS 24
#define TYPE_BYTES  72u
#define NAME_CHARS  64
#define LISTS_MAX   4u

static const char *const names[] = {
  [GMCP_ARGUMENT_KIND_ANY] = "any",         [GMCP_ARGUMENT_KIND_NULL] = "null",
  [GMCP_ARGUMENT_KIND_BOOLEAN] = "boolean", [GMCP_ARGUMENT_KIND_INTEGER] = "integer",
  [GMCP_ARGUMENT_KIND_NUMBER] = "number",   [GMCP_ARGUMENT_KIND_STRING] = "string",
  [GMCP_ARGUMENT_KIND_OBJECT] = "object",
};

typedef struct
{
  GString *out;
  GHashTable *seen;
  gboolean full;
} Union;

static void
add_part (Union *parts, const char *part)
{
  if (parts->full || g_hash_table_contains (parts->seen, part))
    return;
  g_hash_table_add (parts->seen, g_strdup (part));
  parts->full = parts->out->len > 0 && parts->out->len + strlen (part) > TYPE_BYTES;
  if (parts->out->len > 0)
    g_string_append_c (parts->out, '|');
  g_string_append (parts->out, parts->full ? "…" : part);
}

/* As JSON has it, and short. */
static char *
dup_shown_value (GmcpJsonValue value)
{
  g_autofree char *raw = gmcp_json_value_dup_raw (value);

  if (g_utf8_strlen (raw, -1) > VALUE_CHARS)
    {
      g_autofree char *cut = g_utf8_substring (raw, 0, VALUE_CHARS);

      return g_strconcat (cut, gmcp_json_value_is_string (value) ? "…\"" : "…", NULL);
    }
  return g_steal_pointer (&raw);
}

static void
add_value (GmcpJsonValue value, gpointer data)
{
  Union *parts = data;

  if (!parts->full)
    {
      g_autofree char *shown = dup_shown_value (value);

      add_part (parts, shown);
    }
}

static char *describe_shapes (const GmcpArgumentShapes *self, guint depth);

static char *
describe_list (GmcpJsonValue root, GmcpJsonValue list, guint depth)
{
  g_autofree GmcpArgumentShapes *items = g_new (GmcpArgumentShapes, 1);
  g_autofree char *type = NULL;

  if (depth >= LISTS_MAX)
    return g_strdup ("any[]");
  gmcp_argument_shapes_read (items, root, gmcp_json_value_get_member (list, "items"));
  type = describe_shapes (items, depth + 1);
  return g_strdup_printf (strchr (type, '|') != NULL ? "(%s)[]" : "%s[]", type);
}

static char *
describe_shapes (const GmcpArgumentShapes *self, guint depth)
{
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  Union parts = { g_string_new (NULL), seen, FALSE };

  for (guint i = 0; i < self->n_shapes; i++)
    {
      const GmcpArgumentShape *shape = &self->shapes[i];

      if (shape->kind == GMCP_ARGUMENT_KIND_ARRAY)
        {
          g_autofree char *list = describe_list (self->root, shape->schema, depth);

          add_part (&parts, list);
        }
      else if (shape->kind == GMCP_ARGUMENT_KIND_ENUM || shape->kind == GMCP_ARGUMENT_KIND_CONST)
        {
          GmcpArgumentShapes one = { .root = self->root, .shapes = { *shape }, .n_shapes = 1 };

          gmcp_argument_shapes_foreach_choice (&one, add_value, &parts);
        }
      else
        {
          add_part (&parts, names[shape->kind]);
        }
    }
  /* Of a list of values that is empty. */
  if (parts.out->len == 0)
    g_string_append (parts.out, "any");
  return g_string_free (parts.out, FALSE);
}

char *
gmcp_argument_describe_type (const GmcpArgumentShapes *self)
{
  return describe_shapes (self, 0);
}

char *
gmcp_argument_quote_name (const char *name)
{
  g_autofree char *cut = NULL;
  GString *quoted;
  GmcpJsonWriter writer;
  gboolean plain = *name != '\0';

  for (const char *c = name; *c != '\0' && plain; c++)
    plain = g_ascii_isalnum (*c) || strchr ("_-$.", *c) != NULL || (guchar) *c >= 0x80;
  if (g_utf8_strlen (name, -1) > NAME_CHARS)
    {
      g_autofree char *begin = g_utf8_substring (name, 0, NAME_CHARS);

      cut = g_strconcat (begin, "…", NULL);
    }
  if (plain)
    return g_strdup (cut != NULL ? cut : name);

  quoted = g_string_new (NULL);
  writer = gmcp_json_writer_init (quoted);
  gmcp_json_writer_string (&writer, cut != NULL ? cut : name);
  return g_string_free (quoted, FALSE);
}

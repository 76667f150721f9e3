/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-json-patcher-private.h"
#include "gmcp-map-edit-private.h"

typedef struct
{
  const GmcpMapPlace *place;
  const char *unit; /* of indents */
  JsonObject *entry;
} Rendering;

/* A list is short enough for one line. */
static void
append_value (GString *out, JsonNode *node)
{
  JsonArray *array = JSON_NODE_HOLDS_ARRAY (node) ? json_node_get_array (node) : NULL;
  g_autofree char *text = array == NULL ? json_to_string (node, FALSE) : NULL;

  if (array == NULL)
    {
      g_string_append (out, text);
      return;
    }
  g_string_append_c (out, '[');
  for (guint i = 0; i < json_array_get_length (array); i++)
    {
      if (i > 0)
        g_string_append (out, ", ");
      append_value (out, json_array_get_element (array, i));
    }
  g_string_append_c (out, ']');
}

static void
append_object (GString *out, JsonObject *object, const char *indent, const char *unit)
{
  g_autofree char *inner = g_strconcat (indent, unit, NULL);
  g_autoptr (GList) names = json_object_get_members (object);

  g_string_append_c (out, '{');
  for (GList *l = names; l != NULL; l = l->next)
    {
      JsonNode *node = json_object_get_member (object, l->data);
      GmcpJsonWriter writer = gmcp_json_writer_init (out);

      g_string_append_printf (out, "%s\n%s", l != names ? "," : "", inner);
      gmcp_json_writer_string (&writer, l->data);
      g_string_append (out, ": ");
      if (JSON_NODE_HOLDS_OBJECT (node) && json_object_get_size (json_node_get_object (node)) > 0)
        append_object (out, json_node_get_object (node), inner, unit);
      else
        append_value (out, node);
    }
  if (names != NULL)
    g_string_append_printf (out, "\n%s", indent);
  g_string_append_c (out, '}');
}

static void
render_entry (GString *out, const char *indent, gpointer data)
{
  Rendering *self = data;
  GmcpJsonWriter writer = gmcp_json_writer_init (out);

  g_string_append_printf (out, "\n%s", indent);
  gmcp_json_writer_string (&writer, self->place->name);
  g_string_append (out, ": ");
  append_object (out, self->entry, indent, self->unit);
}

static void
render_map (GString *out, const char *indent, gpointer data)
{
  Rendering *self = data;
  g_autofree char *inner = g_strconcat (indent, self->unit, NULL);
  GmcpJsonWriter writer = gmcp_json_writer_init (out);

  g_string_append_printf (out, "\n%s", indent);
  gmcp_json_writer_string (&writer, self->place->map_key);
  g_string_append (out, ": {");
  render_entry (out, inner, self);
  g_string_append_printf (out, "\n%s}", indent);
}

/* The last one of that name, which is the one that counts. */
static gboolean
find_entry (GmcpJsonValue map, const char *name, GmcpJsonValue *key, GmcpJsonValue *entry)
{
  GmcpJsonValue name_read, value;
  GmcpJsonIter iter;
  gboolean is_found = FALSE;

  gmcp_json_iter_init (&iter, map);
  while (gmcp_json_iter_next (&iter, &name_read, &value))
    {
      if (!gmcp_json_value_equals_string (name_read, name))
        continue;
      *key = name_read;
      *entry = value;
      is_found = TRUE;
    }
  return is_found;
}

static gboolean
replace_entry (GmcpJsonPatcher *patcher, GmcpJsonValue value, Rendering *rendering, GError **error)
{
  gsize start = gmcp_json_patcher_find_start (patcher, value);
  gsize end = gmcp_json_patcher_find_end (patcher, value);
  g_autofree char *indent = gmcp_json_patcher_dup_indent (patcher, start);
  g_autoptr (GString) out = g_string_new (NULL);

  if (gmcp_json_patcher_has_comment (patcher, start, end))
    return gmcp_map_edit_refuse_comments (rendering->place, error);
  append_object (out, rendering->entry, indent, rendering->unit);
  gmcp_json_patcher_add (patcher, start, end, g_string_free (g_steal_pointer (&out), FALSE));
  return TRUE;
}

/* A map that is null is written anew. */
static void
add_entry (GmcpJsonPatcher *patcher, GmcpJsonValue map, Rendering *rendering)
{
  GmcpJsonValue root = gmcp_json_doc_get_root (patcher->document->json);
  gboolean is_map = gmcp_json_value_is_object (map);

  if (is_map || !gmcp_json_value_is_present (map))
    {
      gmcp_json_patcher_append_members (patcher, is_map ? map : root,
                                        is_map ? render_entry : render_map, rendering);
    }
  else
    {
      gsize start = gmcp_json_patcher_find_start (patcher, map);
      g_autofree char *indent = gmcp_json_patcher_dup_indent (patcher, start);
      g_autofree char *inner = g_strconcat (indent, rendering->unit, NULL);
      GString *out = g_string_new ("{");

      render_entry (out, inner, rendering);
      g_string_append_printf (out, "\n%s}", indent);
      gmcp_json_patcher_add (patcher, start, gmcp_json_patcher_find_end (patcher, map),
                             g_string_free (out, FALSE));
    }
}

char *
gmcp_map_edit_json (const GmcpMapPlace *place,
                    const char *text,
                    gsize length,
                    JsonObject *entry,
                    GError **error)
{
  g_auto (GmcpJsonPatcher) patcher = { NULL };
  gboolean is_blank = gmcp_map_edit_is_blank (text, length);
  Rendering rendering = { .place = place, .entry = entry };
  GmcpJsonValue map, key, value;

  if (!gmcp_json_patcher_open (&patcher, is_blank ? NULL : text, length, error))
    return NULL;
  rendering.unit = patcher.unit;
  map
    = gmcp_json_value_get_member (gmcp_json_doc_get_root (patcher.document->json), place->map_key);
  if (!find_entry (map, place->name, &key, &value))
    {
      if (entry != NULL)
        add_entry (&patcher, map, &rendering);
    }
  else if (entry == NULL)
    gmcp_json_patcher_remove_member (&patcher, map, key);
  else if (!replace_entry (&patcher, value, &rendering, error))
    return NULL;
  return gmcp_json_patcher_apply (&patcher);
}

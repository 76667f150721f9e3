/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-json-private.h"
#include "gmcp-tool-pin-private.h"

/**
 * GmcpToolPin:
 *
 * What a tool was when it was first seen, or approved, and what it is now. Immutable.
 *
 * Since: 0.1
 */
struct _GmcpToolPin
{
  GObject parent_instance;

  char *server;
  char *tool;
  char *approved;
  char *approved_digest;
  char *present;
  char *present_digest;
  GmcpPinStatus status;
};

G_DEFINE_FINAL_TYPE (GmcpToolPin, gmcp_tool_pin, G_TYPE_OBJECT)

static void
gmcp_tool_pin_finalize (GObject *object)
{
  GmcpToolPin *self = GMCP_TOOL_PIN (object);

  g_free (self->server);
  g_free (self->tool);
  g_free (self->approved);
  g_free (self->approved_digest);
  g_free (self->present);
  g_free (self->present_digest);

  G_OBJECT_CLASS (gmcp_tool_pin_parent_class)->finalize (object);
}

static void
gmcp_tool_pin_class_init (GmcpToolPinClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = gmcp_tool_pin_finalize;
}

static void
gmcp_tool_pin_init (GmcpToolPin *self)
{
}

GmcpToolPin *
gmcp_tool_pin_new (const GmcpToolPinView *view)
{
  GmcpToolPin *self = g_object_new (GMCP_TYPE_TOOL_PIN, NULL);

  self->server = g_strdup (view->server);
  self->tool = g_strdup (view->tool);
  self->approved = g_strdup (view->approved);
  self->approved_digest = g_strdup (view->approved_digest);
  self->present = g_strdup (view->present);
  self->present_digest = g_strdup (view->present_digest);
  self->status = view->status;
  return self;
}

/**
 * gmcp_tool_pin_get_server_id:
 * @self: a pin
 *
 * Gives the id of the tool's server.
 *
 * Returns: the id
 *
 * Since: 0.1
 */
const char *
gmcp_tool_pin_get_server_id (GmcpToolPin *self)
{
  g_return_val_if_fail (GMCP_IS_TOOL_PIN (self), NULL);

  return self->server;
}

/**
 * gmcp_tool_pin_get_tool:
 * @self: a pin
 *
 * Gives the server's own name of the tool.
 *
 * Returns: the name
 *
 * Since: 0.1
 */
const char *
gmcp_tool_pin_get_tool (GmcpToolPin *self)
{
  g_return_val_if_fail (GMCP_IS_TOOL_PIN (self), NULL);

  return self->tool;
}

/**
 * gmcp_tool_pin_get_status:
 * @self: a pin
 *
 * Says whether the tool is what was approved.
 *
 * Returns: the status
 *
 * Since: 0.1
 */
GmcpPinStatus
gmcp_tool_pin_get_status (GmcpToolPin *self)
{
  g_return_val_if_fail (GMCP_IS_TOOL_PIN (self), GMCP_PIN_STATUS_NEW);

  return self->status;
}

/**
 * gmcp_tool_pin_get_approved_json:
 * @self: a pin
 *
 * Gives the definition that was approved: all that the server said of the tool, but for `_meta`. Of one of
 * more than 8 KiB the large parts are not kept; there is a text with their hash and size in their place.
 *
 * Returns: (nullable): a JSON object as text; %NULL for a tool that was never approved, or of which nothing
 *   but a hash is kept
 *
 * Since: 0.1
 */
const char *
gmcp_tool_pin_get_approved_json (GmcpToolPin *self)
{
  g_return_val_if_fail (GMCP_IS_TOOL_PIN (self), NULL);

  return self->approved;
}

/**
 * gmcp_tool_pin_get_present_json:
 * @self: a pin
 *
 * Gives the definition that the tool was last seen with, in the same way.
 *
 * Returns: (nullable): a JSON object as text; %NULL where nothing but a hash is kept
 *
 * Since: 0.1
 */
const char *
gmcp_tool_pin_get_present_json (GmcpToolPin *self)
{
  g_return_val_if_fail (GMCP_IS_TOOL_PIN (self), NULL);

  return self->present;
}

/**
 * gmcp_tool_pin_get_present_digest:
 * @self: a pin
 *
 * Gives the SHA-256 of the whole definition that the tool was last seen with, also where not all of it
 * is kept. Two pins that have the same one speak of the same definition.
 *
 * Returns: hexadecimal digits
 *
 * Since: 0.1
 */
const char *
gmcp_tool_pin_get_present_digest (GmcpToolPin *self)
{
  g_return_val_if_fail (GMCP_IS_TOOL_PIN (self), NULL);

  return self->present_digest;
}

static GmcpJsonDoc *
parse_definition (const char *text)
{
  return text != NULL ? gmcp_json_doc_parse (text, strlen (text), NULL, 0, NULL) : NULL;
}

static GmcpJsonValue
get_root (GmcpJsonDoc *doc)
{
  return doc != NULL ? gmcp_json_doc_get_root (doc) : GMCP_JSON_NONE;
}

static void
append_side (GString *text, char mark, const char *name, GmcpJsonValue value)
{
  g_autofree char *raw = NULL;

  if (!gmcp_json_value_is_present (value))
    return;

  raw = gmcp_json_value_dup_raw (value);
  g_string_append_printf (text, "%c %s: %s\n", mark, name, raw);
}

static void
append_part (GString *text, const char *name, GmcpJsonValue approved, GmcpJsonValue present)
{
  GmcpJsonValue before = gmcp_json_value_get_member (approved, name);
  GmcpJsonValue now = gmcp_json_value_get_member (present, name);

  if (gmcp_json_value_is_present (before) == gmcp_json_value_is_present (now)
      && (!gmcp_json_value_is_present (now) || gmcp_json_value_equal (before, now)))
    return;
  append_side (text, '-', name, before);
  append_side (text, '+', name, now);
}

/* Members that people know come first. */
static GPtrArray *
list_parts (GmcpJsonValue approved, GmcpJsonValue present)
{
  static const char *const known[]
    = { "name", "title", "description", "annotations", "inputSchema", "outputSchema" };
  const GmcpJsonValue sides[] = { approved, present };
  GPtrArray *parts = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GHashTable) listed = g_hash_table_new (g_str_hash, g_str_equal);

  for (gsize i = 0; i < G_N_ELEMENTS (known); i++)
    {
      g_ptr_array_add (parts, g_strdup (known[i]));
      g_hash_table_add (listed, (gpointer) known[i]);
    }
  for (gsize i = 0; i < G_N_ELEMENTS (sides); i++)
    {
      GmcpJsonIter iter;
      GmcpJsonValue key;

      gmcp_json_iter_init (&iter, sides[i]);
      while (gmcp_json_iter_next (&iter, &key, NULL))
        {
          g_autofree char *name = gmcp_json_value_dup_string (key);

          if (g_hash_table_contains (listed, name))
            continue;
          g_hash_table_add (listed, name);
          g_ptr_array_add (parts, g_steal_pointer (&name));
        }
    }

  return parts;
}

/* Where nothing else can be shown. */
static void
append_digests (GmcpToolPin *self, GString *text)
{
  if (self->approved_digest != NULL)
    g_string_append_printf (text, "- SHA-256 %s\n", self->approved_digest);
  if (self->present_digest != NULL)
    g_string_append_printf (text, "+ SHA-256 %s\n", self->present_digest);
}

/**
 * gmcp_tool_pin_dup_diff:
 * @self: a pin
 *
 * Says what is different about a tool since it was approved: for each part that differs a line that
 * begins with `-` and has what was approved, and one that begins with `+` and has what is there now.
 * Where the definitions are not kept, or differ in what is kept of neither, that is their hashes.
 *
 * Returns: (transfer full): the lines; an empty text where nothing differs
 *
 * Since: 0.1
 */
char *
gmcp_tool_pin_dup_diff (GmcpToolPin *self)
{
  g_autoptr (GmcpJsonDoc) approved = NULL;
  g_autoptr (GmcpJsonDoc) present = NULL;
  g_autoptr (GPtrArray) parts = NULL;
  GString *text;

  g_return_val_if_fail (GMCP_IS_TOOL_PIN (self), NULL);

  text = g_string_new (NULL);
  if (self->status == GMCP_PIN_STATUS_APPROVED)
    return g_string_free (text, FALSE);

  approved = parse_definition (self->approved);
  present = parse_definition (self->present);
  if (present != NULL && (approved != NULL || self->approved_digest == NULL))
    {
      parts = list_parts (get_root (approved), get_root (present));
      for (guint i = 0; i < parts->len; i++)
        append_part (text, g_ptr_array_index (parts, i), get_root (approved), get_root (present));
    }
  if (text->len == 0)
    append_digests (self, text);

  return g_string_free (text, FALSE);
}

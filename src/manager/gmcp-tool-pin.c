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
  char *present;
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
  g_free (self->present);

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
  self->present = g_strdup (view->present);
  self->status = view->status;
  return self;
}

/**
 * gmcp_tool_pin_get_server:
 * @self: a pin
 *
 * Gives the id of the tool's server.
 *
 * Returns: the id
 *
 * Since: 0.1
 */
const char *
gmcp_tool_pin_get_server (GmcpToolPin *self)
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
 * Gives the definition that was approved: name, description and schemas.
 *
 * Returns: (nullable): a JSON object as text; %NULL for a tool that was never approved
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
 * Gives the definition that the tool was last seen with.
 *
 * Returns: (nullable): a JSON object as text
 *
 * Since: 0.1
 */
const char *
gmcp_tool_pin_get_present_json (GmcpToolPin *self)
{
  g_return_val_if_fail (GMCP_IS_TOOL_PIN (self), NULL);

  return self->present;
}

static GmcpJsonDoc *
parse (const char *text)
{
  return text != NULL ? gmcp_json_doc_parse (text, strlen (text), NULL, 0, NULL) : NULL;
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

/**
 * gmcp_tool_pin_dup_diff:
 * @self: a pin
 *
 * Says what is different about a tool since it was approved: for each part that differs a line that
 * begins with `-` and has what was approved, and one that begins with `+` and has what is there now.
 *
 * Returns: (transfer full): the lines; an empty text where nothing differs
 *
 * Since: 0.1
 */
char *
gmcp_tool_pin_dup_diff (GmcpToolPin *self)
{
  static const char *const parts[] = { "name", "description", "inputSchema", "outputSchema" };
  g_autoptr (GmcpJsonDoc) approved = NULL;
  g_autoptr (GmcpJsonDoc) present = NULL;
  GString *text;

  g_return_val_if_fail (GMCP_IS_TOOL_PIN (self), NULL);

  text = g_string_new (NULL);
  approved = parse (self->approved);
  present = parse (self->present);
  for (gsize i = 0; i < G_N_ELEMENTS (parts); i++)
    {
      GmcpJsonValue before = GMCP_JSON_NONE;
      GmcpJsonValue now = GMCP_JSON_NONE;

      if (approved != NULL)
        before = gmcp_json_value_get_member (gmcp_json_doc_get_root (approved), parts[i]);
      if (present != NULL)
        now = gmcp_json_value_get_member (gmcp_json_doc_get_root (present), parts[i]);
      if (gmcp_json_value_is_present (before) == gmcp_json_value_is_present (now)
          && (!gmcp_json_value_is_present (now) || gmcp_json_value_equal (before, now)))
        continue;
      append_side (text, '-', parts[i], before);
      append_side (text, '+', parts[i], now);
    }

  return g_string_free (text, FALSE);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-tool-private.h"

/* What a server says of how its tool behaves. */

G_DEFINE_ENUM_TYPE (GmcpTaskSupport,
                    gmcp_task_support,
                    G_DEFINE_ENUM_VALUE (GMCP_TASK_SUPPORT_FORBIDDEN, "forbidden"),
                    G_DEFINE_ENUM_VALUE (GMCP_TASK_SUPPORT_OPTIONAL, "optional"),
                    G_DEFINE_ENUM_VALUE (GMCP_TASK_SUPPORT_REQUIRED, "required"))

static gboolean
get_hint (GmcpTool *self, const char *name, gboolean fallback)
{
  GmcpJsonValue annotations
    = gmcp_json_value_get_member (gmcp_definition_get_value (self), "annotations");
  gboolean hint = fallback;

  gmcp_json_value_get_boolean (gmcp_json_value_get_member (annotations, name), &hint);
  return hint;
}

/**
 * gmcp_tool_is_read_only:
 * @self: a tool
 *
 * Tells whether the server says that the tool changes nothing. %FALSE where it says nothing.
 *
 * Returns: whether the tool is marked read-only
 *
 * Since: 0.1
 */
gboolean
gmcp_tool_is_read_only (GmcpTool *self)
{
  g_return_val_if_fail (GMCP_IS_TOOL (self), FALSE);

  return get_hint (self, "readOnlyHint", FALSE);
}

/**
 * gmcp_tool_is_destructive:
 * @self: a tool
 *
 * Tells whether the tool may destroy something. %TRUE where the server says nothing. Says nothing
 * about a tool that is read-only.
 *
 * Returns: whether the tool may destroy something
 *
 * Since: 0.1
 */
gboolean
gmcp_tool_is_destructive (GmcpTool *self)
{
  g_return_val_if_fail (GMCP_IS_TOOL (self), TRUE);

  return get_hint (self, "destructiveHint", TRUE);
}

/**
 * gmcp_tool_is_idempotent:
 * @self: a tool
 *
 * Tells whether the server says that a second call with the same arguments changes nothing more.
 * %FALSE where it says nothing.
 *
 * Returns: whether the tool is marked idempotent
 *
 * Since: 0.1
 */
gboolean
gmcp_tool_is_idempotent (GmcpTool *self)
{
  g_return_val_if_fail (GMCP_IS_TOOL (self), FALSE);

  return get_hint (self, "idempotentHint", FALSE);
}

/**
 * gmcp_tool_is_open_world:
 * @self: a tool
 *
 * Tells whether the tool may deal with an open world, such as the web. %TRUE where the server says
 * nothing.
 *
 * Returns: whether the tool deals with an open world
 *
 * Since: 0.1
 */
gboolean
gmcp_tool_is_open_world (GmcpTool *self)
{
  g_return_val_if_fail (GMCP_IS_TOOL (self), TRUE);

  return get_hint (self, "openWorldHint", TRUE);
}

/**
 * gmcp_tool_get_task_support:
 * @self: a tool
 *
 * Tells whether the server lets calls of the tool become tasks. `FORBIDDEN` where it says nothing.
 *
 * Spec: MCP 2025-11-25, basic/utilities/tasks, "Tool-Level Negotiation".
 *
 * Returns: what the tool says
 *
 * Since: 0.1
 */
GmcpTaskSupport
gmcp_tool_get_task_support (GmcpTool *self)
{
  GmcpJsonValue support;

  g_return_val_if_fail (GMCP_IS_TOOL (self), GMCP_TASK_SUPPORT_FORBIDDEN);

  support
    = gmcp_json_value_get_pointer (gmcp_definition_get_value (self), "/execution/taskSupport");
  if (gmcp_json_value_equals_string (support, "required"))
    return GMCP_TASK_SUPPORT_REQUIRED;
  return gmcp_json_value_equals_string (support, "optional") ? GMCP_TASK_SUPPORT_OPTIONAL
                                                             : GMCP_TASK_SUPPORT_FORBIDDEN;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-i18n-private.h"
#include "gmcp-server-private.h"
#include "gmcp-server-tools-private.h"

/* Tools that a program adds to its server itself: they go to the registry that the server serves. */

static GmcpToolRegistry *
get_registry (GmcpServer *self)
{
  GmcpToolProvider *provider = gmcp_server_get_provider (self);

  return GMCP_IS_TOOL_REGISTRY (provider) ? GMCP_TOOL_REGISTRY (provider) : NULL;
}

static gboolean
check_addition (GmcpServer *self, GmcpTool *tool, GError **error)
{
  const char *name = gmcp_definition_get_name (GMCP_DEFINITION (tool));

  if (get_registry (self) == NULL)
    {
      g_set_error_literal (error, GMCP_ERROR, GMCP_ERROR_NOT_SUPPORTED,
                           _ ("The server serves a provider that is no registry; add the tool "
                              "there"));
      return FALSE;
    }

  if (gmcp_server_list_find (gmcp_server_catalog_get_tools (gmcp_server_get_catalog (self)), name)
      != NULL)
    {
      g_set_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT,
                   _ ("The server has a tool “%s” already; remove that one first"), name);
      return FALSE;
    }

  return gmcp_server_tool_check (tool, error);
}

/**
 * gmcp_server_add_tool:
 * @self: a server
 * @tool: the tool, as clients are to see it
 * @func: (scope notified) (closure user_data) (destroy destroy): called for each call of the tool
 * @user_data: data for @func
 * @destroy: (nullable): frees @user_data, when the tool was removed and its last call has begun
 * @error: return location for an error
 *
 * Adds a tool to the registry that the server serves, after those that are there. Clients that listen
 * are told.
 *
 * Arguments of a call are checked against the tool's input schema before @func is called, results
 * against its output schema where it has one; [signal@Gmcp.Server::arguments-refused] says what
 * arguments that do not match are answered with. Clients of revisions before 2026-07-28 do not see an
 * output schema that is not of the type `object`, since theirs has no other.
 *
 * Fails with [error@Gmcp.Error] `INVALID_ARGUMENT` where the name is none that the specification
 * allows, or is taken, or a schema or an `x-mcp-header` in it is not valid, and with `NOT_SUPPORTED`
 * for a schema in a dialect that is not known, and where the server serves another provider than a
 * registry. Then @destroy is not called.
 *
 * Spec: MCP 2026-07-28, server/tools, "Tool".
 *
 * Returns: %TRUE if the tool was added
 *
 * Since: 0.1
 */
gboolean
gmcp_server_add_tool (GmcpServer *self,
                      GmcpTool *tool,
                      GmcpToolFunc func,
                      gpointer user_data,
                      GDestroyNotify destroy,
                      GError **error)
{
  g_return_val_if_fail (GMCP_IS_SERVER (self), FALSE);
  g_return_val_if_fail (GMCP_IS_TOOL (tool), FALSE);
  g_return_val_if_fail (func != NULL, FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  return check_addition (self, tool, error)
         && gmcp_tool_registry_add_tool (get_registry (self), tool, func, user_data, destroy,
                                         error);
}

/**
 * gmcp_server_remove_tool:
 * @self: a server
 * @name: the tool's name
 *
 * Removes a tool that was added to the server's registry. Clients that listen are told; calls of it
 * that run go on.
 *
 * Returns: %TRUE if there was such a tool
 *
 * Since: 0.1
 */
gboolean
gmcp_server_remove_tool (GmcpServer *self, const char *name)
{
  GmcpToolRegistry *registry;

  g_return_val_if_fail (GMCP_IS_SERVER (self), FALSE);
  g_return_val_if_fail (name != NULL, FALSE);

  registry = get_registry (self);
  return registry != NULL && gmcp_tool_registry_remove_tool (registry, name);
}

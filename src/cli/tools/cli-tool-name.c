/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "cli-tool-name.h"

#define SERVER "gmcp-cli-server"
#define OWN    "gmcp-cli-own-name"

void
cli_tool_set_server (GmcpTool *tool, const char *server, const char *own)
{
  g_object_set_data_full (G_OBJECT (tool), SERVER, g_strdup (server), g_free);
  g_object_set_data_full (G_OBJECT (tool), OWN, g_strdup (own), g_free);
}

const char *
cli_tool_get_server (GmcpTool *tool)
{
  const char *server = gmcp_tool_get_server_id (tool);

  return server != NULL ? server : g_object_get_data (G_OBJECT (tool), SERVER);
}

const char *
cli_tool_get_own_name (GmcpTool *tool)
{
  return gmcp_tool_get_server_id (tool) != NULL ? gmcp_tool_get_server_tool_name (tool)
                                                : g_object_get_data (G_OBJECT (tool), OWN);
}

char *
cli_tool_dup_name (GmcpTool *tool)
{
  const char *server = cli_tool_get_server (tool);
  const char *own = cli_tool_get_own_name (tool);

  return server != NULL && own != NULL
           ? g_strconcat (server, ".", own, NULL)
           : g_strdup (gmcp_definition_get_name (GMCP_DEFINITION (tool)));
}

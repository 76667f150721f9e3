/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <gmcp/gmcp.h>

#include "gmcp-tools-provider.h"

#define TYPE_NAME "GmcpToolsProvider"
#define PRIORITY  10

G_MODULE_EXPORT void g_io_gmcp_tools_load (GIOModule *module);
G_MODULE_EXPORT void g_io_gmcp_tools_unload (GIOModule *module);
G_MODULE_EXPORT char **g_io_gmcp_tools_query (void);

void
g_io_gmcp_tools_load (GIOModule *module)
{
  GTypeModule *type_module = G_TYPE_MODULE (module);

  /* Resident from the first moment: sources and objects of ours may outlive any use of the type. */
  g_type_module_use (type_module);

  /* A host that scans folders by itself may load the module, or a copy of it, a second time. */
  if (g_type_from_name (TYPE_NAME) == 0)
    gmcp_tools_provider_register (type_module);

  gmcp_tool_provider_register_extension_point ();
  g_io_extension_point_implement (GMCP_TOOL_PROVIDER_EXTENSION_POINT_NAME,
                                  g_type_from_name (TYPE_NAME), "gmcp", PRIORITY);
}

void
g_io_gmcp_tools_unload (GIOModule *module)
{
}

char **
g_io_gmcp_tools_query (void)
{
  const char *const points[] = { GMCP_TOOL_PROVIDER_EXTENSION_POINT_NAME, NULL };

  return g_strdupv ((char **) points);
}

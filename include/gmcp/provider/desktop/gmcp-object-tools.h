/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/provider/gmcp-tool-provider.h>

G_BEGIN_DECLS

#define GMCP_TYPE_OBJECT_TOOLS (gmcp_object_tools_get_type ())

GMCP_AVAILABLE_IN_0_1
G_DECLARE_FINAL_TYPE (GmcpObjectTools, gmcp_object_tools, GMCP, OBJECT_TOOLS, GObject)

GMCP_AVAILABLE_IN_0_1
GmcpObjectTools *gmcp_object_tools_new (GObject *object);

GMCP_AVAILABLE_IN_0_1
gboolean
gmcp_object_tools_require (const char *namespace_name, const char *version, GError **error);

GMCP_AVAILABLE_IN_0_1
gboolean gmcp_object_tools_add_method (GmcpObjectTools *self,
                                       const char *method_name,
                                       GmcpTool *tool,
                                       GError **error);

GMCP_AVAILABLE_IN_0_1
gboolean gmcp_object_tools_remove_tool (GmcpObjectTools *self, const char *name);

G_END_DECLS

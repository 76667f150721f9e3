/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/provider/gmcp-tool-provider.h>

G_BEGIN_DECLS

#define GMCP_TYPE_DBUS_TOOLS (gmcp_dbus_tools_get_type ())

GMCP_AVAILABLE_IN_0_1
G_DECLARE_FINAL_TYPE (GmcpDBusTools, gmcp_dbus_tools, GMCP, DBUS_TOOLS, GObject)

GMCP_AVAILABLE_IN_0_1
GmcpDBusTools *
gmcp_dbus_tools_new (GDBusConnection *connection, const char *bus_name, const char *object_path);

GMCP_AVAILABLE_IN_0_1
gboolean
gmcp_dbus_tools_set_introspection_xml (GmcpDBusTools *self, const char *xml, GError **error);

GMCP_AVAILABLE_IN_0_1
gboolean gmcp_dbus_tools_add_method (GmcpDBusTools *self,
                                     const char *interface_name,
                                     const char *method_name,
                                     GmcpTool *tool,
                                     GError **error);

GMCP_AVAILABLE_IN_0_1
gboolean gmcp_dbus_tools_add_property_reader (GmcpDBusTools *self,
                                              const char *interface_name,
                                              const char *property_name,
                                              GmcpTool *tool,
                                              GError **error);

GMCP_AVAILABLE_IN_0_1
gboolean gmcp_dbus_tools_add_property_writer (GmcpDBusTools *self,
                                              const char *interface_name,
                                              const char *property_name,
                                              GmcpTool *tool,
                                              GError **error);

GMCP_AVAILABLE_IN_0_1
gboolean gmcp_dbus_tools_remove_tool (GmcpDBusTools *self, const char *name);

G_END_DECLS

/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/provider/gmcp-tool-provider.h>

G_BEGIN_DECLS

#define GMCP_TYPE_ACTION_TOOLS (gmcp_action_tools_get_type ())

GMCP_AVAILABLE_IN_0_1
G_DECLARE_FINAL_TYPE (GmcpActionTools, gmcp_action_tools, GMCP, ACTION_TOOLS, GObject)

GMCP_AVAILABLE_IN_0_1
GmcpActionTools *gmcp_action_tools_new (GActionGroup *action_group);

GMCP_AVAILABLE_IN_0_1
GActionGroup *gmcp_action_tools_get_action_group (GmcpActionTools *self);

GMCP_AVAILABLE_IN_0_1
gboolean gmcp_action_tools_add_action (GmcpActionTools *self,
                                       const char *action_name,
                                       GmcpTool *tool,
                                       GError **error);

GMCP_AVAILABLE_IN_0_1
gboolean gmcp_action_tools_add_state_reader (GmcpActionTools *self,
                                             const char *action_name,
                                             GmcpTool *tool,
                                             GError **error);

GMCP_AVAILABLE_IN_0_1
gboolean gmcp_action_tools_add_state_setter (GmcpActionTools *self,
                                             const char *action_name,
                                             GmcpTool *tool,
                                             GError **error);

GMCP_AVAILABLE_IN_0_1
gboolean gmcp_action_tools_remove_tool (GmcpActionTools *self, const char *name);

GMCP_AVAILABLE_IN_0_1
gboolean gmcp_action_tools_hides_disabled (GmcpActionTools *self);

GMCP_AVAILABLE_IN_0_1
void gmcp_action_tools_set_hides_disabled (GmcpActionTools *self, gboolean hides_disabled);

G_END_DECLS

/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/provider/gmcp-tool-call.h>

G_BEGIN_DECLS

/* One thing to do with one action of a group, as a tool. */

typedef enum
{
  GMCP_ACTION_USE_ACTIVATE,
  GMCP_ACTION_USE_READ,
  GMCP_ACTION_USE_SET,
} GmcpActionUse;

/* The name of the tool where none is given. */
char *gmcp_action_use_dup_tool_name (GmcpActionUse use, const char *action);

/* The tool, of what the group has under that name now; what given says is in the place of what is derived. Fails where
 * the action cannot be used so. */
GmcpTool *gmcp_action_use_make_tool (GmcpActionUse use,
                                     GActionGroup *group,
                                     const char *action,
                                     GmcpTool *given,
                                     GError **error);

/* Does it, and ends the call. */
void gmcp_action_use_handle (GmcpActionUse use,
                             GActionGroup *group,
                             const char *action,
                             GmcpTool *tool,
                             GmcpToolCall *call);

G_END_DECLS

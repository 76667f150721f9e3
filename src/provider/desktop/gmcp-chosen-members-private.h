/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/provider/gmcp-tool-provider.h>

#include "gmcp-dbus-member-private.h"

G_BEGIN_DECLS

/* The methods and properties of one object that a program has chosen, and the tools of those that it has. */

typedef struct _GmcpChosenMembers GmcpChosenMembers;

/* Takes copies. Problems of members when the object was asked are notices of the provider, which owns what is
 * returned. */
GmcpChosenMembers *gmcp_chosen_members_new (const GmcpDBusPlace *place, GmcpToolProvider *provider);
void gmcp_chosen_members_free (GmcpChosenMembers *self);

/* Live; borrowed. */
GListModel *gmcp_chosen_members_get_list (GmcpChosenMembers *self);

gboolean gmcp_chosen_members_add (GmcpChosenMembers *self,
                                  GmcpDBusMemberUse use,
                                  const char *interface_name,
                                  const char *name,
                                  GmcpTool *tool,
                                  GError **error);
gboolean gmcp_chosen_members_remove (GmcpChosenMembers *self, const char *tool_name);

/* What the object says of itself now. A tool that stays the same is the same object. */
void gmcp_chosen_members_set_node (GmcpChosenMembers *self, GDBusNodeInfo *node);

void gmcp_chosen_members_call (GmcpChosenMembers *self, GmcpToolCall *call);

G_END_DECLS

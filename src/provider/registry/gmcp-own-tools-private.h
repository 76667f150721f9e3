/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/provider/registry/gmcp-tool-registry.h>

G_BEGIN_DECLS

/* Tools that are functions of this program. */

typedef struct _GmcpOwnTools GmcpOwnTools;

GmcpOwnTools *gmcp_own_tools_new (void);
void gmcp_own_tools_free (GmcpOwnTools *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpOwnTools, gmcp_own_tools_free)

/* Live; borrowed. */
GListModel *gmcp_own_tools_get_list (GmcpOwnTools *self);

/* GMCP_ERROR_INVALID_ARGUMENT where there is one of that name, or the schema is none; then the data is
 * left to the caller. */
gboolean gmcp_own_tools_add (GmcpOwnTools *self,
                             GmcpTool *tool,
                             GmcpToolFunc func,
                             gpointer user_data,
                             GDestroyNotify destroy,
                             GError **error);
gboolean gmcp_own_tools_remove (GmcpOwnTools *self, const char *name);

/* Calls the function that has the call's name, or answers why not. */
void gmcp_own_tools_call (GmcpOwnTools *self, GmcpToolCall *call);

G_END_DECLS

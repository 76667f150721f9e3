/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-tool-list-cache-private.h"

#include <gmcp/client/gmcp-client.h>

G_BEGIN_DECLS

/* The tools that are listed for a server, which stay while it does not run, and are kept in a file for the
 * next time. */
typedef struct _GmcpToolSnapshot GmcpToolSnapshot;

/* written is called whenever a file was written, while the owner lives. The snapshot is freed with its
 * owner. */
GmcpToolSnapshot *
gmcp_tool_snapshot_new (GObject *owner, GMainContext *context, void (*written) (GObject *owner));
void gmcp_tool_snapshot_free (GmcpToolSnapshot *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpToolSnapshot, gmcp_tool_snapshot_free)

/* The tools, of GmcpTool; borrowed until the next change. */
GPtrArray *gmcp_tool_snapshot_peek_tools (GmcpToolSnapshot *self);
/* What the tools were listed with; NULL before. */
GmcpServerConfig *gmcp_tool_snapshot_get_config (GmcpToolSnapshot *self);
/* What the server was told that this host can do when it listed them. */
GmcpClientAbilities gmcp_tool_snapshot_get_abilities (GmcpToolSnapshot *self);
/* What the server says of its use; NULL for nothing. */
const char *gmcp_tool_snapshot_get_instructions (GmcpToolSnapshot *self);
/* Whether the tools are known of the server as it is configured now. */
gboolean gmcp_tool_snapshot_is_listed (GmcpToolSnapshot *self);

/* Takes what the client has listed; whether other tools are to be listed than before. */
gboolean
gmcp_tool_snapshot_take (GmcpToolSnapshot *self, GmcpServerConfig *config, GmcpClient *client);
/* The client is ready: what was taken of it is what there is to list. */
void gmcp_tool_snapshot_complete (GmcpToolSnapshot *self, GmcpClient *client);
/* Takes what the file has. */
void gmcp_tool_snapshot_recall (GmcpToolSnapshot *self,
                                GmcpServerConfig *config,
                                GmcpClientAbilities abilities,
                                GmcpToolListCache *kept);
/* Writes the file, unless it has all that already; redactor is nullable. */
void
gmcp_tool_snapshot_keep (GmcpToolSnapshot *self, GmcpServerConfig *config, GmcpRedactor *redactor);
gboolean gmcp_tool_snapshot_is_writing (GmcpToolSnapshot *self);

/* Without tools; whether there were some. */
gboolean gmcp_tool_snapshot_withdraw (GmcpToolSnapshot *self);
/* The server is configured anew: its tools stay listed until it says something else. */
void gmcp_tool_snapshot_outdate (GmcpToolSnapshot *self);

G_END_DECLS

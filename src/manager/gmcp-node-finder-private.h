/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/config/gmcp-server-config.h>

G_BEGIN_DECLS

/* Where Node.js is not, for all servers that have no PATH of their own. */
typedef struct _GmcpNodeFinder GmcpNodeFinder;

GmcpNodeFinder *gmcp_node_finder_new (void);
void gmcp_node_finder_free (GmcpNodeFinder *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpNodeFinder, gmcp_node_finder_free)

/* Where Node.js was looked for in vain; NULL where it is there or was not looked for yet. */
const char *gmcp_node_finder_get_searched (GmcpNodeFinder *self);
/* The server did not find it there. TRUE where that is to be told of. */
gboolean
gmcp_node_finder_miss (GmcpNodeFinder *self, GmcpServerConfig *config, const char *searched);
/* The server finds what it needs: Node.js is told of again where it goes again. */
void gmcp_node_finder_find (GmcpNodeFinder *self, GmcpServerConfig *config);
/* Node.js may have been installed: the next start looks. */
void gmcp_node_finder_forget (GmcpNodeFinder *self);

G_END_DECLS

/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-manager-private.h"

G_BEGIN_DECLS

/* Where Node.js was looked for in vain, for servers that have no PATH of their own; NULL where it is
 * there or was not looked for yet. */
const char *gmcp_manager_get_node_searched (GmcpManager *self);
/* Tells of what is missing once. */
void gmcp_manager_miss_node (GmcpManager *self, GmcpServerConfig *config, const char *searched);
/* A server finds what it needs: others that were not started for the lack of it may find it too. */
void gmcp_manager_find_node (GmcpManager *self, GmcpServerConfig *config);
/* Looks again, where servers were not started for the lack of it; those that are due are started where
 * it is there. done is called in any case, perhaps at once. */
void gmcp_manager_look_for_node (GmcpManager *self, GDestroyNotify done, gpointer data);
/* Node.js may have been installed: the next start looks. */
void gmcp_manager_forget_node (GmcpManager *self);

/* A program is about to be started that may do whatever the user may: told of where that was never said,
 * or its command is another since. The configuration is as it is written. */
void gmcp_manager_tell_of_privileges (GmcpManager *self, GmcpServerConfig *config);

G_END_DECLS

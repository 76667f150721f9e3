/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-server-table-private.h"
#include "gmcp-state-store-private.h"

G_BEGIN_DECLS

/* Servers whose tools are not listed: those that are awaited, and what became of all, over all runs. */
typedef struct _GmcpUnlistedServers GmcpUnlistedServers;

typedef struct
{
  /* Whether the tools of the server would be listed. */
  gboolean (*is_included) (GmcpManagedServer *server, gpointer data);
  void (*awaited_changed) (gpointer data);
} GmcpUnlistedServersHooks;

/* The table and the store are there as long as this is. The hooks are static. */
GmcpUnlistedServers *gmcp_unlisted_servers_new (GmcpServerTable *table,
                                                GmcpStateStore *state,
                                                const GmcpUnlistedServersHooks *hooks,
                                                gpointer data);
void gmcp_unlisted_servers_free (GmcpUnlistedServers *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpUnlistedServers, gmcp_unlisted_servers_free)

/* From the time when a server is made until it leaves. */
void gmcp_unlisted_servers_watch (GmcpUnlistedServers *self, GmcpManagedServer *server);
void gmcp_unlisted_servers_unwatch (GmcpUnlistedServers *self, GmcpManagedServer *server);
/* A server that leaves again where it fails to start. Its failure is nobody's to know later, and must not take the
 * place of what is kept of those that stay. The trial ends when the server leaves, or with this, where it stays. */
void gmcp_unlisted_servers_begin_trial (GmcpUnlistedServers *self, GmcpManagedServer *server);
void gmcp_unlisted_servers_end_trial (GmcpUnlistedServers *self, GmcpManagedServer *server);

/* The servers, or which of them are included, have changed. */
void gmcp_unlisted_servers_refresh (GmcpUnlistedServers *self);
/* Ids of those that the list may still grow by, in the order of the table. Borrowed. */
const char *const *gmcp_unlisted_servers_get_awaited (GmcpUnlistedServers *self);

/* What the file of outcomes holds; NULL where it is not there. */
void gmcp_unlisted_servers_take_outcomes (GmcpUnlistedServers *self, GBytes *bytes);
/* Servers that were not tried yet are told what an earlier run left of them. */
void gmcp_unlisted_servers_recall_outcomes (GmcpUnlistedServers *self);

G_END_DECLS

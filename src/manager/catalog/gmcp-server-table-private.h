/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/provider/gmcp-tool-provider.h>
#include <gmcp/supervisor/gmcp-managed-server.h>

G_BEGIN_DECLS

/* The servers that are configured, in their order, and those that are not configured any more and whose
 * processes are not gone yet. */
typedef struct _GmcpServerTable GmcpServerTable;

typedef struct
{
  /* Makes the server of a configuration, with all that a server needs to run. Gives a reference. */
  GmcpManagedServer *(*make_server) (GmcpServerConfig *config, gpointer data);
  /* The server is not in the table any more, which is told of next; then the server is stopped. */
  void (*server_left) (GmcpManagedServer *server, gpointer data);
  /* As GListModel::items-changed. The configurations may be changed again meanwhile. */
  void (*items_changed) (guint position, guint n_removed, guint n_added, gpointer data);
  /* A server says something, which is in its log; it may be one that leaves. */
  void (*notice) (GmcpManagedServer *server,
                  GmcpNoticeLevel level,
                  const char *message,
                  gpointer data);
  /* No server leaves any more. The table may be freed meanwhile. */
  void (*all_gone) (gpointer data);
} GmcpServerTableHooks;

GmcpServerTable *gmcp_server_table_new (const GmcpServerTableHooks *hooks, gpointer data);
/* Servers that leave go on leaving, and nobody is told of it. */
void gmcp_server_table_free (GmcpServerTable *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpServerTable, gmcp_server_table_free)

guint gmcp_server_table_get_length (GmcpServerTable *self);
/* Borrowed. */
GmcpManagedServer *gmcp_server_table_get_server (GmcpServerTable *self, guint position);
/* Borrowed; NULL where no server of that id is configured. */
GmcpManagedServer *gmcp_server_table_find (GmcpServerTable *self, const char *id);
/* A list of references, which stays as it is whatever becomes of the table. */
GPtrArray *gmcp_server_table_list (GmcpServerTable *self);

/* What is configured now: of GmcpServerConfig, each id once. Servers that are left over finish their calls and
 * stop; what is new is made, and what is there is given its configuration. */
void gmcp_server_table_set_configs (GmcpServerTable *self, GPtrArray *configs);
/* Stops all servers, and does not wait for calls under way, which end with the reason. */
void gmcp_server_table_clear (GmcpServerTable *self, const GError *reason);

gboolean gmcp_server_table_has_leaving (GmcpServerTable *self);

G_END_DECLS

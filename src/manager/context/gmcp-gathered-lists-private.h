/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/supervisor/gmcp-managed-server.h>

#include "gmcp-prompt-catalog-private.h"

G_BEGIN_DECLS

/* What servers list beside their tools, as one list of each kind. A server's part is read when it is up, follows
 * what the server says of changes, and stays while the server is away. */
typedef struct _GmcpGatheredLists GmcpGatheredLists;

typedef enum
{
  GMCP_GATHERED_RESOURCES, /* of GmcpResource; of several with one URI the first server's */
  GMCP_GATHERED_TEMPLATES, /* of GmcpResourceTemplate, in the same way */
  GMCP_GATHERED_PROMPTS,   /* of GmcpPrompt, under the names of the catalog of prompts */
  GMCP_GATHERED_N_KINDS,
} GmcpGatheredKind;

/* servers is a list of GmcpManagedServer, which is not kept; those count that includes() gives TRUE for. Without
 * a catalog prompts have their servers' own names. */
GmcpGatheredLists *
gmcp_gathered_lists_new (GListModel *servers,
                         GmcpPromptCatalog *prompts,
                         gboolean (*includes) (GmcpManagedServer *server, gpointer data),
                         gpointer data);
/* moved is called when a server that lists resources is up with another connection, and when resources are
 * listed by others than before; until unfollow with the same data. */
void gmcp_gathered_lists_follow (GmcpGatheredLists *self, GFunc moved, gpointer data);
void gmcp_gathered_lists_unfollow (GmcpGatheredLists *self, gpointer data);
/* Nothing is watched any more; the lists stay as they are. */
void gmcp_gathered_lists_close (GmcpGatheredLists *self);
void gmcp_gathered_lists_free (GmcpGatheredLists *self);

GListModel *gmcp_gathered_lists_get (GmcpGatheredLists *self, GmcpGatheredKind kind);

/* Starts the servers whose lists nobody knows yet, where that is not left to the user. done is called when all
 * have answered or failed, at once perhaps. */
void gmcp_gathered_lists_ask (GmcpGatheredLists *self, GFunc done, gpointer data);
/* The same of one server. Fails where it does not start; one that does not count is not asked. */
void gmcp_gathered_lists_ask_server_async (GmcpGatheredLists *self,
                                           GmcpManagedServer *server,
                                           GCancellable *cancellable,
                                           GAsyncReadyCallback callback,
                                           gpointer user_data);
gboolean gmcp_gathered_lists_ask_server_finish (GmcpManagedServer *server,
                                                GAsyncResult *result,
                                                GError **error);

/* Other servers may count now. */
void gmcp_gathered_lists_refresh (GmcpGatheredLists *self);

/* The server that lists the resource, or else the template that makes its URI. NULL where none does. */
GmcpManagedServer *gmcp_gathered_lists_find_resource (GmcpGatheredLists *self, const char *uri);
/* The same of servers that do not count now, as far as they were asked when they did. */
GmcpManagedServer *gmcp_gathered_lists_find_unlisted (GmcpGatheredLists *self, const char *uri);
/* Those that count come first. */
GmcpManagedServer *
gmcp_gathered_lists_find_template (GmcpGatheredLists *self, const char *uri_template);

G_END_DECLS

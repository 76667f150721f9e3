/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/manager/gmcp-manager.h>

#include "gmcp-single-server-private.h"

G_BEGIN_DECLS

/* What of a manager's lists a role may see; with no role, all that the manager lists. The lists of no manager,
 * NULL, are empty. With a single server, which is not kept and may be NULL, what that server has under its own names. */
typedef struct _GmcpGatewayLists GmcpGatewayLists;

/* updated is called with the URI of a resource that is subscribed to and has changed. */
GmcpGatewayLists *gmcp_gateway_lists_new (GmcpManager *manager,
                                          GmcpSingleServer *single,
                                          void (*updated) (const char *uri, gpointer data),
                                          gpointer data);
void gmcp_gateway_lists_free (GmcpGatewayLists *self);

const char *gmcp_gateway_lists_get_role (GmcpGatewayLists *self);
/* FALSE where that is the role already. */
gboolean gmcp_gateway_lists_set_role (GmcpGatewayLists *self, const char *role);

/* Borrowed. Resources, templates and prompts are gathered once somebody wants them. */
GListModel *gmcp_gateway_lists_get_tools (GmcpGatewayLists *self);
GListModel *gmcp_gateway_lists_get_resources (GmcpGatewayLists *self);
GListModel *gmcp_gateway_lists_get_templates (GmcpGatewayLists *self);
GListModel *gmcp_gateway_lists_get_prompts (GmcpGatewayLists *self);

/* Each subscription is followed by one end of it. The server is listened to while the role may see it. */
void gmcp_gateway_lists_subscribe (GmcpGatewayLists *self, const char *uri);
void gmcp_gateway_lists_unsubscribe (GmcpGatewayLists *self, const char *uri);

/* What a model should know of the servers that the role may see anything of; NULL for nothing. */
char *gmcp_gateway_lists_dup_instructions (GmcpGatewayLists *self);

/* Whether the role may see anything of the server. */
gboolean gmcp_gateway_lists_reach (GmcpGatewayLists *self, GmcpManagedServer *server);
/* The manager's tool as the gateway lists it; NULL with an error where it is beyond the role, or another server's. */
GmcpTool *gmcp_gateway_lists_dup_shown (GmcpGatewayLists *self, GmcpTool *tool, GError **error);

G_END_DECLS

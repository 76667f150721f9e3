/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/manager/gmcp-manager.h>

G_BEGIN_DECLS

/* What of a manager's lists a role may see; with no role, all that the manager lists. The lists of no manager,
 * NULL, are empty. */
typedef struct _GmcpGatewayLists GmcpGatewayLists;

GmcpGatewayLists *gmcp_gateway_lists_new (GmcpManager *manager);
void gmcp_gateway_lists_free (GmcpGatewayLists *self);

const char *gmcp_gateway_lists_get_role (GmcpGatewayLists *self);
/* FALSE where that is the role already. */
gboolean gmcp_gateway_lists_set_role (GmcpGatewayLists *self, const char *role);

/* Borrowed. Resources, templates and prompts are gathered once somebody wants them. */
GListModel *gmcp_gateway_lists_get_tools (GmcpGatewayLists *self);
GListModel *gmcp_gateway_lists_get_resources (GmcpGatewayLists *self);
GListModel *gmcp_gateway_lists_get_templates (GmcpGatewayLists *self);
GListModel *gmcp_gateway_lists_get_prompts (GmcpGatewayLists *self);

/* Whether the role may see the tool. */
gboolean gmcp_gateway_lists_permits (GmcpGatewayLists *self, GmcpTool *tool, GError **error);

G_END_DECLS

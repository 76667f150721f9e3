/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/gateway/gmcp-gateway.h>

#include <gmcp/provider/gmcp-prompt-provider.h>
#include <gmcp/provider/gmcp-resource-provider.h>
#include <gmcp/provider/registry/gmcp-meta-tools.h>

#include "gmcp-gateway-call-private.h"
#include "gmcp-gateway-lists-private.h"

G_BEGIN_DECLS

/* Known to gmcp-gateway.c and the three files of what a gateway provides. */
struct _GmcpGateway
{
  GObject parent_instance;

  GmcpManager *manager; /* nullable: of a gateway that was made without one */
  char *server_id;      /* nullable */
  gboolean search;
  gboolean clients_ask;     /* before they call what somebody has to be asked about */
  GmcpSingleServer *single; /* with a server's id and a manager */
  GmcpGatewayLists *lists;
  GmcpGatewayCalls *calls; /* NULL without a manager */
  GmcpGateway *found;      /* with search, whose tools are searched; nullable */
  GmcpGateway *outer;      /* whose tools search those of this one; not owned, nullable */
  GmcpMetaTools *meta;     /* the tools that search them; nullable */
};

/* gmcp-gateway-tools.c, gmcp-gateway-resources.c and gmcp-gateway-prompts.c: what the manager's servers have,
 * as the interfaces of a provider. */
void gmcp_gateway_tools_init (GmcpToolProviderInterface *iface);
void gmcp_gateway_resources_init (GmcpResourceProviderInterface *iface);
void gmcp_gateway_prompts_init (GmcpPromptProviderInterface *iface);

G_END_DECLS

/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/manager/gmcp-manager.h>
#include <gmcp/server/gmcp-server.h>

#include "gmcpd-open-questions.h"

G_BEGIN_DECLS

/* What the doors to the gateway serve: all servers of the manager as one, a server of its own for each role, with
 * the list of tools or with the tools that search it. */
typedef struct _GmcpdGateways GmcpdGateways;

GmcpdGateways *gmcpd_gateways_new (GmcpManager *manager, GmcpdOpenQuestions *questions);
GmcpdGateways *gmcpd_gateways_ref (GmcpdGateways *self);
void gmcpd_gateways_unref (GmcpdGateways *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpdGateways, gmcpd_gateways_unref)

GmcpManager *gmcpd_gateways_get_manager (GmcpdGateways *self);

/* Made when first asked for. Borrowed. The role may be NULL for none. */
GmcpServer *gmcpd_gateways_get_server (GmcpdGateways *self, const char *role, gboolean search);

/* The names of roles that can stand in an address, each once, in order; others have no address of their own. */
GStrv gmcpd_gateways_list_roles (GmcpdGateways *self);

G_END_DECLS

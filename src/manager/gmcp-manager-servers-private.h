/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-manager-private.h"

G_BEGIN_DECLS

/* The configuration, once it is read, and the servers that it has. */

/* Reads nothing any more; tasks that wait fail, as the manager is closed. */
void gmcp_manager_drop_config (GmcpManager *self);
/* Takes a task of the manager's, which the function goes on with as soon as the configuration is read; it fails
 * where that cannot be read. */
typedef void (*GmcpManagerTaskFunc) (GTask *task);
void gmcp_manager_when_configured (GTask *task, GmcpManagerTaskFunc func);

void gmcp_manager_set_configs (GmcpManager *self, GPtrArray *configs);
void gmcp_manager_drop_servers (GmcpManager *self, const GError *reason);
/* While the tools are wanted, a server that is new or has changed is started for its list. */
void gmcp_manager_start_wanted (GmcpManager *self);

G_END_DECLS

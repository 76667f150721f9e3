/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-manager-private.h"

G_BEGIN_DECLS

/* Roles and projects of the configuration, as they are now. */

void gmcp_manager_set_config_roles (GmcpManager *self, GPtrArray *roles);
/* FALSE where the role of all calls, or that of the options (nullable), allows nothing of the server. */
gboolean gmcp_manager_check_reach (GmcpManager *self,
                                   GmcpManagedServer *server,
                                   GmcpCallOptions *options,
                                   GError **error);

/* Other projects of the configuration. */
void gmcp_manager_set_config_projects (GmcpManager *self, GPtrArray *projects);
/* Whether the server belongs to the project that is set. */
gboolean gmcp_manager_includes_server (GmcpManager *self, GmcpManagedServer *server);

G_END_DECLS

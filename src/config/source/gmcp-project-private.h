/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/config/source/gmcp-project.h>

G_BEGIN_DECLS

/* The resources one by one: the URI of each, and the id of the server that it belongs to, which is NULL where that is
 * not clear. Past the last one there is neither. */
guint gmcp_project_get_n_resources (GmcpProject *self);
const char *gmcp_project_get_resource_uri (GmcpProject *self, guint position);
char *gmcp_project_dup_resource_server_id (GmcpProject *self, guint position);

G_END_DECLS

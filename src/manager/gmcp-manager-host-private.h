/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-manager-private.h"

G_BEGIN_DECLS

/* The manager is what the server turns to, until the server is given another host. */
void gmcp_manager_host_server (GmcpManager *self, GmcpManagedServer *server);

G_END_DECLS

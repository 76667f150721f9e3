/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-managed-server-private.h"

G_BEGIN_DECLS

/* Of an instance that is about to start: what the host wishes holds for its client, and a process that cannot give
 * that is not shared. */
void gmcp_managed_server_prepare_sharing (GmcpManagedServer *self, GmcpServerInstance *instance);

G_END_DECLS

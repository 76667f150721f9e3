/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-managed-server-private.h"

G_BEGIN_DECLS

/* The start of a server. */

/* Why the server cannot be started whatever is tried, where that is known; else NULL. */
GError *gmcp_managed_server_lacking_error (GmcpManagedServer *self);
/* The server is asked for by name: what was missing is looked for again. */
void gmcp_managed_server_look_again (GmcpManagedServer *self);
void gmcp_managed_server_begin_start (GmcpManagedServer *self);

G_END_DECLS

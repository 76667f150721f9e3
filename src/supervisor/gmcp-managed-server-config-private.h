/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-managed-server-private.h"

G_BEGIN_DECLS

/* The configuration of a server. */

/* Says that the server does not run, and what to do about that; of a disabled server, that it is disabled. */
GError *gmcp_managed_server_not_running_error (GmcpManagedServer *self);

G_END_DECLS

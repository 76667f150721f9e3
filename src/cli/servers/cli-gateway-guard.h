/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "cli-host.h"

G_BEGIN_DECLS

/* A gateway that one of its own servers starts would start that server again, and so on without end. Each gateway
 * tells the servers which configurations are served above them, by the variable GMCP_GATEWAYS. */

/* Says that this process is a gateway from here on; fails, which is reported, where one with the same servers is above
 * it. Before the host is opened. */
CliExit cli_gateway_guard_enter (CliHost *host);
/* Whether the session's daemon is above this process. */
gboolean cli_gateway_guard_is_below_daemon (void);

G_END_DECLS

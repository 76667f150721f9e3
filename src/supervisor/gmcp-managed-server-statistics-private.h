/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-managed-server-private.h"

G_BEGIN_DECLS

/* The log of what a server writes, and its secrets. */

void gmcp_managed_server_log_output (GmcpManagedServer *self, GmcpClient *client);
/* Takes a text, and gives it without secrets. */
char *gmcp_managed_server_redact (GmcpManagedServer *self, char *text);

G_END_DECLS

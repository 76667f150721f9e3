/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/supervisor/gmcp-managed-server.h>

G_BEGIN_DECLS

/* Adds what a model should know of a server, if anything, under the server's title. */
void gmcp_server_instructions_append (GString *text, GmcpManagedServer *server);

G_END_DECLS

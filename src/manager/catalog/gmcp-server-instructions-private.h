/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-server-table-private.h"

G_BEGIN_DECLS

/* Adds what a model should know of a server, if anything, under the server's title. */
void gmcp_server_instructions_append (GString *text, GmcpManagedServer *server);

/* The same of all servers that are included; NULL for nothing. */
char *
gmcp_server_instructions_gather (GmcpServerTable *servers,
                                 gboolean (*includes) (GmcpManagedServer *server, gpointer data),
                                 gpointer data);

G_END_DECLS

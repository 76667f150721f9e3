/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-http-clients-private.h"
#include "gmcp-http-connections-private.h"

G_BEGIN_DECLS

/* The end of an endpoint in order: what runs is answered, what is answered is written; or the time for it is over. */
typedef struct _GmcpHttpDrain GmcpHttpDrain;

/* connections is NULL for a SoupServer of the program's, which goes on writing by itself. done is called once, in a
 * later turn of the main loop. Neither of the two is owned. */
GmcpHttpDrain *gmcp_http_drain_new (GmcpHttpClients *clients,
                                    GmcpHttpConnections *connections,
                                    guint timeout_ms,
                                    void (*done) (gpointer data),
                                    gpointer data);
/* done is not called any more. */
void gmcp_http_drain_free (GmcpHttpDrain *self);

G_END_DECLS

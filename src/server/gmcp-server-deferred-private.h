/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-server-exchange-private.h"

G_BEGIN_DECLS

/* A request that cannot be answered yet. It runs meanwhile, as one that is being answered does: it counts, can be
 * cancelled, and ends with its connection. */
typedef struct _GmcpServerDeferred GmcpServerDeferred;

/* NULL, with an error sent, where as many run as may. ended is called where the request ends while it waits; it is
 * gone then. */
GmcpServerDeferred *
gmcp_server_deferred_new (GmcpServerExchange *exchange,
                          void (*ended) (GmcpServerDeferred *self, gpointer data),
                          gpointer data);
/* Ends it with no answer. */
void gmcp_server_deferred_free (GmcpServerDeferred *self);
/* Takes it, and handles the request from its beginning; after a name was looked for, with what came of that. What the
 * request does may end the server. */
void gmcp_server_deferred_resume (GmcpServerDeferred *self, const GmcpServerNameSearch *search);

G_END_DECLS

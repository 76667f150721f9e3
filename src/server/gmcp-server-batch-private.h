/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-server-connection-private.h"

G_BEGIN_DECLS

/* The answers to several messages that came in one array. They leave in one array, when the last is
 * there; requests that are cancelled have no answer in it. */

void
gmcp_server_batch_handle (GmcpServerConnection *connection, GmcpJsonDoc *doc, GmcpJsonValue array);

/* Each request that is answered later holds the batch until it is at its end. */
GmcpServerBatch *gmcp_server_batch_hold (GmcpServerBatch *self);
void gmcp_server_batch_release (GmcpServerBatch *self);
void gmcp_server_batch_add (GmcpServerBatch *self, const char *text, gsize length);

G_END_DECLS

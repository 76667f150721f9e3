/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/transport/gmcp-stream-transport.h>

#include "gmcp-byte-budget-private.h"

G_BEGIN_DECLS

/* Sets where a transport for an address connects to the next time that it is opened. */
void gmcp_stream_transport_set_path (GmcpStreamTransport *self, const char *path);

/* A transport for a Unix socket does not open where the program that listens is another user's. */
void gmcp_stream_transport_set_own_user_only (GmcpStreamTransport *self);

/* How much may wait to be written, beside one message, from the next opening on. */
void
gmcp_stream_transport_set_max_queued_bytes (GmcpStreamTransport *self, guint64 max_queued_bytes);
/* Of what waits to be written it and others have so much together, where it is more than a small message of each. Holds from
 * the next opening of a socket on. */
void gmcp_stream_transport_set_output_budget (GmcpStreamTransport *self, GmcpByteBudget *budget);

G_END_DECLS

/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/transport/gmcp-stream-transport.h>

#include "gmcp-output-queue-private.h"

G_BEGIN_DECLS

/* Sets where a transport for an address connects to the next time that it is opened. */
void gmcp_stream_transport_set_path (GmcpStreamTransport *self, const char *path);

/* A transport for a Unix socket does not open where the program that listens is another user's. */
void gmcp_stream_transport_set_own_user_only (GmcpStreamTransport *self);

/* Of what waits to be written; before the transport is opened. Keeps the budget. */
void
gmcp_stream_transport_set_output_limits (GmcpStreamTransport *self, const GmcpOutputLimits *limits);

/* Of messages that have not come whole, past the first 64 KiB of each; the same. */
void gmcp_stream_transport_set_input_budget (GmcpStreamTransport *self, GmcpByteBudget *budget);

G_END_DECLS

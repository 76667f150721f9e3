/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/transport/gmcp-stream-transport.h>

G_BEGIN_DECLS

/* Sets where a transport for an address connects to the next time that it is opened. */
void gmcp_stream_transport_set_path (GmcpStreamTransport *self, const char *path);

G_END_DECLS

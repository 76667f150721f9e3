/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gio/gio.h>

#include <gmcp/transport/gmcp-transport.h>

G_BEGIN_DECLS

#define GMCP_TYPE_STREAM_TRANSPORT (gmcp_stream_transport_get_type ())

GMCP_AVAILABLE_IN_0_1
G_DECLARE_FINAL_TYPE (GmcpStreamTransport,
                      gmcp_stream_transport,
                      GMCP,
                      STREAM_TRANSPORT,
                      GmcpTransport)

GMCP_AVAILABLE_IN_0_1
GmcpStreamTransport *gmcp_stream_transport_new (GIOStream *stream);

GMCP_AVAILABLE_IN_0_1
GmcpStreamTransport *gmcp_stream_transport_new_for_address (GSocketConnectable *address);

GMCP_AVAILABLE_IN_0_1
GmcpStreamTransport *gmcp_stream_transport_new_for_path (const char *path);

GMCP_AVAILABLE_IN_0_1
GIOStream *gmcp_stream_transport_get_stream (GmcpStreamTransport *self);

GMCP_AVAILABLE_IN_0_1
GSocketConnectable *gmcp_stream_transport_get_address (GmcpStreamTransport *self);

G_END_DECLS

/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/transport/gmcp-transport.h>

G_BEGIN_DECLS

#define GMCP_TYPE_FD_TRANSPORT (gmcp_fd_transport_get_type ())

GMCP_AVAILABLE_IN_0_1
G_DECLARE_FINAL_TYPE (GmcpFdTransport, gmcp_fd_transport, GMCP, FD_TRANSPORT, GmcpTransport)

GMCP_AVAILABLE_IN_0_1
GmcpFdTransport *gmcp_fd_transport_new (int input_fd, int output_fd);

GMCP_AVAILABLE_IN_0_1
GmcpFdTransport *gmcp_fd_transport_new_stdio (GError **error);

G_END_DECLS

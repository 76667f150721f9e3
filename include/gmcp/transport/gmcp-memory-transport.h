/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/transport/gmcp-transport.h>

G_BEGIN_DECLS

GMCP_AVAILABLE_IN_0_1
void gmcp_memory_transport_new_pair (GmcpTransport **out_first, GmcpTransport **out_second);

G_END_DECLS

/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/server/gmcp-server-request.h>

#include "gmcp-server-tools-private.h"

G_BEGIN_DECLS

/* NULL where no more may run; the client has been told then. arguments is an object that stands in
 * the exchange's message, or none. */
GmcpServerRequest *gmcp_server_request_new (const GmcpServerExchange *exchange,
                                            GmcpServerTool *tool,
                                            GmcpJsonValue arguments);

G_END_DECLS

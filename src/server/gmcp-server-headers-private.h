/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-server-exchange-private.h"
#include "gmcp-tool-headers-private.h"

G_BEGIN_DECLS

/* Headers of requests that came over HTTP, which have to say what the message says: whoever stands in between
 * went by them. Each answers the request with the error, and returns FALSE, where they do not. */

/* requested is the revision that the message names, a string. */
gboolean gmcp_server_headers_check_version (GmcpServerExchange *exchange, GmcpJsonValue requested);
gboolean gmcp_server_headers_check_names (GmcpServerExchange *exchange);
gboolean gmcp_server_headers_check_arguments (GmcpServerExchange *exchange,
                                              const GmcpToolHeaders *headers,
                                              GmcpJsonValue arguments);

G_END_DECLS

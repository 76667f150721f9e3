/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-http-response-private.h"
#include "gmcp-transport-private.h"

G_BEGIN_DECLS

/* A client of whom one HTTP request is known, and nothing before or after: its one message comes in, and what
 * is sent goes into the response. */
#define GMCP_TYPE_HTTP_SERVED_REQUEST (gmcp_http_served_request_get_type ())
G_DECLARE_FINAL_TYPE (GmcpHttpServedRequest,
                      gmcp_http_served_request,
                      GMCP,
                      HTTP_SERVED_REQUEST,
                      GmcpTransport)

/* has_statuses: errors of the protocol have HTTP statuses of their own. */
GmcpTransport *
gmcp_http_served_request_new (GmcpHttpResponse *response, gboolean has_statuses, guint quiet_ms);
/* The message, once somebody takes it. */
void gmcp_http_served_request_deliver (GmcpHttpServedRequest *self, GmcpJsonDoc *message);

G_END_DECLS

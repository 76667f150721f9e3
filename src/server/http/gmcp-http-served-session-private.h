/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-byte-budget-private.h"
#include "gmcp-http-response-private.h"
#include "gmcp-json-private.h"
#include "gmcp-transport-private.h"

G_BEGIN_DECLS

/* A session of the legacy era: a client that comes with many HTTP requests, each of which names the session.
 * What belongs to a request goes out on that request's stream, all else on the last one that was opened to listen and still is.
 *
 * Spec: MCP 2025-11-25, basic/transports, "Session Management". */
#define GMCP_TYPE_HTTP_SERVED_SESSION (gmcp_http_served_session_get_type ())
G_DECLARE_FINAL_TYPE (GmcpHttpServedSession,
                      gmcp_http_served_session,
                      GMCP,
                      HTTP_SERVED_SESSION,
                      GmcpTransport)

/* With an id that nobody can guess. user is whose it is, NULL where nobody asks. */
GmcpHttpServedSession *gmcp_http_served_session_new (GmcpByteBudget *kept,
                                                     guint quiet_ms,
                                                     guint max_streams,
                                                     const char *user);
const char *gmcp_http_served_session_get_user (GmcpHttpServedSession *self);
const char *gmcp_http_served_session_get_id (GmcpHttpServedSession *self);

/* A message, or an array of them, that came with a POST. ids are those of its requests, in the same document;
 * where there are none, it is answered at once. */
void gmcp_http_served_session_post (GmcpHttpServedSession *self,
                                    GmcpJsonDoc *message,
                                    GArray *ids,
                                    GmcpHttpResponse *response);
/* A GET. last_event_id is NULL for a stream that was not open before. */
void gmcp_http_served_session_listen (GmcpHttpServedSession *self,
                                      const char *last_event_id,
                                      GmcpHttpResponse *response);
/* Ends the session. */
void gmcp_http_served_session_end (GmcpHttpServedSession *self);
/* When it was used last, in monotonic time; now, where somebody listens or waits. */
gint64 gmcp_http_served_session_get_used_us (GmcpHttpServedSession *self);

G_END_DECLS

/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-byte-budget-private.h"
#include "gmcp-http-response-private.h"

G_BEGIN_DECLS

/* One stream of a session of the legacy era: what was sent on it is kept, within limits, so that a client whose
 * connection broke can go on behind the last event that it had.
 *
 * Spec: MCP 2025-11-25, basic/transports, "Resumability and Redelivery". */
typedef struct _GmcpHttpEventStream GmcpHttpEventStream;

/* number is unique in the session. primes: the client takes events without data, whose id is to begin with. */
GmcpHttpEventStream *
gmcp_http_event_stream_new (GmcpByteBudget *budget, guint number, gboolean primes);
void gmcp_http_event_stream_free (GmcpHttpEventStream *self);

guint gmcp_http_event_stream_get_number (GmcpHttpEventStream *self);
/* NULL where nobody reads. */
GmcpHttpResponse *gmcp_http_event_stream_get_response (GmcpHttpEventStream *self);
/* From now on this response carries the stream; what was sent after the event last is sent again, or with -1
 * what nobody was sent yet. Takes the place of another. */
void
gmcp_http_event_stream_attach (GmcpHttpEventStream *self, GmcpHttpResponse *response, gint64 last);
void gmcp_http_event_stream_detach (GmcpHttpEventStream *self);
/* Lets go of the response, for whose client there is more when it comes back. FALSE for one that would not. */
gboolean gmcp_http_event_stream_suspend (GmcpHttpEventStream *self, guint retry_ms);

/* Makes the response one of events. */
void gmcp_http_event_stream_begin (GmcpHttpEventStream *self);
/* FALSE: the client does not read what it is sent, and does not find this when it comes back. */
gboolean gmcp_http_event_stream_send (GmcpHttpEventStream *self, const char *text, gsize length);
/* Whether a client knows an id of it, to come back to it. */
gboolean gmcp_http_event_stream_has_id (GmcpHttpEventStream *self);
/* What was sent on another stream that nobody read is sent on this one. */
void gmcp_http_event_stream_take_unsent (GmcpHttpEventStream *self, GmcpHttpEventStream *other);
/* Nothing more comes. */
void gmcp_http_event_stream_end (GmcpHttpEventStream *self);
gboolean gmcp_http_event_stream_has_ended (GmcpHttpEventStream *self);
/* Whether somebody could still want to read what is kept. */
gboolean gmcp_http_event_stream_is_wanted (GmcpHttpEventStream *self);
gsize gmcp_http_event_stream_get_bytes (GmcpHttpEventStream *self);

/* "NUMBER-EVENT" */
gboolean gmcp_http_event_stream_parse_id (const char *id, guint *number, gint64 *event);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpHttpEventStream, gmcp_http_event_stream_free)

G_END_DECLS

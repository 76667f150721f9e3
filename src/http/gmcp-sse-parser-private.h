/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Reads a stream of server-sent events (WHATWG HTML, "Server-sent events"). Bytes are pushed in as
 * they come, events are pulled out; what comes out does not depend on how the bytes were cut. An
 * event of one data line that lies whole in what was pushed is not copied. */

typedef struct _GmcpSseParser GmcpSseParser;

/* Valid until the parser's next call. */
typedef struct
{
  const char *data; /* not NUL-terminated */
  gsize length;
  const char *type; /* "message" where the event names none */
} GmcpSseEvent;

GmcpSseParser *gmcp_sse_parser_new (gsize max_event_bytes);
void gmcp_sse_parser_free (GmcpSseParser *self);
void gmcp_sse_parser_set_max_event_bytes (GmcpSseParser *self, gsize max_event_bytes);

/* The bytes must stay until gmcp_sse_parser_next() has said that there are no more events. */
void gmcp_sse_parser_push (GmcpSseParser *self, const char *bytes, gsize length);

/* TRUE with the next event; FALSE with an error for one that was dropped for its size, after which
 * it can be called again; FALSE without one when more bytes are needed. */
gboolean gmcp_sse_parser_next (GmcpSseParser *self, GmcpSseEvent *event, GError **error);

/* What is kept of an event that is not complete. */
gsize gmcp_sse_parser_get_pending_bytes (GmcpSseParser *self);

/* The id of the last event, also of one without data; NULL where none had one. */
const char *gmcp_sse_parser_get_last_id (GmcpSseParser *self);

/* How long the peer wants to be left alone before the stream is opened again; -1 where it has not
 * said. */
gint64 gmcp_sse_parser_get_retry_ms (GmcpSseParser *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpSseParser, gmcp_sse_parser_free)

G_END_DECLS

/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-http-event-stream-private.h"

G_BEGIN_DECLS

/* The streams of a session that a client opened with a GET, for what belongs to no request. A client may have several; each
 * message goes on one of them, the last that was opened and still is.
 *
 * Spec: MCP 2025-11-25, basic/transports, "Multiple Connections". */
typedef struct _GmcpHttpStandaloneStreams GmcpHttpStandaloneStreams;

/* The streams are the session's. */
GmcpHttpStandaloneStreams *gmcp_http_standalone_streams_new (void);
void gmcp_http_standalone_streams_free (GmcpHttpStandaloneStreams *self);

/* One that is new or was opened again; it is the last then. Gives the one that has to go for that, or NULL. */
GmcpHttpEventStream *
gmcp_http_standalone_streams_add (GmcpHttpStandaloneStreams *self, GmcpHttpEventStream *stream);
gboolean
gmcp_http_standalone_streams_has (GmcpHttpStandaloneStreams *self, GmcpHttpEventStream *stream);
void gmcp_http_standalone_streams_clear (GmcpHttpStandaloneStreams *self);

/* On which the next message goes; NULL where there never was one. */
GmcpHttpEventStream *gmcp_http_standalone_streams_choose (GmcpHttpStandaloneStreams *self);
/* One that nobody reads, and that no client can name, for one that listens for the first time; nullable. */
GmcpHttpEventStream *gmcp_http_standalone_streams_find_unknown (GmcpHttpStandaloneStreams *self);
/* What waits on others that nobody reads goes on this one, which somebody does. */
void
gmcp_http_standalone_streams_gather (GmcpHttpStandaloneStreams *self, GmcpHttpEventStream *stream);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpHttpStandaloneStreams, gmcp_http_standalone_streams_free)

G_END_DECLS

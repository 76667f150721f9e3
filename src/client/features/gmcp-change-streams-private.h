/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-change-stream-private.h"

G_BEGIN_DECLS

/* From the session: all streams at once. What is lost comes in two steps, so that all is in order
 * when the first callback runs. */
GPtrArray *gmcp_change_streams_lose (GmcpSession *session);
void gmcp_change_streams_report_loss (GPtrArray *lost, const GError *error);
void gmcp_change_streams_resume (GmcpSession *session);
/* The peer has forgotten all of them, while the connection goes on. */
void gmcp_change_streams_renew (GmcpSession *session);

/* What the peer says unasked does not come any more, for streams that need that; it comes again. */
void gmcp_change_streams_deafen (GmcpSession *session, const GError *error);
void gmcp_change_streams_hear (GmcpSession *session);

/* What is called where anything may have changed unseen. */
GmcpChangeStreams *
gmcp_change_streams_new (void (*announce_lists) (GmcpSession *session, GmcpSubscriptionFlags lists),
                         void (*announce_resource) (GmcpSession *session, const char *uri));
void gmcp_change_streams_free (GmcpChangeStreams *streams);
/* Calls these. */
void gmcp_change_streams_announce_lists (GmcpSession *session, GmcpSubscriptionFlags lists);
void gmcp_change_streams_announce_resource (GmcpSession *session, const char *uri);
/* The streams there are, borrowed. */
GPtrArray *gmcp_change_streams_get_all (GmcpSession *session);

/* Calls a function for each stream, whatever the function does to them. */
void gmcp_change_streams_foreach (GmcpSession *session, GFunc func, gpointer data);

G_END_DECLS

/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-byte-budget-private.h"
#include "gmcp-soup-server-private.h"

G_BEGIN_DECLS

/* A body may never end, and libsoup reads all of one before it answers. What is above the limit is not waited for: the
 * connection is cut off, and so where the budget of all bodies that come in is used up. is_refused_above: who has said that there is more is told so, if it is not much more. */
void gmcp_http_body_limit (const GmcpSoupServer *soup,
                           SoupServerMessage *message,
                           GmcpByteBudget *budget,
                           guint64 max_bytes,
                           gboolean is_refused_above);
/* The request has been refused: what comes of its body is not kept. */
void gmcp_http_body_drop (const GmcpSoupServer *soup, SoupServerMessage *message);
/* Whether it was cut off, or dropped. */
gboolean gmcp_http_body_is_cut (const GmcpSoupServer *soup, SoupServerMessage *message);

G_END_DECLS

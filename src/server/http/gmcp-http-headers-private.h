/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-soup-server-private.h"

G_BEGIN_DECLS

#define GMCP_HTTP_N_KNOWN_HEADERS 10

/* The headers of a request, read in one turn, as libsoup takes long to look up each. They hold as long as the headers
 * of the message. */
typedef struct
{
  const GmcpSoupServer *soup;
  SoupMessageHeaders *all;
  const char *known[GMCP_HTTP_N_KNOWN_HEADERS];
  guint repeated; /* bits of those that came more than once */
  gsize n_bytes;  /* of all, names included */
} GmcpHttpHeaders;

void gmcp_http_headers_read (GmcpHttpHeaders *self,
                             const GmcpSoupServer *soup,
                             SoupServerMessage *message);
/* Several of one name are joined. NULL where there is none. */
const char *gmcp_http_headers_get (const GmcpHttpHeaders *self, const char *name);

G_END_DECLS

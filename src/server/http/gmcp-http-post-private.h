/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-http-response-private.h"
#include "gmcp-json-private.h"

G_BEGIN_DECLS

/* What came with a POST, as far as it decides who is to have it. */
typedef struct
{
  GmcpJsonDoc *doc;
  GArray *ids;            /* of GmcpJsonValue: of its requests */
  gboolean is_modern;     /* of a revision without sessions */
  gboolean is_initialize; /* among its requests is one that wants a session */
  gboolean opens_session; /* its one request wants a session and gets it */
  gboolean is_invalid;    /* something in it is no message */
  const char
    *version; /* of the legacy era, that the header names; NULL for one that is not known */
} GmcpHttpPost;

/* FALSE: it has been refused. */
gboolean gmcp_http_post_read (GmcpHttpPost *self,
                              const GmcpSoupServer *soup,
                              SoupServerMessage *message,
                              GmcpHttpResponse *response);
void gmcp_http_post_clear (GmcpHttpPost *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (GmcpHttpPost, gmcp_http_post_clear)

G_END_DECLS

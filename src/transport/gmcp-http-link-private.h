/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-http-request-private.h"
#include "gmcp-transport-private.h"

G_BEGIN_DECLS

/* What all ways of speaking HTTP to one server share. */
typedef struct
{
  GmcpTransport *transport; /* not owned */
  GmcpHttpUrl *url;
  GStrv headers; /* of the user's: names and values in turn */
  GmcpHttpSession *session;
} GmcpHttpLink;

/* A request with the user's headers and these, names and values in turn; they may be NULL. */
GmcpHttpRequest *gmcp_http_link_new_request (GmcpHttpLink *link,
                                             const char *method,
                                             GUri *uri,
                                             const char *const *headers);

/* One way. Each has a file and a struct of its own that begins with a GmcpHttpVariant. */
typedef struct _GmcpHttpVariant GmcpHttpVariant;

typedef struct
{
  /* Ends everything without a word. */
  void (*free) (GmcpHttpVariant *variant);
  gboolean has_request_streams;
  gboolean (*send) (GmcpHttpVariant *variant, const GmcpOutgoing *message, GError **error);
  void (*cancel_request) (GmcpHttpVariant *variant, gint64 request_id);
  void (*begin_session) (GmcpHttpVariant *variant, const char *const *headers);
  /* Ends everything but one last request, which the caller starts and frees; NULL for none. */
  GmcpHttpRequest *(*say_goodbye) (GmcpHttpVariant *variant);
  /* What to go over to from here; NULL for nothing. */
  GmcpHttpVariant *(*fall_back) (GmcpHttpLink *link);
} GmcpHttpVariantClass;

struct _GmcpHttpVariant
{
  const GmcpHttpVariantClass *klass;
  GmcpHttpLink *link;
};

GmcpHttpVariant *gmcp_http_streamable_new (GmcpHttpLink *link);
GmcpHttpVariant *gmcp_http_sse_new (GmcpHttpLink *link);

/* Failures. The error of each is the caller's to free. */

void gmcp_http_failure_of_connection (GmcpTransportFailure *failure,
                                      GmcpHttpLink *link,
                                      GmcpHttpRequest *request,
                                      const GError *error);
/* Of a response that is no success; text is its body, or the start of it. */
void gmcp_http_failure_of_status (GmcpTransportFailure *failure,
                                  GmcpHttpLink *link,
                                  GmcpHttpRequest *request,
                                  const char *text,
                                  gsize length);
/* Of a success that does not answer the request it came to. */
void gmcp_http_failure_of_body (GmcpTransportFailure *failure,
                                GmcpHttpLink *link,
                                GmcpHttpRequest *request,
                                const char *text,
                                gsize length);
/* Of a success that is no message. */
GError *gmcp_http_error_of_content (GmcpHttpLink *link, GmcpHttpRequest *request);

G_END_DECLS

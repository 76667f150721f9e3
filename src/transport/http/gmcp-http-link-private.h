/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/transport/http/gmcp-http-transport.h>

#include "gmcp-byte-budget-private.h"
#include "gmcp-http-request-private.h"
#include "gmcp-transport-private.h"

G_BEGIN_DECLS

/* How long what is waited for, in milliseconds. */
typedef struct
{
  gint64 connect_ms; /* for a server that has not said anything */
  gint64 barrier_ms; /* for a message that others must not overtake */
  gint64 body_ms;    /* for the rest of a response of which the head says all that matters */
  gint64 linger_ms;  /* for the end of a stream that has nothing left to bring */
  gint64 goodbye_ms;
  /* Between two attempts to open a stream. */
  gint64 retry_ms;
  gint64 min_retry_ms;
  gint64 max_retry_ms;
  gint64 short_life_ms; /* a stream that lives shorter is opened again more slowly each time */
} GmcpHttpTimes;

/* What all ways of speaking HTTP to one server share. */
typedef struct
{
  GmcpTransport *transport; /* not owned */
  GmcpHttpUrl *url;
  GStrv headers; /* of the user's: names and values in turn */
  GmcpHttpSession *session;
  GmcpByteBudget *parts;   /* of answers that have begun to come */
  GmcpByteBudget *replies; /* that the server has yet to take in */
  const GmcpHttpTimes *times;
} GmcpHttpLink;

/* Used by the next opening. */
void gmcp_http_transport_set_uri (GmcpHttpTransport *self, const char *uri);
/* Other times than the usual ones, from the next opening on; they have to stay. */
void gmcp_http_transport_set_times (GmcpHttpTransport *self, const GmcpHttpTimes *times);
/* All that was to be drained has gone. */
void gmcp_http_transport_drained (GmcpTransport *transport);

/* A request with the user's headers and these, names and values in turn; they may be NULL. */
GmcpHttpRequest *gmcp_http_link_new_request (GmcpHttpLink *link,
                                             const char *method,
                                             GUri *uri,
                                             const char *const *headers);

/* Whether the message may be sent, as far as replies are concerned. */
gboolean gmcp_http_link_may_send (GmcpHttpLink *link, const GmcpOutgoing *message, GError **error);
/* Counts it, where it is a reply; what this gives is to be released when it is gone. */
gsize gmcp_http_link_charge_reply (GmcpHttpLink *link, const GmcpOutgoing *message);

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
  /* Ends everything but messages that want no answer and that the server has not taken in. FALSE
   * where there are none; else gmcp_http_transport_drained() follows. */
  gboolean (*drain) (GmcpHttpVariant *variant);
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

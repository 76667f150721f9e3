/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-http-session-private.h"

G_BEGIN_DECLS

/* One request and all that answers it. It follows redirections, gives the response's head, then the
 * body in pieces as they come, and ends exactly once. What is sent by POST reaches the server at
 * most once, but for a redirection that asks for it. */

typedef struct _GmcpHttpRequest GmcpHttpRequest;

/* Called in the session's context, never from within gmcp_http_request_start(). Each may abort the
 * request, or free what data is. */
typedef struct
{
  /* Status and headers are there. */
  void (*response) (GmcpHttpRequest *request, gpointer data);
  void (*body) (GmcpHttpRequest *request, const char *bytes, gsize length, gpointer data);
  /* The last call, and none after gmcp_http_request_abort(); error is NULL where the body is
   * complete. */
  void (*ended) (GmcpHttpRequest *request, const GError *error, gpointer data);
} GmcpHttpRequestFuncs;

/* method: a static string. */
GmcpHttpRequest *gmcp_http_request_new (GmcpHttpSession *session, const char *method, GUri *uri);
/* Aborts it, where it has not ended. */
void gmcp_http_request_free (GmcpHttpRequest *request);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpHttpRequest, gmcp_http_request_free)

/* For the headers of its owner's that no other origin may see. A later one of the same name takes
 * the place of an earlier. */
typedef enum
{
  GMCP_HTTP_HEADER_PUBLIC,
  GMCP_HTTP_HEADER_PRIVATE,
} GmcpHttpHeaderKind;

/* FALSE, and nothing is added, where it cannot be sent as a header. */
gboolean gmcp_http_request_set_header (GmcpHttpRequest *request,
                                       const char *name,
                                       const char *value,
                                       GmcpHttpHeaderKind kind);
void gmcp_http_request_set_body (GmcpHttpRequest *request, GBytes *body, const char *content_type);

void gmcp_http_request_start (GmcpHttpRequest *request,
                              const GmcpHttpRequestFuncs *funcs,
                              gpointer data);
/* Nothing is called any more. Closes the connection where the response is not complete. */
void gmcp_http_request_abort (GmcpHttpRequest *request);

guint gmcp_http_request_get_status (GmcpHttpRequest *request); /* 0 before the response */
const char *gmcp_http_request_get_response_header (GmcpHttpRequest *request, const char *name);
/* In lower case, without parameters; NULL where the response has none. */
const char *gmcp_http_request_get_content_type (GmcpHttpRequest *request);
/* -1 where it is not known; of the body before it is decompressed. */
gint64 gmcp_http_request_get_content_length (GmcpHttpRequest *request);
/* What the server asks to wait; -1 where it does not say. */
gint64 gmcp_http_request_get_retry_after_ms (GmcpHttpRequest *request);
/* FALSE where not even the head of the request was written, so that no server has acted on it. */
gboolean gmcp_http_request_was_written (GmcpHttpRequest *request);

gboolean gmcp_http_header_is_valid (const char *name, const char *value);

G_END_DECLS

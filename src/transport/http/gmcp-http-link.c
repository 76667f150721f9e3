/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-http-link-private.h"

#include <string.h>

/* What a message that waits takes beside its text: a request of libsoup with its headers. */
#define REQUEST_BYTES (8u * 1024)

static void
set_headers (GmcpHttpRequest *request, const char *const *headers, GmcpHttpHeaderKind kind)
{
  for (; headers != NULL && headers[0] != NULL; headers += 2)
    {
      if (!gmcp_http_request_set_header (request, headers[0], headers[1], kind))
        g_debug ("The header %s has a value that cannot be sent", headers[0]);
    }
}

GmcpHttpRequest *
gmcp_http_link_new_request (GmcpHttpLink *link,
                            const char *method,
                            GUri *uri,
                            const char *const *headers)
{
  GmcpHttpRequest *request = gmcp_http_request_new (link->session, method, uri);

  if (link->url->user != NULL)
    {
      g_autofree char *encoded
        = g_base64_encode ((const guchar *) link->url->user, strlen (link->url->user));
      g_autofree char *value = g_strconcat ("Basic ", encoded, NULL);

      gmcp_http_request_set_header (request, "Authorization", value, GMCP_HTTP_HEADER_PRIVATE);
    }
  set_headers (request, (const char *const *) link->headers, GMCP_HTTP_HEADER_PRIVATE);
  set_headers (request, headers, GMCP_HTTP_HEADER_PUBLIC);

  return request;
}

gboolean
gmcp_http_link_may_send (GmcpHttpLink *link, const GmcpOutgoing *message, GError **error)
{
  return gmcp_transport_may_wait (message, gmcp_byte_budget_get_used (link->replies), error);
}

gsize
gmcp_http_link_charge_reply (GmcpHttpLink *link, const GmcpOutgoing *message)
{
  gsize n_bytes = message->is_reply ? message->length + REQUEST_BYTES : 0;

  /* Room was checked before; one message may be of any size. */
  (void) gmcp_byte_budget_charge (link->replies, n_bytes);
  return n_bytes;
}

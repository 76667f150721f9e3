/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-http-redirect-private.h"
#include "gmcp-soup-private.h"

G_BEGIN_DECLS

/* The connections to one server, with the limits and the trust that belong to it. Made when the
 * first request is, so that nothing of libsoup or of TLS is loaded before. */
typedef struct
{
  grefcount ref_count;
  const GmcpSoup *soup;
  SoupSession *connections;
  GMainContext *context; /* where its requests are made and answered */
  gboolean fixed_peer;   /* whatever the address, it is behind one socket */
  GmcpHttpRedirectRule *redirects;
} GmcpHttpSession;

/* ca_file: nullable; the certificates to trust in place of the system's. redirect_origins: nullable; those
 * that redirections of messages may lead to beside the one of the URL. */
GmcpHttpSession *gmcp_http_session_new (GMainContext *context,
                                        const GmcpHttpUrl *url,
                                        const char *ca_file,
                                        const char *const *redirect_origins,
                                        GError **error);
GmcpHttpSession *gmcp_http_session_ref (GmcpHttpSession *session);
void gmcp_http_session_unref (GmcpHttpSession *session);

/* Closes the connections that carry no request. */
void gmcp_http_session_close (GmcpHttpSession *session);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpHttpSession, gmcp_http_session_unref)

G_END_DECLS

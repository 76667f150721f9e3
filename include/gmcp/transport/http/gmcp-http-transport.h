/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/transport/gmcp-transport.h>

G_BEGIN_DECLS

#define GMCP_TYPE_HTTP_TRANSPORT (gmcp_http_transport_get_type ())

GMCP_AVAILABLE_IN_0_1
G_DECLARE_FINAL_TYPE (GmcpHttpTransport, gmcp_http_transport, GMCP, HTTP_TRANSPORT, GmcpTransport)

GMCP_AVAILABLE_IN_0_1
GmcpHttpTransport *gmcp_http_transport_new (const char *uri);

GMCP_AVAILABLE_IN_0_1
const char *gmcp_http_transport_get_uri (GmcpHttpTransport *self);

GMCP_AVAILABLE_IN_0_1
gboolean gmcp_http_transport_set_header (GmcpHttpTransport *self,
                                         const char *name,
                                         const char *value,
                                         GError **error);

GMCP_AVAILABLE_IN_0_1
GFile *gmcp_http_transport_get_ca_file (GmcpHttpTransport *self);

GMCP_AVAILABLE_IN_0_1
void gmcp_http_transport_set_ca_file (GmcpHttpTransport *self, GFile *ca_file);

GMCP_AVAILABLE_IN_0_1
gboolean gmcp_http_transport_get_sse_only (GmcpHttpTransport *self);

GMCP_AVAILABLE_IN_0_1
void gmcp_http_transport_set_sse_only (GmcpHttpTransport *self, gboolean sse_only);

GMCP_AVAILABLE_IN_0_1
const char *const *gmcp_http_transport_get_allowed_redirect_origins (GmcpHttpTransport *self);

GMCP_AVAILABLE_IN_0_1
void gmcp_http_transport_set_allowed_redirect_origins (GmcpHttpTransport *self,
                                                       const char *const *origins);

G_END_DECLS

/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-client-era-private.h"

G_BEGIN_DECLS

/* Between the files of the modern era. */

/* The revision in which requests are made from now on. */
void gmcp_client_modern_set_version (GmcpClient *self, const char *version);

/* gmcp-client-era-modern-http.c */

void gmcp_client_modern_dress (GmcpClient *self, GmcpOutgoing *outgoing, GPtrArray *headers);
/* Whether an error of the peer's is a refusal after which the request goes on by itself. */
gboolean gmcp_client_modern_goes_on (GmcpClient *self, GmcpExchange *exchange, const GError *error);

G_END_DECLS

/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-era-private.h"

G_BEGIN_DECLS

/* Between the files of the modern era. */

/* The revision in which requests are made from now on. */
void gmcp_client_modern_set_version (GmcpClient *self, const char *version);

/* gmcp-era-modern-input.c: a result that asks for input. FALSE and an error, or the exchange is
 * taken over. */
gboolean gmcp_client_modern_take_input (GmcpClient *self,
                                        GmcpExchange *exchange,
                                        GmcpJsonValue result,
                                        GError **error);

/* gmcp-era-modern-http.c */

void gmcp_client_modern_dress (GmcpClient *self, GmcpOutgoing *outgoing, GPtrArray *headers);
/* Whether an error of the peer's is a refusal after which the request goes on by itself. */
gboolean gmcp_client_modern_goes_on (GmcpClient *self, GmcpExchange *exchange, const GError *error);
/* The parts of the modern era: gmcp-era-modern-listen.c */

void gmcp_client_modern_open_stream (GmcpClient *self, GmcpChangeStream *stream);
void gmcp_client_modern_close_stream (GmcpClient *self, GmcpChangeStream *stream);
gboolean
gmcp_client_modern_find_stream (GmcpClient *self, GmcpJsonValue params, GmcpChangeStream **stream);
gboolean gmcp_client_modern_handle_listen_notification (GmcpClient *self,
                                                        const GmcpRpcMessage *notification);

G_END_DECLS

/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/server/tokens/gmcp-token-request.h>

G_BEGIN_DECLS

#define GMCP_TYPE_TOKEN_INTROSPECTION (gmcp_token_introspection_get_type ())

GMCP_AVAILABLE_IN_0_1
G_DECLARE_FINAL_TYPE (GmcpTokenIntrospection,
                      gmcp_token_introspection,
                      GMCP,
                      TOKEN_INTROSPECTION,
                      GObject)

GMCP_AVAILABLE_IN_0_1
GmcpTokenIntrospection *gmcp_token_introspection_new (const char *url,
                                                      const char *client_id,
                                                      const char *client_secret,
                                                      GError **error);

GMCP_AVAILABLE_IN_0_1
const char *gmcp_token_introspection_get_url (GmcpTokenIntrospection *self);
GMCP_AVAILABLE_IN_0_1
const char *gmcp_token_introspection_get_issuer (GmcpTokenIntrospection *self);
GMCP_AVAILABLE_IN_0_1
void gmcp_token_introspection_set_issuer (GmcpTokenIntrospection *self, const char *issuer);

GMCP_AVAILABLE_IN_0_1
void gmcp_token_introspection_verify (GmcpTokenIntrospection *self, GmcpTokenRequest *request);

G_END_DECLS

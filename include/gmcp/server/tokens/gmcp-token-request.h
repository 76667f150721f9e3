/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gio/gio.h>

#include <gmcp/core/gmcp-macros.h>

G_BEGIN_DECLS

#define GMCP_TYPE_TOKEN_REQUEST (gmcp_token_request_get_type ())

GMCP_AVAILABLE_IN_0_1
G_DECLARE_FINAL_TYPE (GmcpTokenRequest, gmcp_token_request, GMCP, TOKEN_REQUEST, GObject)

GMCP_AVAILABLE_IN_0_1
const char *gmcp_token_request_get_token (GmcpTokenRequest *self);

GMCP_AVAILABLE_IN_0_1
const char *gmcp_token_request_get_resource (GmcpTokenRequest *self);

GMCP_AVAILABLE_IN_0_1
gboolean gmcp_token_request_is_open (GmcpTokenRequest *self);

GMCP_AVAILABLE_IN_0_1
GCancellable *gmcp_token_request_get_cancellable (GmcpTokenRequest *self);

GMCP_AVAILABLE_IN_0_1
void gmcp_token_request_accept (GmcpTokenRequest *self,
                                const char *user,
                                const char *const *scopes,
                                const char *const *audience,
                                gint64 expires_s);

GMCP_AVAILABLE_IN_0_1
void gmcp_token_request_refuse (GmcpTokenRequest *self);

GMCP_AVAILABLE_IN_0_1
void gmcp_token_request_fail (GmcpTokenRequest *self);

G_END_DECLS

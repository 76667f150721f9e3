/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/server/tokens/gmcp-token-request.h>

G_BEGIN_DECLS

#define GMCP_TYPE_TOKEN_FILE (gmcp_token_file_get_type ())

GMCP_AVAILABLE_IN_0_1
G_DECLARE_FINAL_TYPE (GmcpTokenFile, gmcp_token_file, GMCP, TOKEN_FILE, GObject)

GMCP_AVAILABLE_IN_0_1
GmcpTokenFile *gmcp_token_file_new (GFile *file);

GMCP_AVAILABLE_IN_0_1
GFile *gmcp_token_file_get_file (GmcpTokenFile *self);

GMCP_AVAILABLE_IN_0_1
void gmcp_token_file_load_async (GmcpTokenFile *self,
                                 GCancellable *cancellable,
                                 GAsyncReadyCallback callback,
                                 gpointer user_data);

GMCP_AVAILABLE_IN_0_1
gboolean gmcp_token_file_load_finish (GmcpTokenFile *self, GAsyncResult *result, GError **error);

GMCP_AVAILABLE_IN_0_1
void gmcp_token_file_verify (GmcpTokenFile *self, GmcpTokenRequest *request);

GMCP_AVAILABLE_IN_0_1
void gmcp_token_file_add_async (GmcpTokenFile *self,
                                const char *user,
                                const char *const *scopes,
                                gint64 expires_s,
                                GCancellable *cancellable,
                                GAsyncReadyCallback callback,
                                gpointer user_data);

GMCP_AVAILABLE_IN_0_1
char *gmcp_token_file_add_finish (GmcpTokenFile *self, GAsyncResult *result, GError **error);

G_END_DECLS

/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/server/tokens/gmcp-token-file.h>

G_BEGIN_DECLS

/* Where the file has been read before. */
void gmcp_token_file_read_again (GmcpTokenFile *self);
/* Fails, since there is no file. */
void gmcp_token_file_return_no_file (GTask *task);

/* Whether nobody but this user, and root, can write to the file or put another in its place. */
GError *gmcp_token_file_make_missing_error (GFile *file);
void gmcp_token_file_check_async (GmcpTokenFile *self,
                                  GFile *file,
                                  GCancellable *cancellable,
                                  GAsyncReadyCallback callback,
                                  gpointer user_data);
gboolean gmcp_token_file_check_finish (GmcpTokenFile *self, GAsyncResult *result, GError **error);

G_END_DECLS

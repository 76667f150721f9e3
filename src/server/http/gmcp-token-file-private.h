/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/server/http/gmcp-token-file.h>

G_BEGIN_DECLS

/* Where the file has been read before. */
void gmcp_token_file_read_again (GmcpTokenFile *self);
/* Fails, since there is no file. */
void gmcp_token_file_return_no_file (GTask *task);

G_END_DECLS

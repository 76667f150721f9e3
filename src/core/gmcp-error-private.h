/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/core/gmcp-error.h>

G_BEGIN_DECLS

/* Takes ownership of data_json, which may be NULL. */
GError *gmcp_rpc_error_new_take (int code, const char *message, char *data_json);

G_END_DECLS

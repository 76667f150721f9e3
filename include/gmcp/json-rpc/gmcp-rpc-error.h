/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/core/gmcp-error.h>

G_BEGIN_DECLS

GMCP_AVAILABLE_IN_0_1
GError *gmcp_rpc_error_new (int code, const char *message, const char *data_json);

G_END_DECLS

/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/protocol/gmcp-completion-result.h>

#include "gmcp-json-private.h"

G_BEGIN_DECLS

/* GMCP_ERROR_PROTOCOL for what is no result of completion/complete. Keeps the value's document. */
GmcpCompletionResult *gmcp_completion_result_new_from_value (GmcpJsonValue value, GError **error);

GmcpJsonValue gmcp_completion_result_get_value (GmcpCompletionResult *self);

G_END_DECLS

/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/protocol/gmcp-prompt-result.h>

#include "gmcp-json-private.h"

G_BEGIN_DECLS

/* GMCP_ERROR_PROTOCOL for what is no result of prompts/get. Keeps the value's document. */
GmcpPromptResult *gmcp_prompt_result_new_from_value (GmcpJsonValue value, GError **error);

GmcpJsonValue gmcp_prompt_result_get_value (GmcpPromptResult *self);

G_END_DECLS

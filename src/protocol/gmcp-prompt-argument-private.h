/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/protocol/gmcp-prompt-argument.h>

#include "gmcp-json-private.h"

G_BEGIN_DECLS

/* NULL for what is no argument. Keeps the value's document. */
GmcpPromptArgument *gmcp_prompt_argument_new_from_value (GmcpJsonValue value);

GmcpJsonValue gmcp_prompt_argument_get_value (GmcpPromptArgument *self);

G_END_DECLS

/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/protocol/gmcp-prompt-message.h>

#include "gmcp-json-private.h"

G_BEGIN_DECLS

/* NULL for what is no object. Keeps the value's document. */
GmcpPromptMessage *gmcp_prompt_message_new_from_value (GmcpJsonValue value);

G_END_DECLS

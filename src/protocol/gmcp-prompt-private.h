/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/protocol/gmcp-prompt.h>

#include "gmcp-json-private.h"

G_BEGIN_DECLS

/* As its server lists it; keeps the value's document. GMCP_ERROR_PROTOCOL for what is none. */
GmcpPrompt *gmcp_prompt_new_from_value (GmcpJsonValue value, GError **error);

GmcpJsonValue gmcp_prompt_get_value (GmcpPrompt *self);

G_END_DECLS

/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/protocol/gmcp-prompt.h>

#include "gmcp-definition-private.h"

G_BEGIN_DECLS

/* A prompt as its server lists it; keeps the value's document. GMCP_ERROR_PROTOCOL for what is no
 * prompt. */
GmcpPrompt *gmcp_prompt_new_from_value (GmcpJsonValue value, GError **error);

/* A prompt that is made here. GMCP_ERROR_INVALID_ARGUMENT where the name is empty. */
GmcpPrompt *gmcp_prompt_new_of_parts (const char *name,
                                      const char *title,
                                      const char *description,
                                      GPtrArray *arguments,
                                      GError **error);

G_END_DECLS

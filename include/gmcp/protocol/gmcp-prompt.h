/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/protocol/gmcp-definition.h>
#include <gmcp/protocol/gmcp-prompt-argument.h>

G_BEGIN_DECLS

#define GMCP_TYPE_PROMPT (gmcp_prompt_get_type ())

GMCP_AVAILABLE_IN_0_1
G_DECLARE_FINAL_TYPE (GmcpPrompt, gmcp_prompt, GMCP, PROMPT, GmcpDefinition)

GMCP_AVAILABLE_IN_0_1
GmcpPrompt *gmcp_prompt_new (const char *name, const char *description, GPtrArray *arguments);

GMCP_AVAILABLE_IN_0_1
GmcpPrompt *gmcp_prompt_new_from_json (const char *json, GError **error);

GMCP_AVAILABLE_IN_0_1
guint gmcp_prompt_get_n_arguments (GmcpPrompt *self);

GMCP_AVAILABLE_IN_0_1
GmcpPromptArgument *gmcp_prompt_get_argument (GmcpPrompt *self, guint position);

G_END_DECLS

/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/protocol/gmcp-prompt.h>

G_BEGIN_DECLS

#define GMCP_TYPE_PROMPT_BUILDER (gmcp_prompt_builder_get_type ())

GMCP_AVAILABLE_IN_0_1
G_DECLARE_FINAL_TYPE (GmcpPromptBuilder, gmcp_prompt_builder, GMCP, PROMPT_BUILDER, GObject)

GMCP_AVAILABLE_IN_0_1
GmcpPromptBuilder *gmcp_prompt_builder_new (const char *name);

GMCP_AVAILABLE_IN_0_1
void gmcp_prompt_builder_set_title (GmcpPromptBuilder *self, const char *title);

GMCP_AVAILABLE_IN_0_1
void gmcp_prompt_builder_set_description (GmcpPromptBuilder *self, const char *description);

GMCP_AVAILABLE_IN_0_1
void gmcp_prompt_builder_add_argument (GmcpPromptBuilder *self, GmcpPromptArgument *argument);

GMCP_AVAILABLE_IN_0_1
GmcpPrompt *gmcp_prompt_builder_build (GmcpPromptBuilder *self, GError **error);

G_END_DECLS

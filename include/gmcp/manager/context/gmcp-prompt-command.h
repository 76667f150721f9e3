/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/protocol/gmcp-prompt.h>

G_BEGIN_DECLS

#define GMCP_TYPE_PROMPT_COMMAND (gmcp_prompt_command_get_type ())

GMCP_AVAILABLE_IN_0_1
G_DECLARE_FINAL_TYPE (GmcpPromptCommand, gmcp_prompt_command, GMCP, PROMPT_COMMAND, GObject)

GMCP_AVAILABLE_IN_0_1
const char *gmcp_prompt_command_get_name (GmcpPromptCommand *self);

GMCP_AVAILABLE_IN_0_1
const char *gmcp_prompt_command_get_server_id (GmcpPromptCommand *self);

GMCP_AVAILABLE_IN_0_1
GmcpPrompt *gmcp_prompt_command_get_prompt (GmcpPromptCommand *self);

G_END_DECLS

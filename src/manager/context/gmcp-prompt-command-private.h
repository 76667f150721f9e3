/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/manager/context/gmcp-prompt-command.h>

G_BEGIN_DECLS

GmcpPromptCommand *
gmcp_prompt_command_new (const char *name, const char *server, GmcpPrompt *prompt);

G_END_DECLS

/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/provider/gmcp-prompt-provider.h>

#include "gmcp-task-provider.h"

G_BEGIN_DECLS

void gmcp_task_prompt_list (GListStore *prompts);

void gmcp_task_prompt_get (GmcpTaskProvider *provider, GmcpPromptRequest *request);

void gmcp_task_prompt_complete (GmcpCompletionRequest *request);

G_END_DECLS

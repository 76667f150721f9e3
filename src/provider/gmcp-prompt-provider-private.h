/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/provider/gmcp-prompt-provider.h>

G_BEGIN_DECLS

gboolean gmcp_prompt_provider_can_complete (GmcpPromptProvider *self);

G_END_DECLS

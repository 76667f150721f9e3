/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/core/gmcp-enums.h>
#include <gmcp/protocol/gmcp-content.h>

G_BEGIN_DECLS

#define GMCP_TYPE_PROMPT_MESSAGE (gmcp_prompt_message_get_type ())

typedef struct _GmcpPromptMessage GmcpPromptMessage;

GMCP_AVAILABLE_IN_0_1
GType gmcp_prompt_message_get_type (void) G_GNUC_CONST;

GMCP_AVAILABLE_IN_0_1
GmcpPromptMessage *gmcp_prompt_message_ref (GmcpPromptMessage *self);

GMCP_AVAILABLE_IN_0_1
void gmcp_prompt_message_unref (GmcpPromptMessage *self);

GMCP_AVAILABLE_IN_0_1
GmcpMessageRole gmcp_prompt_message_get_role (GmcpPromptMessage *self);

GMCP_AVAILABLE_IN_0_1
guint gmcp_prompt_message_get_n_contents (GmcpPromptMessage *self);

GMCP_AVAILABLE_IN_0_1
GmcpContent *gmcp_prompt_message_get_content (GmcpPromptMessage *self, guint position);

GMCP_AVAILABLE_IN_0_1
char *gmcp_prompt_message_dup_text (GmcpPromptMessage *self);

GMCP_AVAILABLE_IN_0_1
char *gmcp_prompt_message_dup_json (GmcpPromptMessage *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpPromptMessage, gmcp_prompt_message_unref)

G_END_DECLS

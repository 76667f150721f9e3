/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/protocol/gmcp-prompt-message.h>

G_BEGIN_DECLS

#define GMCP_TYPE_PROMPT_RESULT (gmcp_prompt_result_get_type ())

typedef struct _GmcpPromptResult GmcpPromptResult;

GMCP_AVAILABLE_IN_0_1
GType gmcp_prompt_result_get_type (void) G_GNUC_CONST;

GMCP_AVAILABLE_IN_0_1
GmcpPromptResult *gmcp_prompt_result_new_text (const char *description, const char *text);

GMCP_AVAILABLE_IN_0_1
GmcpPromptResult *gmcp_prompt_result_new_from_json (const char *json, GError **error);

GMCP_AVAILABLE_IN_0_1
GmcpPromptResult *gmcp_prompt_result_ref (GmcpPromptResult *self);

GMCP_AVAILABLE_IN_0_1
void gmcp_prompt_result_unref (GmcpPromptResult *self);

GMCP_AVAILABLE_IN_0_1
const char *gmcp_prompt_result_get_description (GmcpPromptResult *self);

GMCP_AVAILABLE_IN_0_1
guint gmcp_prompt_result_get_n_messages (GmcpPromptResult *self);

GMCP_AVAILABLE_IN_0_1
GmcpPromptMessage *gmcp_prompt_result_get_message (GmcpPromptResult *self, guint position);

GMCP_AVAILABLE_IN_0_1
char *gmcp_prompt_result_dup_meta_json (GmcpPromptResult *self);

GMCP_AVAILABLE_IN_0_1
char *gmcp_prompt_result_dup_json (GmcpPromptResult *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpPromptResult, gmcp_prompt_result_unref)

G_END_DECLS

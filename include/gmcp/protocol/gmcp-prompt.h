/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/protocol/gmcp-icon.h>
#include <gmcp/protocol/gmcp-prompt-argument.h>

G_BEGIN_DECLS

#define GMCP_TYPE_PROMPT (gmcp_prompt_get_type ())

GMCP_AVAILABLE_IN_0_1
G_DECLARE_FINAL_TYPE (GmcpPrompt, gmcp_prompt, GMCP, PROMPT, GObject)

GMCP_AVAILABLE_IN_0_1
GmcpPrompt *gmcp_prompt_new (const char *name, const char *description, GPtrArray *arguments);

GMCP_AVAILABLE_IN_0_1
GmcpPrompt *gmcp_prompt_new_from_json (const char *json, GError **error);

GMCP_AVAILABLE_IN_0_1
const char *gmcp_prompt_get_name (GmcpPrompt *self);

GMCP_AVAILABLE_IN_0_1
const char *gmcp_prompt_get_title (GmcpPrompt *self);

GMCP_AVAILABLE_IN_0_1
const char *gmcp_prompt_get_description (GmcpPrompt *self);

GMCP_AVAILABLE_IN_0_1
guint gmcp_prompt_get_n_arguments (GmcpPrompt *self);

GMCP_AVAILABLE_IN_0_1
GmcpPromptArgument *gmcp_prompt_get_argument (GmcpPrompt *self, guint position);

GMCP_AVAILABLE_IN_0_1
GPtrArray *gmcp_prompt_list_icons (GmcpPrompt *self);

GMCP_AVAILABLE_IN_0_1
char *gmcp_prompt_dup_meta_json (GmcpPrompt *self);

GMCP_AVAILABLE_IN_0_1
char *gmcp_prompt_dup_json (GmcpPrompt *self);

G_END_DECLS

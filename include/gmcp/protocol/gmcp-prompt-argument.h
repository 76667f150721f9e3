/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/core/gmcp-macros.h>

G_BEGIN_DECLS

#define GMCP_TYPE_PROMPT_ARGUMENT (gmcp_prompt_argument_get_type ())

typedef struct _GmcpPromptArgument GmcpPromptArgument;

GMCP_AVAILABLE_IN_0_1
GType gmcp_prompt_argument_get_type (void) G_GNUC_CONST;

GMCP_AVAILABLE_IN_0_1
GmcpPromptArgument *
gmcp_prompt_argument_new (const char *name, const char *description, gboolean required);

GMCP_AVAILABLE_IN_0_1
GmcpPromptArgument *gmcp_prompt_argument_ref (GmcpPromptArgument *self);

GMCP_AVAILABLE_IN_0_1
void gmcp_prompt_argument_unref (GmcpPromptArgument *self);

GMCP_AVAILABLE_IN_0_1
const char *gmcp_prompt_argument_get_name (GmcpPromptArgument *self);

GMCP_AVAILABLE_IN_0_1
const char *gmcp_prompt_argument_get_title (GmcpPromptArgument *self);

GMCP_AVAILABLE_IN_0_1
const char *gmcp_prompt_argument_get_description (GmcpPromptArgument *self);

GMCP_AVAILABLE_IN_0_1
gboolean gmcp_prompt_argument_is_required (GmcpPromptArgument *self);

GMCP_AVAILABLE_IN_0_1
char *gmcp_prompt_argument_dup_json (GmcpPromptArgument *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpPromptArgument, gmcp_prompt_argument_unref)

G_END_DECLS

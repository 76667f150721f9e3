/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/provider/gmcp-prompt-request.h>

G_BEGIN_DECLS

/* arguments, which may be NULL, are copied. */
GmcpPromptRequest *gmcp_prompt_request_new (const char *name, GHashTable *arguments);

/* A copy of a table of texts; an empty one for NULL. */
GHashTable *gmcp_prompt_request_copy_texts (GHashTable *texts);

G_END_DECLS

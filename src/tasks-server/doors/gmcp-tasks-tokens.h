/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/server/tokens/gmcp-token-file.h>
#include <gmcp/server/tokens/gmcp-token-introspection.h>

#include "gmcp-tasks-door-options.h"

G_BEGIN_DECLS

/* The file of tokens, whose problems are told on standard error. */
GmcpTokenFile *gmcp_tasks_tokens_open (const char *filename);

/* Who asks the authorization server of the options about tokens; its problems are told in the same way. */
GmcpTokenIntrospection *
gmcp_tasks_tokens_open_introspection (const GmcpTasksDoorOptions *options, GError **error);

/* Makes a token of a user, and says it on standard output: the exit status of the program. */
int gmcp_tasks_tokens_add (const char *filename, const char *user);

G_END_DECLS

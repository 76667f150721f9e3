/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/server/tokens/gmcp-token-file.h>

G_BEGIN_DECLS

/* The file of tokens, whose problems are told on standard error. */
GmcpTokenFile *gmcp_tasks_tokens_open (const char *filename);

/* Makes a token of a user, and says it on standard output: the exit status of the program. */
int gmcp_tasks_tokens_add (const char *filename, const char *user);

G_END_DECLS

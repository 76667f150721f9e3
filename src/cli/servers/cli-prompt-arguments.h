/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "cli-host.h"

G_BEGIN_DECLS

/* Whether the server has the prompt, and the arguments are those that it takes; what is missing is asked for where
 * somebody may be. What is wrong is told, with the command as it should be. A server that does not list its prompts is
 * left to judge by itself. */
CliExit cli_prompt_check_arguments (CliHost *host,
                                    GmcpClient *client,
                                    const char *server,
                                    const char *name,
                                    GHashTable *arguments,
                                    gboolean may_ask);

G_END_DECLS

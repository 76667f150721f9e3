/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "cli-host.h"
#include "cli-tool-words.h"

G_BEGIN_DECLS

/* Asks at the terminal for what has to be given and is not in given (CliGiven), and adds it. FALSE where there is no
 * answer. */
gboolean cli_tool_ask_missing (CliHost *host, GmcpTool *tool, GPtrArray *given);

G_END_DECLS

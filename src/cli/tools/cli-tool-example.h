/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "cli-tool-words.h"

G_BEGIN_DECLS

/* Calls of a tool as command lines that can be copied to a shell. */

/* With what was given (CliGiven) of it. */
char *cli_tool_dup_command (GmcpTool *tool, GPtrArray *given);
/* With what has to be given. */
char *cli_tool_dup_example (GmcpTool *tool);
/* With what was given, as far as it is right, and examples for the rest; where not even that fits, the example.
 * given may be NULL. */
char *cli_tool_dup_corrected (GmcpTool *tool, GPtrArray *given);
/* One word for a shell, in quotes where it needs them. */
char *cli_tool_dup_shell_word (const char *text);

G_END_DECLS

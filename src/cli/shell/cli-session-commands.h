/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "cli-host.h"

G_BEGIN_DECLS

/* What is behind “/mcp” in a shell: the servers of the session. */

/* argv[0] is “/mcp”. */
CliExit cli_session_commands_run (CliHost *host, int argc, char *argv[]);
/* A word behind “/mcp” that is a command of the program under this name or another one; NULL for one that is the
 * session's, or none. */
const char *cli_session_commands_find_alias (const char *word);
/* All words that can stand behind “/mcp”; the last is NULL. */
GStrv cli_session_commands_list (void);
/* Several lines. */
char *cli_session_commands_describe (void);

G_END_DECLS

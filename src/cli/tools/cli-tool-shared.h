/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "cli-daemon.h"

G_BEGIN_DECLS

/* Tools of servers that the session daemon runs, and that this program uses there: those that are started by hand, and those
 * of a file that has a daemon of its own. */

/* The daemon, where the tool's server is one of these; NULL otherwise. The tool may be NULL where only its name is
 * known. */
CliDaemon *cli_tool_find_daemon (CliHost *host, GmcpTool *tool, const char *name);
/* The id of the server whose tool it is; the tool may be NULL. NULL where nobody knows. */
char *cli_tool_dup_server_id (GmcpTool *tool, const char *name);

/* What the daemon has of servers that are started by hand. */
typedef struct
{
  GPtrArray *tools;    /* of GmcpTool; NULL before it is loaded */
  GHashTable *servers; /* set of the ids of those that run there */
} CliSharedTools;

/* Of all of them, or of one. */
void cli_shared_tools_load (CliSharedTools *self, CliHost *host, const char *server_id);
void cli_shared_tools_clear (CliSharedTools *self);
gboolean cli_shared_tools_has_server (const CliSharedTools *self, const char *server_id);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (CliSharedTools, cli_shared_tools_clear)

/* One of a server that the daemon runs, by SERVER.TOOL or its listed name. */
GmcpTool *cli_tool_find_shared (CliDaemon *daemon, const char *name, GError **error);
/* The options give the role, and get the progress. What the call asks is asked at the terminal, where there is one. */
GmcpToolResult *cli_tool_call_shared (CliHost *host,
                                      CliDaemon *daemon,
                                      const char *server_id,
                                      const char *name,
                                      const char *arguments_json,
                                      GmcpCallOptions *options,
                                      GError **error);

G_END_DECLS

/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "cli-daemon.h"

G_BEGIN_DECLS

/* Tools of servers that are started by hand, and that the session daemon runs: their calls go there. */

/* The daemon, where the tool's server is one of these; NULL otherwise. The tool may be NULL where only its name is
 * known. */
CliDaemon *cli_tool_find_daemon (CliHost *host, GmcpTool *tool, const char *name);
/* All that the daemon has of them, or those of one server, once the configuration has been read. */
GPtrArray *cli_tool_list_shared (CliHost *host, const char *server_id);
/* One, by SERVER.TOOL or its listed name; NULL without an error where the daemon does not run its server. */
GmcpTool *cli_tool_find_shared (CliHost *host, const char *name, GError **error);
/* The options give the role, and get the progress. What the call asks is asked at the terminal, where there is one. */
GmcpToolResult *cli_tool_call_shared (CliHost *host,
                                      CliDaemon *daemon,
                                      const char *name,
                                      const char *arguments_json,
                                      GmcpCallOptions *options,
                                      GError **error);

G_END_DECLS

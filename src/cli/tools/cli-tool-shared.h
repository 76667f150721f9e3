/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "cli-daemon.h"

G_BEGIN_DECLS

/* Tools of servers that are started by hand, and that the session daemon runs: their calls go there. */

/* The daemon, where the tool's server is one of these; NULL otherwise. The tool may be NULL where only its name is
 * known. */
CliDaemon *cli_tool_find_daemon (CliHost *host, GmcpTool *tool, const char *name);
/* The options give the role, and get the progress. */
GmcpToolResult *cli_tool_call_shared (CliDaemon *daemon,
                                      const char *name,
                                      const char *arguments_json,
                                      GmcpCallOptions *options,
                                      GError **error);

G_END_DECLS

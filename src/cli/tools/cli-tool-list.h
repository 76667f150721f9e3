/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/provider/gmcp-tool-provider.h>

#include "cli-tool-shared.h"

G_BEGIN_DECLS

/* All tools that a command finds: those of the host's providers, and those that the session daemon has instead. */

/* Has the providers load, and waits for servers that were never listed. */
CliExit cli_tools_load (CliHost *host);
/* As GmcpTool; of one server, or with NULL of all. */
GPtrArray *cli_tools_collect (CliHost *host, const CliSharedTools *shared, const char *server_id);

#define CLI_TYPE_TOOL_LIST (cli_tool_list_get_type ())
G_DECLARE_FINAL_TYPE (CliToolList, cli_tool_list, CLI, TOOL_LIST, GObject)

/* A provider that has these tools, to be searched. */
GmcpToolProvider *cli_tool_list_new (GPtrArray *tools);

G_END_DECLS

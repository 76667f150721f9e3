/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/protocol/gmcp-tool.h>

G_BEGIN_DECLS

/* What a tool is called at the command line, whichever list it is from. */

/* Says whose tool it is that no manager has listed. own may be NULL where it is not known how its server calls it. */
void cli_tool_set_server (GmcpTool *tool, const char *server, const char *own);
/* The id of its server; NULL for what is no server's. */
const char *cli_tool_get_server (GmcpTool *tool);
/* How its server calls it; NULL where that is not known. */
const char *cli_tool_get_own_name (GmcpTool *tool);
/* SERVER.TOOL, or the listed name. */
char *cli_tool_dup_name (GmcpTool *tool);

G_END_DECLS

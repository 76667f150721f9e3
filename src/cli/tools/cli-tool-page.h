/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <json-glib/json-glib.h>

#include "cli-host.h"

G_BEGIN_DECLS

/* Finds a tool by any of its names, and prints all that is known of it: what it takes and gives, and a call of it that
 * runs as it is printed. With --json it is the object that the server sent. */
CliExit cli_tool_show (CliHost *host, const char *name);
/* A tool as its server sent it, but under the name that it is called by here. */
JsonNode *cli_tool_describe (GmcpTool *tool);

G_END_DECLS

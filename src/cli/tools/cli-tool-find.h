/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "cli-host.h"

G_BEGIN_DECLS

/* A tool by any of its names, and the provider that has it, out of lists that earlier runs kept where that
 * will do. */
GmcpTool *
cli_tool_find (CliHost *host, const char *name, GmcpToolProvider **provider, GError **error);
/* The tool as its server has it now, which is started for that; NULL where that cannot be had, or where it is
 * what was found. */
GmcpTool *cli_tool_find_fresh (CliHost *host, GmcpTool *tool);

/* Prints why a tool was not found, or not called, and gives the exit status. */
CliExit cli_tool_report (CliHost *host, const char *name, const GError *error);

G_END_DECLS

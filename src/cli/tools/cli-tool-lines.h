/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "cli-host.h"

#include <gmcp/provider/arguments/gmcp-tool-argument.h>

G_BEGIN_DECLS

/* Tools one a line. */

/* The tools of one server (id NULL: of no server) under a header, cut to the width of the terminal. */
void cli_tool_lines_print_group (const char *id, GPtrArray *tools);
/* For other programs: SERVER.TOOL, the signature, hints and the first sentence, with tabs between. */
void cli_tool_lines_print_plain (GPtrArray *tools);

/* What its server says that a tool does, in words: “read-only, idempotent”; "" for nothing. Where short_only is
 * set, just whether it changes things. */
char *cli_tool_dup_hints (GmcpTool *tool, gboolean short_only);
/* The first sentence of its description, else its title; "" for neither. */
char *cli_tool_dup_summary (GmcpTool *tool);

G_END_DECLS

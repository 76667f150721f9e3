/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "cli-host.h"

G_BEGIN_DECLS

/* What came of a call, for a person: text, pictures where the terminal shows them, and what else there is by its
 * kind. With output what is not text goes to that file, or where there are several to files of that name with a
 * number; where all is text, that does. */
CliExit cli_tool_result_print (CliHost *host,
                               GmcpToolResult *result,
                               const char *output,
                               gboolean may_replace);

G_END_DECLS

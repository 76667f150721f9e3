/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/audit/gmcp-log-entry.h>

G_BEGIN_DECLS

/* Reads one line of a server's log, without its end. One that has no time of its own takes the time of the line
 * before (nullable). */
GmcpLogEntry *
gmcp_log_entry_parse (const char *server_id, const char *line, gsize length, GDateTime *before);

G_END_DECLS

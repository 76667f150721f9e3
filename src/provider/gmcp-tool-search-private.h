/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/provider/gmcp-tool-search.h>

G_BEGIN_DECLS

/* Takes the task, which is completed with an array of GmcpToolMatch. A limit of 0 is the default. */
GmcpToolSearch *
gmcp_tool_search_new_take (GTask *task, const char *query, guint limit, GmcpToolDetail detail);

G_END_DECLS

/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/provider/gmcp-tool-search.h>

G_BEGIN_DECLS

/* What finds tools of a list by their words. It follows the list, and reads what has changed at the next
 * search, in steps that leave the main loop free. */

#define GMCP_TYPE_TOOL_INDEX (gmcp_tool_index_get_type ())

G_DECLARE_FINAL_TYPE (GmcpToolIndex, gmcp_tool_index, GMCP, TOOL_INDEX, GObject)

/* Works in the thread-default context. */
GmcpToolIndex *gmcp_tool_index_new (GListModel *tools);

/* Completes the search. */
void gmcp_tool_index_search (GmcpToolIndex *self, GmcpToolSearch *search);

G_END_DECLS

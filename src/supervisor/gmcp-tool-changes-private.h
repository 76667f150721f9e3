/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/supervisor/gmcp-tool-changes.h>

G_BEGIN_DECLS

/* before (nullable) and after are of GmcpTool. */
GmcpToolChanges *gmcp_tool_changes_new (GPtrArray *before, GListModel *after);

G_END_DECLS

/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/provider/gmcp-tool-load.h>

G_BEGIN_DECLS

/* Takes the task, which is completed with a boolean. */
GmcpToolLoad *gmcp_tool_load_new_take (GTask *task);

G_END_DECLS

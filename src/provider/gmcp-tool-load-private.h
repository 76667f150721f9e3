/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/provider/gmcp-tool-load.h>

#include "gmcp-request-guard-private.h"

G_BEGIN_DECLS

/* Takes the task, which is completed with a boolean. */
GmcpToolLoad *gmcp_tool_load_new_take (GTask *task);

/* From now on it ends when its time is over or it is cancelled, whatever the provider does. */
void gmcp_tool_load_guard (GmcpToolLoad *self);

G_END_DECLS

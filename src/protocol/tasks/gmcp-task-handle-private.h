/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/protocol/tasks/gmcp-task-handle.h>

#include "gmcp-json-private.h"

G_BEGIN_DECLS

/* A handle of a task as a server describes it, in the form of either era. The tool's name may be
 * NULL. The error is GMCP_ERROR_PROTOCOL. */
GmcpTaskHandle *gmcp_task_handle_new_from_value (GmcpJsonValue state,
                                                 const char *server_name,
                                                 const char *tool_name,
                                                 GError **error);

/* Takes a later description of the same task. Where it is of another, has no status that is known,
 * or leaves a final one, nothing changes and the error is GMCP_ERROR_PROTOCOL. */
gboolean gmcp_task_handle_update (GmcpTaskHandle *self, GmcpJsonValue state, GError **error);

/* Sets the server of a task whose handle does not say it. */
void gmcp_task_handle_fill_in (GmcpTaskHandle *self, const char *server_name);

G_END_DECLS

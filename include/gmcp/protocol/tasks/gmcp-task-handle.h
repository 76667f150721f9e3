/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <glib-object.h>

#include <gmcp/core/gmcp-macros.h>

G_BEGIN_DECLS

#define GMCP_TYPE_TASK_STATUS (gmcp_task_status_get_type ())
#define GMCP_TYPE_TASK_HANDLE (gmcp_task_handle_get_type ())

/**
 * GmcpTaskStatus:
 * @GMCP_TASK_STATUS_WORKING: the server works on it
 * @GMCP_TASK_STATUS_INPUT_REQUIRED: the server waits for input
 * @GMCP_TASK_STATUS_COMPLETED: the result is there
 * @GMCP_TASK_STATUS_FAILED: it ended with an error
 * @GMCP_TASK_STATUS_CANCELLED: it was cancelled
 *
 * Where a task stands. The last three are final.
 *
 * Spec: MCP extension `io.modelcontextprotocol/tasks`, "Task Status".
 *
 * Since: 0.1
 */
typedef enum
{
  GMCP_TASK_STATUS_WORKING,
  GMCP_TASK_STATUS_INPUT_REQUIRED,
  GMCP_TASK_STATUS_COMPLETED,
  GMCP_TASK_STATUS_FAILED,
  GMCP_TASK_STATUS_CANCELLED,
} GmcpTaskStatus;

GMCP_AVAILABLE_IN_0_1
GType gmcp_task_status_get_type (void) G_GNUC_CONST;

GMCP_AVAILABLE_IN_0_1
G_DECLARE_FINAL_TYPE (GmcpTaskHandle, gmcp_task_handle, GMCP, TASK_HANDLE, GObject)

GMCP_AVAILABLE_IN_0_1
GmcpTaskHandle *gmcp_task_handle_new_from_json (const char *json, GError **error);

GMCP_AVAILABLE_IN_0_1
const char *gmcp_task_handle_get_task_id (GmcpTaskHandle *self);

GMCP_AVAILABLE_IN_0_1
const char *gmcp_task_handle_get_tool_name (GmcpTaskHandle *self);

GMCP_AVAILABLE_IN_0_1
const char *gmcp_task_handle_get_server_name (GmcpTaskHandle *self);

GMCP_AVAILABLE_IN_0_1
GmcpTaskStatus gmcp_task_handle_get_status (GmcpTaskHandle *self);

GMCP_AVAILABLE_IN_0_1
gboolean gmcp_task_handle_is_finished (GmcpTaskHandle *self);

GMCP_AVAILABLE_IN_0_1
const char *gmcp_task_handle_get_status_message (GmcpTaskHandle *self);

GMCP_AVAILABLE_IN_0_1
GDateTime *gmcp_task_handle_get_created_at (GmcpTaskHandle *self);

GMCP_AVAILABLE_IN_0_1
GDateTime *gmcp_task_handle_get_updated_at (GmcpTaskHandle *self);

GMCP_AVAILABLE_IN_0_1
gint64 gmcp_task_handle_get_ttl_ms (GmcpTaskHandle *self);

GMCP_AVAILABLE_IN_0_1
guint gmcp_task_handle_get_poll_interval_ms (GmcpTaskHandle *self);

GMCP_AVAILABLE_IN_0_1
char *gmcp_task_handle_dup_json (GmcpTaskHandle *self);

G_END_DECLS

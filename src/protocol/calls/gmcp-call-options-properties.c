/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-call-options-private.h"
#include "gmcp-protocol-private.h"

/**
 * gmcp_call_options_get_timeout_ms: (get-property timeout-ms)
 * @self: options of a call
 *
 * Gives how long the call may go without an answer or progress.
 *
 * Returns: milliseconds; 0 for the default
 *
 * Since: 0.1
 */
guint
gmcp_call_options_get_timeout_ms (GmcpCallOptions *self)
{
  g_return_val_if_fail (GMCP_IS_CALL_OPTIONS (self), 0);

  return self->timeout_ms;
}

/**
 * gmcp_call_options_set_timeout_ms: (set-property timeout-ms)
 * @self: options of a call
 * @timeout_ms: milliseconds; 0 for the default
 *
 * Sets how long the call may go without an answer or progress.
 *
 * Since: 0.1
 */
void
gmcp_call_options_set_timeout_ms (GmcpCallOptions *self, guint timeout_ms)
{
  g_return_if_fail (GMCP_IS_CALL_OPTIONS (self));

  if (self->timeout_ms == timeout_ms)
    return;

  self->timeout_ms = timeout_ms;
  g_object_notify (G_OBJECT (self), "timeout-ms");
}

/**
 * gmcp_call_options_get_max_timeout_ms: (get-property max-timeout-ms)
 * @self: options of a call
 *
 * Gives how long the call may take in all.
 *
 * Returns: milliseconds; 0 for the default
 *
 * Since: 0.1
 */
guint
gmcp_call_options_get_max_timeout_ms (GmcpCallOptions *self)
{
  g_return_val_if_fail (GMCP_IS_CALL_OPTIONS (self), 0);

  return self->max_timeout_ms;
}

/**
 * gmcp_call_options_set_max_timeout_ms: (set-property max-timeout-ms)
 * @self: options of a call
 * @max_timeout_ms: milliseconds; 0 for the default
 *
 * Sets how long the call may take in all.
 *
 * Since: 0.1
 */
void
gmcp_call_options_set_max_timeout_ms (GmcpCallOptions *self, guint max_timeout_ms)
{
  g_return_if_fail (GMCP_IS_CALL_OPTIONS (self));

  if (self->max_timeout_ms == max_timeout_ms)
    return;

  self->max_timeout_ms = max_timeout_ms;
  g_object_notify (G_OBJECT (self), "max-timeout-ms");
}

/**
 * gmcp_call_options_get_expected_tool: (get-property expected-tool)
 * @self: options of a call
 *
 * Gives the tool as the model was told of it.
 *
 * Returns: (transfer none) (nullable): the tool, or %NULL where any definition will do
 *
 * Since: 0.1
 */
GmcpTool *
gmcp_call_options_get_expected_tool (GmcpCallOptions *self)
{
  g_return_val_if_fail (GMCP_IS_CALL_OPTIONS (self), NULL);

  return self->expected_tool;
}

/**
 * gmcp_call_options_set_expected_tool: (set-property expected-tool)
 * @self: options of a call
 * @expected_tool: (nullable): the tool as the model was told of it, or %NULL where any definition
 *   will do
 *
 * Sets the tool that the call is meant for. Where its definition has changed since, the call fails
 * with [error@Gmcp.Error] `TOOL_CHANGED` and nothing is sent.
 *
 * Since: 0.1
 */
void
gmcp_call_options_set_expected_tool (GmcpCallOptions *self, GmcpTool *expected_tool)
{
  g_return_if_fail (GMCP_IS_CALL_OPTIONS (self));
  g_return_if_fail (expected_tool == NULL || GMCP_IS_TOOL (expected_tool));

  if (g_set_object (&self->expected_tool, expected_tool))
    g_object_notify (G_OBJECT (self), "expected-tool");
}

/**
 * gmcp_call_options_get_meta_json: (get-property meta-json)
 * @self: options of a call
 *
 * Gives the metadata that is sent along in the request's `_meta`.
 *
 * Returns: (transfer none) (nullable): a JSON object as text in one line, or %NULL for none
 *
 * Since: 0.1
 */
const char *
gmcp_call_options_get_meta_json (GmcpCallOptions *self)
{
  g_return_val_if_fail (GMCP_IS_CALL_OPTIONS (self), NULL);

  return self->meta_json;
}

/**
 * gmcp_call_options_set_meta_json:
 * @self: options of a call
 * @meta_json: (nullable): a JSON object as text, or %NULL for none
 * @error: return location for an error
 *
 * Sets metadata to send along in the request's `_meta`. What the protocol itself puts there has
 * precedence. Fails with [error@Gmcp.Error] `INVALID_JSON` or `INVALID_ARGUMENT`, with the old
 * value kept, where the text is no JSON object.
 *
 * Spec: MCP 2026-07-28, basic, "General fields".
 *
 * Returns: whether @meta_json was taken
 *
 * Since: 0.1
 */
gboolean
gmcp_call_options_set_meta_json (GmcpCallOptions *self, const char *meta_json, GError **error)
{
  g_autoptr (GmcpJsonDoc) meta = NULL;
  g_autoptr (GString) line = NULL;
  GmcpJsonWriter writer;

  g_return_val_if_fail (GMCP_IS_CALL_OPTIONS (self), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  if (meta_json != NULL)
    {
      meta = gmcp_protocol_parse_object (meta_json, "_meta", error);
      if (meta == NULL)
        return FALSE;

      line = g_string_new (NULL);
      writer = gmcp_json_writer_init (line);
      gmcp_json_writer_value (&writer, gmcp_json_doc_get_root (meta));
    }

  if (g_strcmp0 (self->meta_json, line != NULL ? line->str : NULL) == 0)
    return TRUE;

  g_clear_pointer (&self->meta, gmcp_json_doc_unref);
  self->meta = g_steal_pointer (&meta);
  g_free (self->meta_json);
  self->meta_json = line != NULL ? g_string_free (g_steal_pointer (&line), FALSE) : NULL;
  g_object_notify (G_OBJECT (self), "meta-json");
  return TRUE;
}

/**
 * gmcp_call_options_get_as_task: (get-property as-task)
 * @self: options of a call
 *
 * Tells whether the call is made as a task where the tool leaves that to the caller.
 *
 * Returns: whether it is
 *
 * Since: 0.1
 */
gboolean
gmcp_call_options_get_as_task (GmcpCallOptions *self)
{
  g_return_val_if_fail (GMCP_IS_CALL_OPTIONS (self), FALSE);

  return self->as_task;
}

/**
 * gmcp_call_options_set_as_task: (set-property as-task)
 * @self: options of a call
 * @as_task: whether the call is made as a task where the tool leaves that to the caller
 *
 * Sets whether the call is made as a task where the tool leaves that to the caller. A tool that has
 * to be called as one is, whatever is set here.
 *
 * Spec: MCP 2025-11-25, basic/utilities/tasks, "Tool-Level Negotiation".
 *
 * Since: 0.1
 */
void
gmcp_call_options_set_as_task (GmcpCallOptions *self, gboolean as_task)
{
  g_return_if_fail (GMCP_IS_CALL_OPTIONS (self));

  as_task = !!as_task;
  if (self->as_task == as_task)
    return;

  self->as_task = as_task;
  g_object_notify (G_OBJECT (self), "as-task");
}

/**
 * gmcp_call_options_get_task_ttl_ms: (get-property task-ttl-ms)
 * @self: options of a call
 *
 * Gives for how long the server is asked to keep the task and its result.
 *
 * Returns: milliseconds; 0 where it is left to the server
 *
 * Since: 0.1
 */
guint
gmcp_call_options_get_task_ttl_ms (GmcpCallOptions *self)
{
  g_return_val_if_fail (GMCP_IS_CALL_OPTIONS (self), 0);

  return self->task_ttl_ms;
}

/**
 * gmcp_call_options_set_task_ttl_ms: (set-property task-ttl-ms)
 * @self: options of a call
 * @task_ttl_ms: milliseconds; 0 to leave it to the server
 *
 * Sets for how long the server is asked to keep the task and its result, from its making on.
 *
 * Spec: MCP 2025-11-25, basic/utilities/tasks, "Task Parameters".
 *
 * Since: 0.1
 */
void
gmcp_call_options_set_task_ttl_ms (GmcpCallOptions *self, guint task_ttl_ms)
{
  g_return_if_fail (GMCP_IS_CALL_OPTIONS (self));

  if (self->task_ttl_ms == task_ttl_ms)
    return;

  self->task_ttl_ms = task_ttl_ms;
  g_object_notify (G_OBJECT (self), "task-ttl-ms");
}

/**
 * gmcp_call_options_get_log_level: (get-property log-level)
 * @self: options of a call
 *
 * Gives from which level on the server is asked for what it logs about the call.
 *
 * Returns: the level; %GMCP_LOG_LEVEL_UNSET for that of the client
 *
 * Since: 0.1
 */
GmcpLogLevel
gmcp_call_options_get_log_level (GmcpCallOptions *self)
{
  g_return_val_if_fail (GMCP_IS_CALL_OPTIONS (self), GMCP_LOG_LEVEL_UNSET);

  return self->log_level;
}

/**
 * gmcp_call_options_set_log_level: (set-property log-level)
 * @self: options of a call
 * @log_level: a level, or %GMCP_LOG_LEVEL_UNSET for that of the client
 *
 * Sets from which level on the server is asked for what it logs about the call, which
 * [signal@Gmcp.CallOptions::log-message] then tells.
 *
 * Since: 0.1
 */
void
gmcp_call_options_set_log_level (GmcpCallOptions *self, GmcpLogLevel log_level)
{
  g_return_if_fail (GMCP_IS_CALL_OPTIONS (self));
  g_return_if_fail (log_level <= GMCP_LOG_LEVEL_EMERGENCY);

  self->log_level_is_default = FALSE;
  if (self->log_level == log_level)
    return;

  self->log_level = log_level;
  g_object_notify (G_OBJECT (self), "log-level");
}

/**
 * gmcp_call_options_get_role: (get-property role)
 * @self: options of a call
 *
 * Gives the name of the role that the call is made under.
 *
 * Returns: (nullable): the name, or %NULL
 *
 * Since: 0.1
 */
const char *
gmcp_call_options_get_role (GmcpCallOptions *self)
{
  g_return_val_if_fail (GMCP_IS_CALL_OPTIONS (self), NULL);

  return self->role;
}

const char *
gmcp_call_options_peek_role (GmcpCallOptions *self)
{
  return self != NULL ? self->role : NULL;
}

/**
 * gmcp_call_options_set_role: (set-property role)
 * @self: options of a call
 * @role: (nullable): a role's name; %NULL or an empty text for none
 *
 * Sets the role that the call is made under, beside that of the manager: what either forbids is not
 * called. A role that is not configured forbids everything.
 *
 * Since: 0.1
 */
void
gmcp_call_options_set_role (GmcpCallOptions *self, const char *role)
{
  g_return_if_fail (GMCP_IS_CALL_OPTIONS (self));

  if (role != NULL && *role == '\0')
    role = NULL;
  if (g_strcmp0 (self->role, role) == 0)
    return;

  g_free (self->role);
  self->role = g_strdup (role);
  g_object_notify (G_OBJECT (self), "role");
}

/**
 * gmcp_call_options_get_client: (get-property client)
 * @self: options of a call
 *
 * Gives the program that the call is made for.
 *
 * Returns: (nullable): `FILE (PID)`, or %NULL
 *
 * Since: 0.1
 */
const char *
gmcp_call_options_get_client (GmcpCallOptions *self)
{
  g_return_val_if_fail (GMCP_IS_CALL_OPTIONS (self), NULL);

  return self->client;
}

/**
 * gmcp_call_options_set_client: (set-property client)
 * @self: options of a call
 * @client: (nullable): `FILE (PID)` of another program, or %NULL
 *
 * Sets the program that the call is made for, as it is to stand in the audit log.
 *
 * Since: 0.1
 */
void
gmcp_call_options_set_client (GmcpCallOptions *self, const char *client)
{
  g_return_if_fail (GMCP_IS_CALL_OPTIONS (self));

  if (g_strcmp0 (self->client, client) == 0)
    return;

  g_free (self->client);
  self->client = g_strdup (client);
  g_object_notify (G_OBJECT (self), "client");
}

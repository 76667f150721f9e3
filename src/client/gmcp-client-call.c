/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-client-private.h"

#include "gmcp-i18n-private.h"
#include "gmcp-protocol-private.h"
#include "gmcp-tool-calls-private.h"

static gboolean
check_callable (GmcpSession *session, const char *name, GCancellable *cancellable, GError **error)
{
  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return FALSE;
  if (gmcp_session_is_open (session))
    return TRUE;

  g_propagate_error (error, gmcp_session_new_not_connected_error (session, name));
  return FALSE;
}

/* A tool's call ends in the task of the application's call, whatever it went through. */
static void
end_call (GmcpToolResult *result, GError *error, gpointer data)
{
  g_autoptr (GTask) task = data;

  if (result != NULL)
    g_task_return_pointer (task, result, (GDestroyNotify) gmcp_tool_result_unref);
  else
    g_task_return_error (task, error);
}

static GTask *
begin_call (GmcpClient *self,
            GCancellable *cancellable,
            GAsyncReadyCallback callback,
            gpointer user_data)
{
  GTask *task = g_task_new (self, cancellable, callback, user_data);

  /* The macro would copy a name for each call. */
  (g_task_set_source_tag) (task, gmcp_client_call_tool_async);
  return task;
}

static GError *
bad_arguments_error (const char *name, const char *problem)
{
  return g_error_new (GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT,
                      _ ("The arguments for “%s” must be a JSON object: %s"), name, problem);
}

/**
 * gmcp_client_call_tool_async:
 * @self: a client that is open
 * @name: the tool's name, as the server has it
 * @arguments: (nullable): a JSON object, or %NULL for none
 * @options: (nullable): time limits, progress and more, for this call only
 * @cancellable: (nullable): a cancellable
 * @callback: (scope async): called in the caller's thread-default context
 * @user_data: data for @callback
 *
 * Calls a tool. A tool that reports failure gives a result too, see
 * [method@Gmcp.ToolResult.is_error].
 *
 * Without an answer within [property@Gmcp.Client:call-timeout-ms] (or the time of @options) the call
 * fails with [error@Gmcp.Error] `TIMED_OUT`; progress that the tool reports puts that off, up to
 * [property@Gmcp.Client:max-call-timeout-ms]. Other errors: `CLOSED` or `SERVER_EXITED`,
 * `INVALID_ARGUMENT`, `TOOL_CHANGED` (see [property@Gmcp.CallOptions:expected-tool]), `PROTOCOL`, a
 * [error@Gmcp.RpcError] that the server sent, or %G_IO_ERROR_CANCELLED, after which the server has
 * been told. A call that may have reached the server is sent again only where the tool is marked
 * read-only or idempotent, or the server refused it without looking at it.
 *
 * A server may go on with the call as a task, see [signal@Gmcp.CallOptions::task-created]. Then the
 * limit is [property@Gmcp.Client:max-task-timeout-ms], and [error@Gmcp.Error] `TASK_ENDED` says that
 * the task was cancelled or lost.
 *
 * Spec: MCP 2026-07-28, server/tools, "Calling Tools".
 *
 * Since: 0.1
 */
void
gmcp_client_call_tool_async (GmcpClient *self,
                             const char *name,
                             JsonNode *arguments,
                             GmcpCallOptions *options,
                             GCancellable *cancellable,
                             GAsyncReadyCallback callback,
                             gpointer user_data)
{
  GTask *task;
  GmcpSession *session;
  GError *error = NULL;

  g_return_if_fail (GMCP_IS_CLIENT (self));
  g_return_if_fail (name != NULL);
  g_return_if_fail (options == NULL || GMCP_IS_CALL_OPTIONS (options));
  g_return_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable));

  if (!gmcp_client_check_thread (self, G_STRFUNC))
    return;

  session = gmcp_client_get_session (self);
  task = begin_call (self, cancellable, callback, user_data);
  if (!check_callable (session, name, cancellable, &error))
    end_call (NULL, error, task);
  else if (!gmcp_tool_calls_send_node (session, name, arguments, options, cancellable, end_call,
                                       task, &error))
    {
      end_call (NULL, bad_arguments_error (name, error->message), task);
      g_error_free (error);
    }
}

void
gmcp_client_call_tool_direct (GmcpClient *self,
                              const char *name,
                              GmcpJsonDoc *arguments,
                              GmcpCallOptions *options,
                              GCancellable *cancellable,
                              GmcpClientCallFunc func,
                              gpointer data)
{
  GmcpSession *session = gmcp_client_get_session (self);
  GError *error = NULL;

  if (!check_callable (session, name, cancellable, &error))
    func (NULL, error, data);
  else
    gmcp_tool_calls_send (session, name, arguments, options, cancellable, func, data);
}

/**
 * gmcp_client_call_tool_json_async:
 * @self: a client that is open
 * @name: the tool's name, as the server has it
 * @arguments_json: (nullable): the text of a JSON object, or %NULL for none
 * @options: (nullable): time limits, progress and more, for this call only
 * @cancellable: (nullable): a cancellable
 * @callback: (scope async): called in the caller's thread-default context
 * @user_data: data for @callback
 *
 * Calls a tool with arguments in JSON text, as model APIs give them. Numbers reach the server just
 * as they are written. Otherwise the same as [method@Gmcp.Client.call_tool_async], and ended by
 * [method@Gmcp.Client.call_tool_json_finish].
 *
 * Since: 0.1
 */
void
gmcp_client_call_tool_json_async (GmcpClient *self,
                                  const char *name,
                                  const char *arguments_json,
                                  GmcpCallOptions *options,
                                  GCancellable *cancellable,
                                  GAsyncReadyCallback callback,
                                  gpointer user_data)
{
  g_autoptr (GmcpJsonDoc) doc = NULL;
  g_autoptr (GError) error = NULL;
  GTask *task;

  g_return_if_fail (GMCP_IS_CLIENT (self));
  g_return_if_fail (name != NULL);
  g_return_if_fail (options == NULL || GMCP_IS_CALL_OPTIONS (options));
  g_return_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable));

  if (!gmcp_client_check_thread (self, G_STRFUNC))
    return;

  if (arguments_json != NULL)
    doc = gmcp_protocol_parse_object (arguments_json, "arguments", &error);

  task = begin_call (self, cancellable, callback, user_data);
  if (error != NULL)
    end_call (NULL, bad_arguments_error (name, error->message), task);
  else
    gmcp_client_call_tool_direct (self, name, doc, options, cancellable, end_call, task);
}

/**
 * gmcp_client_call_tool_finish:
 * @self: a client
 * @result: what the callback got
 * @error: return location for an error
 *
 * Ends [method@Gmcp.Client.call_tool_async].
 *
 * Returns: (transfer full): the tool's result
 *
 * Since: 0.1
 */
GmcpToolResult *
gmcp_client_call_tool_finish (GmcpClient *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);
  g_return_val_if_fail (g_task_get_source_tag (G_TASK (result)) == gmcp_client_call_tool_async,
                        NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

/**
 * gmcp_client_call_tool_json_finish:
 * @self: a client
 * @result: what the callback got
 * @error: return location for an error
 *
 * Ends [method@Gmcp.Client.call_tool_json_async].
 *
 * Returns: (transfer full): the tool's result
 *
 * Since: 0.1
 */
GmcpToolResult *
gmcp_client_call_tool_json_finish (GmcpClient *self, GAsyncResult *result, GError **error)
{
  return gmcp_client_call_tool_finish (self, result, error);
}

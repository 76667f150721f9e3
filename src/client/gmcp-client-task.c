/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-client-private.h"

#include "gmcp-era-features-private.h"
#include "gmcp-exchange-private.h"
#include "gmcp-tasks-private.h"
#include "gmcp-tool-calls-private.h"

#include "gmcp-i18n-private.h"
#include "gmcp-protocol-private.h"
#include "gmcp-task-handle-private.h"
#include "gmcp-tool-private.h"

static void
on_resumed (GmcpToolResult *result, GError *error, gpointer data)
{
  g_autoptr (GTask) task = data;

  if (result != NULL)
    g_task_return_pointer (task, result, (GDestroyNotify) gmcp_tool_result_unref);
  else
    g_task_return_error (task, error);
}

/**
 * gmcp_client_resume_task_async:
 * @self: a client that is open
 * @handle: the task's handle
 * @options: (nullable): time limits and more, as for the call itself
 * @cancellable: (nullable): a cancellable
 * @callback: (scope async): called in the caller's thread-default context
 * @user_data: data for @callback
 *
 * Goes on waiting for the result of a call that became a task, after a restart for instance: what
 * [method@Gmcp.Client.call_tool_async] would have done had it not been interrupted. @handle follows
 * what the server says meanwhile.
 *
 * The errors are those of a call. Where the server no longer has the task, or it was cancelled, the
 * error is [error@Gmcp.Error] `TASK_ENDED`; after %G_IO_ERROR_CANCELLED and `TIMED_OUT` the server
 * has been asked to cancel it. A handle that this client follows already fails with
 * %G_IO_ERROR_PENDING.
 *
 * Spec: MCP extension `io.modelcontextprotocol/tasks`, "Task Polling"; MCP 2025-11-25,
 * basic/utilities/tasks, "Getting Tasks".
 *
 * Since: 0.1
 */
void
gmcp_client_resume_task_async (GmcpClient *self,
                               GmcpTaskHandle *handle,
                               GmcpCallOptions *options,
                               GCancellable *cancellable,
                               GAsyncReadyCallback callback,
                               gpointer user_data)
{
  g_autoptr (GTask) task = NULL;
  const char *subject;
  GmcpSession *session;

  g_return_if_fail (GMCP_IS_CLIENT (self));
  g_return_if_fail (GMCP_IS_TASK_HANDLE (handle));
  g_return_if_fail (options == NULL || GMCP_IS_CALL_OPTIONS (options));
  g_return_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable));

  if (!gmcp_client_check_thread (self, G_STRFUNC))
    return;

  session = gmcp_client_get_session (self);
  subject = gmcp_task_handle_get_tool_name (handle);
  if (subject == NULL)
    subject = gmcp_task_handle_get_task_id (handle);
  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, gmcp_client_resume_task_async);
  if (g_task_return_error_if_cancelled (task) || !gmcp_session_check_open (session, task, subject))
    return;
  if (gmcp_tasks_is_followed (session, handle))
    {
      g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_PENDING,
                               _ ("The task of “%s” on %s is waited for already"), subject,
                               gmcp_session_describe (session));
      return;
    }

  gmcp_tool_calls_resume (session, handle, subject, options, cancellable, on_resumed,
                          g_steal_pointer (&task));
}

/**
 * gmcp_client_resume_task_finish:
 * @self: a client
 * @result: what the callback got
 * @error: return location for an error
 *
 * Ends [method@Gmcp.Client.resume_task_async].
 *
 * Returns: (transfer full): the tool's result
 *
 * Since: 0.1
 */
GmcpToolResult *
gmcp_client_resume_task_finish (GmcpClient *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);
  g_return_val_if_fail (g_async_result_is_tagged (result, gmcp_client_resume_task_async), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

static void
on_cancel_acknowledged (GmcpSession *self,
                        GmcpExchange *exchange,
                        const GmcpRpcMessage *reply,
                        GError *error)
{
  if (error != NULL)
    {
      if (error->domain == GMCP_RPC_ERROR)
        g_prefix_error (&error, "%s: ", gmcp_session_describe (self));
      g_task_return_error (gmcp_exchange_get_task (exchange), error);
      return;
    }

  gmcp_tasks_ask_anew (self, gmcp_exchange_get_subject (exchange));
  g_task_return_boolean (gmcp_exchange_get_task (exchange), TRUE);
}

/**
 * gmcp_client_cancel_task_async:
 * @self: a client that is open
 * @handle: the task's handle
 * @cancellable: (nullable): a cancellable
 * @callback: (scope async): called in the caller's thread-default context
 * @user_data: data for @callback
 *
 * Asks the server to cancel a task. It may take its time about that, or finish the task all the
 * same; a call that waits for the task ends when the server says how it ended.
 *
 * To give up a call that waits for its task, cancel the call: that cancels the task too.
 *
 * Fails with [error@Gmcp.Error] `NOT_SUPPORTED` where the server does not have this, and with the
 * server's [error@Gmcp.RpcError] where the task is not known or has ended.
 *
 * Spec: MCP extension `io.modelcontextprotocol/tasks`, "Task Cancellation"; MCP 2025-11-25,
 * basic/utilities/tasks, "Cancelling Tasks".
 *
 * Since: 0.1
 */
void
gmcp_client_cancel_task_async (GmcpClient *self,
                               GmcpTaskHandle *handle,
                               GCancellable *cancellable,
                               GAsyncReadyCallback callback,
                               gpointer user_data)
{
  g_autoptr (GTask) task = NULL;
  GmcpExchange *exchange;
  GmcpJsonWriter params;
  const char *id;
  GmcpSession *session;

  g_return_if_fail (GMCP_IS_CLIENT (self));
  g_return_if_fail (GMCP_IS_TASK_HANDLE (handle));
  g_return_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable));

  if (!gmcp_client_check_thread (self, G_STRFUNC))
    return;

  session = gmcp_client_get_session (self);
  id = gmcp_task_handle_get_task_id (handle);
  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, gmcp_client_cancel_task_async);
  if (g_task_return_error_if_cancelled (task)
      || !gmcp_session_check_open (session, task, GMCP_METHOD_TASKS_CANCEL))
    return;
  if (!gmcp_session_get_era_features (session)->can_cancel_tasks (session))
    {
      g_task_return_new_error (task, GMCP_ERROR, GMCP_ERROR_NOT_SUPPORTED,
                               _ ("%s has no way to cancel a task"),
                               gmcp_session_describe (session));
      return;
    }

  exchange = gmcp_session_begin_request (session, GMCP_METHOD_TASKS_CANCEL, on_cancel_acknowledged,
                                         gmcp_session_get_call_timeout_ms (session), &params);
  gmcp_exchange_bind (exchange, task, NULL, id);
  gmcp_json_writer_member_string (&params, "taskId", id);
  gmcp_session_end_request (session, exchange, &params);
}

/**
 * gmcp_client_cancel_task_finish:
 * @self: a client
 * @result: what the callback got
 * @error: return location for an error
 *
 * Ends [method@Gmcp.Client.cancel_task_async].
 *
 * Returns: whether the server has taken the wish
 *
 * Since: 0.1
 */
gboolean
gmcp_client_cancel_task_finish (GmcpClient *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);
  g_return_val_if_fail (g_async_result_is_tagged (result, gmcp_client_cancel_task_async), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-client-private.h"

#include "gmcp-logging-private.h"

/**
 * gmcp_client_get_log_level: (get-property log-level)
 * @self: a client
 *
 * Gets [property@Gmcp.Client:log-level].
 *
 * Returns: the value of [property@Gmcp.Client:log-level]
 *
 * Since: 0.1
 */
GmcpLogLevel
gmcp_client_get_log_level (GmcpClient *self)
{
  g_return_val_if_fail (GMCP_IS_CLIENT (self), GMCP_LOG_LEVEL_UNSET);

  return gmcp_logging_get_level (gmcp_client_get_session (self));
}

/**
 * gmcp_client_set_log_level_async:
 * @self: a client
 * @log_level: from which level on messages are wanted; %GMCP_LOG_LEVEL_UNSET for what the server
 *   sends by itself
 * @options: (nullable): time limits and more, for this request only
 * @cancellable: (nullable): a cancellable
 * @callback: (scope async): called in the caller's thread-default context
 * @user_data: data for @callback
 *
 * Says which of its messages the server is to send, which [signal@Gmcp.Client::log-message] then
 * tells. Before the client is open this takes effect when it opens.
 *
 * A server of the modern era sends none unless it is asked, and is asked in each request from now
 * on, so this ends at once. One before 2026-07-28 is told by a request of its own, which fails with
 * [error@Gmcp.Error] `NOT_SUPPORTED` where it has no logging, with `CLOSED`, `SERVER_EXITED` or
 * `TIMED_OUT`, or with a [error@Gmcp.RpcError]. It cannot be asked to return to its own choice.
 *
 * Spec: MCP 2026-07-28, server/utilities/logging, "Per-request log level"; MCP 2025-11-25, the same,
 * "Setting Log Level".
 *
 * Since: 0.1
 */
void
gmcp_client_set_log_level_async (GmcpClient *self,
                                 GmcpLogLevel log_level,
                                 GmcpCallOptions *options,
                                 GCancellable *cancellable,
                                 GAsyncReadyCallback callback,
                                 gpointer user_data)
{
  g_autoptr (GTask) task = NULL;
  GmcpSession *session;

  g_return_if_fail (GMCP_IS_CLIENT (self));
  g_return_if_fail (log_level <= GMCP_LOG_LEVEL_EMERGENCY);
  g_return_if_fail (options == NULL || GMCP_IS_CALL_OPTIONS (options));
  g_return_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable));

  if (!gmcp_client_check_thread (self, G_STRFUNC))
    return;

  session = gmcp_client_get_session (self);
  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, gmcp_client_set_log_level_async);
  if (g_task_return_error_if_cancelled (task))
    return;

  if (gmcp_logging_set_level (session, log_level))
    g_object_notify (G_OBJECT (self), "log-level");
  gmcp_logging_tell_level (session, task, options);
}

/**
 * gmcp_client_set_log_level_finish:
 * @self: a client
 * @result: what the callback got
 * @error: return location for an error
 *
 * Ends [method@Gmcp.Client.set_log_level_async].
 *
 * Returns: whether the server took it
 *
 * Since: 0.1
 */
gboolean
gmcp_client_set_log_level_finish (GmcpClient *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);
  g_return_val_if_fail (g_async_result_is_tagged (result, gmcp_client_set_log_level_async), FALSE);

  return g_task_propagate_pointer (G_TASK (result), error) != NULL;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-client-private.h"

#include "gmcp-era-private.h"
#include "gmcp-exchange-private.h"

#include "gmcp-i18n-private.h"

static void
on_pinged (GmcpSession *self, GmcpExchange *exchange, const GmcpRpcMessage *reply, GError *error)
{
  /* An error is an answer as well: the peer is there. */
  if (error == NULL || error->domain == GMCP_RPC_ERROR)
    {
      g_clear_error (&error);
      g_task_return_boolean (gmcp_exchange_get_task (exchange), TRUE);
      return;
    }
  g_task_return_error (gmcp_exchange_get_task (exchange), error);
}

/**
 * gmcp_client_ping_async:
 * @self: a client that is open
 * @options: (nullable): time limits for this request only
 * @cancellable: (nullable): a cancellable
 * @callback: (scope async): called in the caller's thread-default context
 * @user_data: data for @callback
 *
 * Asks whether the server answers, in the way of its era. A server that does not know the request is
 * alive if it says so.
 *
 * It fails with [error@Gmcp.Error] `TIMED_OUT`, `CLOSED` or `SERVER_EXITED`.
 *
 * Spec: MCP 2025-11-25, basic/utilities/ping; MCP 2026-07-28, server/discover.
 *
 * Since: 0.1
 */
void
gmcp_client_ping_async (GmcpClient *self,
                        GmcpCallOptions *options,
                        GCancellable *cancellable,
                        GAsyncReadyCallback callback,
                        gpointer user_data)
{
  g_autoptr (GTask) task = NULL;
  GmcpJsonWriter params;
  GmcpExchange *exchange;
  GmcpSession *session;

  g_return_if_fail (GMCP_IS_CLIENT (self));
  g_return_if_fail (options == NULL || GMCP_IS_CALL_OPTIONS (options));
  g_return_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable));

  if (!gmcp_client_check_thread (self, G_STRFUNC))
    return;

  session = gmcp_client_get_session (self);
  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, gmcp_client_ping_async);
  if (g_task_return_error_if_cancelled (task)
      || !gmcp_session_check_open (session, task, _ ("a ping")))
    return;

  exchange = gmcp_session_get_era (session)->begin_ping (
    session, on_pinged, gmcp_session_get_call_timeout_ms (session), &params);
  gmcp_exchange_bind (exchange, task, options, _ ("a ping"));
  gmcp_session_end_request (session, exchange, &params);
}

/**
 * gmcp_client_ping_finish:
 * @self: a client
 * @result: what the callback got
 * @error: return location for an error
 *
 * Ends [method@Gmcp.Client.ping_async].
 *
 * Returns: whether the server answered
 *
 * Since: 0.1
 */
gboolean
gmcp_client_ping_finish (GmcpClient *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);
  g_return_val_if_fail (g_async_result_is_tagged (result, gmcp_client_ping_async), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-client-parts-private.h"
#include "gmcp-client-struct-private.h"

#include "gmcp-eras-private.h"
#include "gmcp-thread-check-private.h"

/**
 * GmcpClient:
 *
 * One protocol connection to one MCP server.
 *
 * A client is made for a transport and opened with [method@Gmcp.Client.open_async]; then its tools
 * can be listed and called. It finds out by itself which era of the protocol the server speaks. When
 * the connection ends, [signal@Gmcp.Client::closed] is emitted, every call under way fails, and the
 * client can be opened again.
 *
 * A client belongs to the thread-default main context that it was made in, and may be used only in
 * the thread that runs that context. A callback comes in the thread-default context of its call.
 *
 * Since: 0.1
 */

G_DEFINE_FINAL_TYPE (GmcpClient, gmcp_client, G_TYPE_OBJECT)

static void
gmcp_client_dispose (GObject *object)
{
  gmcp_session_abandon (GMCP_CLIENT (object)->session);

  G_OBJECT_CLASS (gmcp_client_parent_class)->dispose (object);
}

static void
gmcp_client_finalize (GObject *object)
{
  GmcpClient *self = GMCP_CLIENT (object);

  gmcp_features_free (gmcp_session_get_features (self->session), self->session);
  gmcp_session_free (self->session);

  G_OBJECT_CLASS (gmcp_client_parent_class)->finalize (object);
}

static void
gmcp_client_class_init (GmcpClientClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = gmcp_client_dispose;
  object_class->finalize = gmcp_client_finalize;
  gmcp_client_install_properties (object_class);
  gmcp_client_install_signals ();
}

static void
gmcp_client_init (GmcpClient *self)
{
  self->session = gmcp_session_new (self, &gmcp_era_modern, &gmcp_era_legacy, &gmcp_features_hooks,
                                    &gmcp_client_session_events);
  gmcp_features_new (self->session, &gmcp_client_feature_events);
}

/**
 * gmcp_client_new:
 * @transport: what carries the messages; the client opens and closes it
 *
 * Makes a client. Nothing is started yet.
 *
 * Returns: (transfer full): a new client
 *
 * Since: 0.1
 */
GmcpClient *
gmcp_client_new (GmcpTransport *transport)
{
  g_return_val_if_fail (GMCP_IS_TRANSPORT (transport), NULL);

  return g_object_new (GMCP_TYPE_CLIENT, "transport", transport, NULL);
}

gboolean
gmcp_client_check_thread (GmcpClient *self, const char *function)
{
  return gmcp_check_thread (self, gmcp_session_get_context (self->session), function);
}

/**
 * gmcp_client_open_async:
 * @self: a client that is not open
 * @cancellable: (nullable): a cancellable
 * @callback: (scope async): called in the caller's thread-default context
 * @user_data: data for @callback
 *
 * Opens the connection: opens the transport (which starts the server where it is a process), finds
 * out which era the server speaks, and agrees on a revision.
 *
 * A connection that is being closed is waited for. It fails with [error@Gmcp.Error] `INVALID_ARGUMENT`
 * where the client was made without a transport, with [error@Gmcp.Error] `TIMED_OUT` after
 * [property@Gmcp.Client:startup-timeout-ms], with
 * `START_FAILED` or `SERVER_EXITED` where the server did not come up, and with a
 * [error@Gmcp.RpcError] where it refused. The server is stopped then.
 *
 * Spec: MCP 2026-07-28, basic/versioning; MCP 2025-11-25, basic/lifecycle.
 *
 * Since: 0.1
 */
void
gmcp_client_open_async (GmcpClient *self,
                        GCancellable *cancellable,
                        GAsyncReadyCallback callback,
                        gpointer user_data)
{
  g_return_if_fail (GMCP_IS_CLIENT (self));
  g_return_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable));

  if (!gmcp_client_check_thread (self, G_STRFUNC))
    return;

  gmcp_session_open_async (self->session, gmcp_client_open_async, cancellable, callback, user_data);
}

/**
 * gmcp_client_open_finish:
 * @self: a client
 * @result: what the callback got
 * @error: return location for an error
 *
 * Ends [method@Gmcp.Client.open_async].
 *
 * Returns: whether the connection is open
 *
 * Since: 0.1
 */
gboolean
gmcp_client_open_finish (GmcpClient *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);
  g_return_val_if_fail (g_async_result_is_tagged (result, gmcp_client_open_async), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}

/**
 * gmcp_client_close_async:
 * @self: a client
 * @cancellable: (nullable): a cancellable
 * @callback: (scope async) (nullable): called in the caller's thread-default context
 * @user_data: data for @callback
 *
 * Closes the connection in order; a server that is a process is stopped. Calls under way fail with
 * [error@Gmcp.Error] `CLOSED`. Closing a client that is not open is no error. @cancellable ends the
 * waiting, not the closing.
 *
 * Spec: MCP 2026-07-28, basic/transports/stdio, "Shutdown".
 *
 * Since: 0.1
 */
void
gmcp_client_close_async (GmcpClient *self,
                         GCancellable *cancellable,
                         GAsyncReadyCallback callback,
                         gpointer user_data)
{
  g_return_if_fail (GMCP_IS_CLIENT (self));
  g_return_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable));

  if (!gmcp_client_check_thread (self, G_STRFUNC))
    return;

  gmcp_session_close_async (self->session, gmcp_client_close_async, cancellable, callback,
                            user_data);
}

/**
 * gmcp_client_close_finish:
 * @self: a client
 * @result: what the callback got
 * @error: return location for an error
 *
 * Ends [method@Gmcp.Client.close_async].
 *
 * Returns: whether the connection was closed in order
 *
 * Since: 0.1
 */
gboolean
gmcp_client_close_finish (GmcpClient *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);
  g_return_val_if_fail (g_async_result_is_tagged (result, gmcp_client_close_async), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}

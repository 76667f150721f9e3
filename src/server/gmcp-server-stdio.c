/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <gmcp/transport/gmcp-fd-transport.h>

#include "gmcp-server-private.h"

typedef struct
{
  GmcpServerConnection *connection; /* owned by the server */
  GSource *cancelled;
} StdioRun;

static void
stdio_run_free (gpointer data)
{
  StdioRun *run = data;

  if (run->cancelled != NULL)
    {
      g_source_destroy (run->cancelled);
      g_source_unref (run->cancelled);
    }
  g_free (run);
}

static void
on_finished (GmcpServerConnection *connection, gpointer data)
{
  g_autoptr (GTask) task = data;
  StdioRun *run = g_task_get_task_data (task);

  /* The task lives until its callback has run; the connection does not. */
  if (run->cancelled != NULL)
    g_source_destroy (run->cancelled);

  gmcp_server_clients_remove (gmcp_server_get_clients (g_task_get_source_object (task)),
                              connection);
  if (!g_task_return_error_if_cancelled (task))
    g_task_return_boolean (task, TRUE);
}

static gboolean
on_cancelled (GCancellable *cancellable, gpointer user_data)
{
  StdioRun *run = g_task_get_task_data (user_data);

  gmcp_server_connection_finish (run->connection);
  return G_SOURCE_REMOVE;
}

/**
 * gmcp_server_run_stdio_async:
 * @self: a server
 * @cancellable: (nullable): a cancellable, which stops the server in order
 * @callback: (scope async): called in the caller's thread-default context
 * @user_data: data for @callback
 *
 * Serves the program's standard input and output until the input ends or @cancellable is cancelled.
 *
 * When the input ends, subscriptions are ended, and requests that still run have a second to be
 * answered before they are cancelled; what is to be sent is sent. Nothing else in the program may
 * read the standard input or write to the standard output meanwhile.
 *
 * Fails with %G_IO_ERROR_CANCELLED, when all is sent that was to be sent, or where standard input
 * or output are not there.
 *
 * Spec: MCP 2026-07-28, basic/transports/stdio.
 *
 * Since: 0.1
 */
void
gmcp_server_run_stdio_async (GmcpServer *self,
                             GCancellable *cancellable,
                             GAsyncReadyCallback callback,
                             gpointer user_data)
{
  g_autoptr (GTask) task = NULL;
  g_autoptr (GmcpTransport) transport = NULL;
  GError *error = NULL;
  StdioRun *run;

  g_return_if_fail (GMCP_IS_SERVER (self));
  g_return_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable));

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, gmcp_server_run_stdio_async);
  if (g_task_return_error_if_cancelled (task))
    return;

  transport = GMCP_TRANSPORT (gmcp_fd_transport_new_stdio (&error));
  if (transport == NULL)
    {
      g_task_return_error (task, error);
      return;
    }

  run = g_new0 (StdioRun, 1);
  g_task_set_task_data (task, run, stdio_run_free);
  if (cancellable != NULL)
    {
      run->cancelled = g_cancellable_source_new (cancellable);
      g_source_set_static_name (run->cancelled, "[gmcp] server cancelled");
      g_task_attach_source (task, run->cancelled, G_SOURCE_FUNC (on_cancelled));
    }

  run->connection = gmcp_server_clients_add (gmcp_server_get_clients (self), transport, on_finished,
                                             g_steal_pointer (&task));
}

/**
 * gmcp_server_run_stdio_finish:
 * @self: a server
 * @result: the result that the callback got
 * @error: return location for an error
 *
 * Ends [method@Gmcp.Server.run_stdio_async].
 *
 * Returns: %TRUE if the client closed the connection
 *
 * Since: 0.1
 */
gboolean
gmcp_server_run_stdio_finish (GmcpServer *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (GMCP_IS_SERVER (self), FALSE);
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);
  g_return_val_if_fail (g_async_result_is_tagged (result, gmcp_server_run_stdio_async), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}

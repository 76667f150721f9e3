/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-client-private.h"

#include "gmcp-client-changes-private.h"
#include "gmcp-era-private.h"
#include "gmcp-client-served-tasks-private.h"
#include "gmcp-client-logging-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-limits.h"

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

enum
{
  SIGNAL_CLOSED,
  SIGNAL_INPUT_REQUESTED,
  SIGNAL_WARNING,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (GmcpClient, gmcp_client, G_TYPE_OBJECT)

/* Ends everything that waits. First all is taken that belongs to the connection, since a callback
 * may open the next one. */
static void
end_all (GmcpClient *self, const GError *error)
{
  GPtrArray *exchanges = gmcp_client_take_exchanges (self);
  GPtrArray *lost;

  gmcp_client_input_forget (&self->input);
  self->renewal = NULL;
  g_queue_clear (&self->held_for_session);
  gmcp_client_unwatch_lists (self);
  lost = gmcp_change_streams_lose (self);
  gmcp_client_lists_forget (self);
  gmcp_client_lists_abandon (self, error);
  gmcp_client_close_questions (self);
  gmcp_client_drop_own_tasks (self);
  gmcp_client_fail_exchanges (self, exchanges, error);
  gmcp_change_streams_report_loss (lost, error);
}

void
gmcp_client_went_down (GmcpClient *self, const GError *error)
{
  g_autoptr (GError) told = NULL;

  if (self->state != GMCP_CLIENT_OPEN)
    return;

  self->state = GMCP_CLIENT_CLOSED;
  gmcp_transport_set_taker (self->transport, NULL, NULL);
  told = error != NULL ? g_error_copy (error)
                       : g_error_new_literal (GMCP_ERROR, GMCP_ERROR_CLOSED,
                                              _ ("the server closed the connection"));
  g_prefix_error (&told, "%s: ", gmcp_client_describe (self));
  told = gmcp_client_filter_error (self, told);
  end_all (self, told);
  gmcp_client_notify_open (self);
  g_signal_emit (self, signals[SIGNAL_CLOSED], 0, told);
}

static void
gmcp_client_constructed (GObject *object)
{
  GmcpClient *self = GMCP_CLIENT (object);

  G_OBJECT_CLASS (gmcp_client_parent_class)->constructed (object);

  self->context = g_main_context_ref_thread_default ();
  self->pending = gmcp_pending_calls_new (self->context, gmcp_client_exchange_timed_out, self);
}

static void
gmcp_client_dispose (GObject *object)
{
  GmcpClient *self = GMCP_CLIENT (object);

  /* The transport stays until the end, so that nothing has to look whether it is there. */
  if (self->state != GMCP_CLIENT_CLOSED)
    {
      g_autoptr (GError) error
        = g_error_new_literal (GMCP_ERROR, GMCP_ERROR_CLOSED, _ ("The client is gone"));

      if (self->state == GMCP_CLIENT_OPENING)
        gmcp_client_open_failed (self, g_error_copy (error));
      else
        {
          self->state = GMCP_CLIENT_CLOSED;
          gmcp_transport_set_taker (self->transport, NULL, NULL);
          gmcp_transport_close_async (self->transport, NULL, NULL, NULL);
          end_all (self, error);
        }
    }

  G_OBJECT_CLASS (gmcp_client_parent_class)->dispose (object);
}

static void
gmcp_client_finalize (GObject *object)
{
  GmcpClient *self = GMCP_CLIENT (object);

  g_clear_pointer (&self->pending, gmcp_pending_calls_free);
  g_clear_pointer (&self->context, g_main_context_unref);
  g_clear_object (&self->transport);
  gmcp_client_leave_cache (self);
  gmcp_client_input_clear (&self->input);
  gmcp_byte_budget_unref (self->kept);
  g_clear_pointer (&self->client_info, gmcp_implementation_unref);
  g_clear_pointer (&self->server_info, gmcp_implementation_unref);
  g_clear_pointer (&self->server_capabilities, gmcp_capabilities_unref);
  g_signal_handlers_disconnect_by_data (self->lists[GMCP_CLIENT_LIST_TOOLS].items, self);
  gmcp_client_lists_clear (self);
  g_array_unref (self->logging_requests);
  g_ptr_array_unref (self->streams);
  g_clear_pointer (&self->tasks, g_ptr_array_unref);
  g_clear_pointer (&self->outputs, g_hash_table_unref);
  g_string_free (self->out, TRUE);
  g_string_free (self->last_problem, TRUE);
  gmcp_client_set_text_filter (self, NULL, NULL, NULL);
  g_free (self->name);
  g_free (self->cache_key);
  g_free (self->sign_in);
  g_free (self->meta_members);
  g_free (self->protocol_version);
  g_free (self->instructions);

  G_OBJECT_CLASS (gmcp_client_parent_class)->finalize (object);
}

static void
gmcp_client_class_init (GmcpClientClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->constructed = gmcp_client_constructed;
  object_class->dispose = gmcp_client_dispose;
  object_class->finalize = gmcp_client_finalize;
  gmcp_client_install_properties (object_class);

  /**
   * GmcpClient::closed:
   * @self: the client
   * @error: why the connection ended
   *
   * The connection ended by itself: the server exited, or the stream broke. It is not emitted after
   * [method@Gmcp.Client.close_async], nor where opening failed.
   *
   * Since: 0.1
   */
  signals[SIGNAL_CLOSED] = g_signal_new ("closed", GMCP_TYPE_CLIENT, G_SIGNAL_RUN_LAST, 0, NULL,
                                         NULL, NULL, G_TYPE_NONE, 1, G_TYPE_ERROR);
  gmcp_client_install_change_signals ();
  gmcp_client_install_logging_signals ();

  /**
   * GmcpClient::input-requested:
   * @self: the client
   * @request: the question: a [class@Gmcp.Elicitation] or a [class@Gmcp.Sampling]
   *
   * The server asks something, in the middle of a call or beside it. Whoever answers keeps a
   * reference on @request and answers it when the answer is there; a question on which nobody keeps
   * a reference counts as cancelled.
   *
   * Connect before the client is opened: the server is told by that what it may ask. Without a
   * handler questions to the user are declined.
   *
   * Since: 0.1
   */
  signals[SIGNAL_INPUT_REQUESTED]
    = g_signal_new ("input-requested", GMCP_TYPE_CLIENT, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                    G_TYPE_NONE, 1, GMCP_TYPE_INPUT_REQUEST);

  /**
   * GmcpClient::warning:
   * @self: the client
   * @message: what is wrong, as a sentence that names the server
   *
   * Something is wrong with what the server sends that fails no call, but that a person should know:
   * a list that repeats its cursors, and of which only the beginning is known.
   *
   * Since: 0.1
   */
  signals[SIGNAL_WARNING] = g_signal_new ("warning", GMCP_TYPE_CLIENT, G_SIGNAL_RUN_LAST, 0, NULL,
                                          NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
}

gboolean
gmcp_client_has_input_handler (GmcpClient *self)
{
  return g_signal_has_handler_pending (self, signals[SIGNAL_INPUT_REQUESTED], 0, FALSE);
}

void
gmcp_client_emit_input_requested (GmcpClient *self, GmcpInputRequest *request)
{
  g_signal_emit (self, signals[SIGNAL_INPUT_REQUESTED], 0, request);
}

void
gmcp_client_emit_warning (GmcpClient *self, const char *text)
{
  g_signal_emit (self, signals[SIGNAL_WARNING], 0, text);
}

static void
gmcp_client_init (GmcpClient *self)
{
  self->call_timeout_ms = GMCP_DEFAULT_CALL_TIMEOUT_MS;
  self->max_call_timeout_ms = GMCP_DEFAULT_MAX_CALL_TIMEOUT_MS;
  self->max_task_timeout_ms = GMCP_DEFAULT_MAX_TASK_TIMEOUT_MS;
  gmcp_client_input_init (&self->input);
  self->kept = gmcp_byte_budget_new (GMCP_LIMIT_KEPT_BYTES, gmcp_byte_budget_get_host ());
  self->startup_timeout_ms = GMCP_DEFAULT_STARTUP_TIMEOUT_MS;
  self->probe_timeout_ms = GMCP_DEFAULT_PROBE_TIMEOUT_MS;
  self->client_info = gmcp_implementation_new ("gmcp", GMCP_VERSION);
  self->out = g_string_sized_new (1024);
  self->last_problem = g_string_new (NULL);
  self->logging_requests = g_array_new (FALSE, FALSE, sizeof (gint64));
  gmcp_client_lists_init (self);
  self->streams = g_ptr_array_new ();
  g_queue_init (&self->held_for_session);
  g_signal_connect_swapped (self->lists[GMCP_CLIENT_LIST_TOOLS].items, "items-changed",
                            G_CALLBACK (gmcp_client_index_outputs), self);
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

static void
on_transport_closed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GError *error = NULL;

  if (gmcp_transport_close_finish (GMCP_TRANSPORT (source), result, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, gmcp_client_filter_error (g_task_get_source_object (task), error));
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
  g_autoptr (GmcpClient) held G_GNUC_UNUSED = NULL;
  g_autoptr (GTask) task = NULL;
  g_autoptr (GError) error = NULL;
  gboolean was_open;

  g_return_if_fail (GMCP_IS_CLIENT (self));
  g_return_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable));

  held = g_object_ref (self);
  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, gmcp_client_close_async);

  error = g_error_new (GMCP_ERROR, GMCP_ERROR_CLOSED, _ ("The connection to %s was closed"),
                       gmcp_client_describe (self));
  was_open = self->state == GMCP_CLIENT_OPEN;
  if (was_open)
    {
      self->state = GMCP_CLIENT_CLOSED;
      gmcp_transport_set_taker (self->transport, NULL, NULL);
    }
  gmcp_transport_close_async (self->transport, cancellable, on_transport_closed,
                              g_steal_pointer (&task));

  /* Last, since callbacks run in these. */
  if (was_open)
    {
      end_all (self, error);
      gmcp_client_notify_open (self);
    }
  else if (self->state == GMCP_CLIENT_OPENING)
    gmcp_client_open_failed (self, g_steal_pointer (&error));
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

/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-implementation-private.h"
#include "gmcp-limits.h"
#include "gmcp-protocol-private.h"
#include "gmcp-server-connection-private.h"
#include "gmcp-server-request-private.h"

/**
 * GmcpServerRequest:
 *
 * One call of a tool: what the handler of the tool gets, and what it answers with.
 *
 * The handler answers with [method@Gmcp.ServerRequest.return_result] or
 * [method@Gmcp.ServerRequest.return_error], exactly once, at once or later; for later it keeps a
 * reference. A request that is dropped without an answer gives the client an internal error.
 *
 * The client may give up, or go away, at any time. Then
 * [method@Gmcp.ServerRequest.get_cancellable] is cancelled, and the answer, which the handler gives
 * all the same, is not sent.
 *
 * A request belongs to the main context that its transport was made in.
 *
 * Since: 0.1
 */
struct _GmcpServerRequest
{
  GObject parent_instance;

  GmcpServerExchange *exchange;
  GmcpServerTool *tool;
  GmcpJsonValue arguments;
  gboolean returned;
  gboolean cancelled;

  /* Made when asked for. */
  JsonNode *arguments_node;
  char *arguments_json;
  GCancellable *cancellable;
  GmcpImplementation *client_info;

  /* Progress: the last value, and how many more may be sent by now. */
  double progress;
  double progress_allowance;
  gint64 progress_time_us;
};

G_DEFINE_FINAL_TYPE (GmcpServerRequest, gmcp_server_request, G_TYPE_OBJECT)

static void
gmcp_server_request_dispose (GObject *object)
{
  GmcpServerRequest *self = GMCP_SERVER_REQUEST (object);

  if (self->exchange != NULL && !self->returned)
    {
      g_autofree char *message
        = g_strdup_printf ("Internal error: %s ended without an answer", self->tool->name);

      self->returned = TRUE;
      gmcp_server_exchange_reply_error (self->exchange, GMCP_RPC_ERROR_INTERNAL, message, NULL);
    }

  G_OBJECT_CLASS (gmcp_server_request_parent_class)->dispose (object);
}

static void
gmcp_server_request_finalize (GObject *object)
{
  GmcpServerRequest *self = GMCP_SERVER_REQUEST (object);

  g_clear_pointer (&self->arguments_node, json_node_unref);
  g_free (self->arguments_json);
  g_clear_object (&self->cancellable);
  g_clear_pointer (&self->client_info, gmcp_implementation_unref);
  g_clear_pointer (&self->tool, gmcp_server_tool_unref);
  g_clear_pointer (&self->exchange, gmcp_server_exchange_free);

  G_OBJECT_CLASS (gmcp_server_request_parent_class)->finalize (object);
}

static void
gmcp_server_request_class_init (GmcpServerRequestClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = gmcp_server_request_dispose;
  object_class->finalize = gmcp_server_request_finalize;
}

static void
gmcp_server_request_init (GmcpServerRequest *self)
{
  self->progress = -G_MAXDOUBLE;
  self->progress_allowance = GMCP_LIMIT_PROGRESS_BURST;
}

static void
on_ended (GmcpServerExchange *exchange, gpointer data)
{
  g_autoptr (GmcpServerRequest) self = g_object_ref (data);

  self->cancelled = TRUE;
  if (self->cancellable != NULL)
    g_cancellable_cancel (self->cancellable);
}

GmcpServerRequest *
gmcp_server_request_new (const GmcpServerExchange *exchange,
                         GmcpServerTool *tool,
                         GmcpJsonValue arguments)
{
  g_autoptr (GmcpServerRequest) self = g_object_new (GMCP_TYPE_SERVER_REQUEST, NULL);

  self->exchange = gmcp_server_exchange_keep (exchange, on_ended, self);
  if (self->exchange == NULL)
    return NULL;

  self->tool = gmcp_server_tool_ref (tool);
  self->arguments = arguments;
  return g_steal_pointer (&self);
}

/**
 * gmcp_server_request_get_tool_name:
 * @self: a request
 *
 * Gives the name of the tool that is called.
 *
 * Returns: (transfer none): the tool's name
 *
 * Since: 0.1
 */
const char *
gmcp_server_request_get_tool_name (GmcpServerRequest *self)
{
  g_return_val_if_fail (GMCP_IS_SERVER_REQUEST (self), NULL);

  return self->tool->name;
}

/**
 * gmcp_server_request_get_arguments:
 * @self: a request
 *
 * Gives the call's arguments. They match the tool's input schema.
 *
 * Returns: (transfer none): a sealed node that holds an object; empty where the client sent none
 *
 * Since: 0.1
 */
JsonNode *
gmcp_server_request_get_arguments (GmcpServerRequest *self)
{
  g_return_val_if_fail (GMCP_IS_SERVER_REQUEST (self), NULL);

  if (self->arguments_node == NULL)
    {
      if (gmcp_json_value_is_present (self->arguments))
        {
          self->arguments_node = gmcp_json_value_to_node (self->arguments);
        }
      else
        {
          self->arguments_node = json_node_new (JSON_NODE_OBJECT);
          json_node_take_object (self->arguments_node, json_object_new ());
          json_node_seal (self->arguments_node);
        }
    }

  return self->arguments_node;
}

/**
 * gmcp_server_request_get_arguments_json:
 * @self: a request
 *
 * Gives the call's arguments as the client wrote them, with every number in full.
 *
 * Returns: (transfer none): the text of a JSON object; `{}` where the client sent none
 *
 * Since: 0.1
 */
const char *
gmcp_server_request_get_arguments_json (GmcpServerRequest *self)
{
  g_return_val_if_fail (GMCP_IS_SERVER_REQUEST (self), NULL);

  if (self->arguments_json == NULL)
    self->arguments_json = gmcp_json_value_is_present (self->arguments)
                             ? gmcp_json_value_dup_raw (self->arguments)
                             : g_strdup ("{}");

  return self->arguments_json;
}

/**
 * gmcp_server_request_get_cancellable:
 * @self: a request
 *
 * Gives a cancellable for what the handler starts. It is cancelled when the client gives up the call
 * or is gone.
 *
 * Returns: (transfer none): the cancellable
 *
 * Since: 0.1
 */
GCancellable *
gmcp_server_request_get_cancellable (GmcpServerRequest *self)
{
  g_return_val_if_fail (GMCP_IS_SERVER_REQUEST (self), NULL);

  if (self->cancellable == NULL)
    {
      self->cancellable = g_cancellable_new ();
      if (self->cancelled)
        g_cancellable_cancel (self->cancellable);
    }

  return self->cancellable;
}

/**
 * gmcp_server_request_get_client_info:
 * @self: a request
 *
 * Gives what the client says of itself: good for logs, not for decisions.
 *
 * Returns: (transfer none) (nullable): the client's name and version, or %NULL where it did not say
 *
 * Since: 0.1
 */
GmcpImplementation *
gmcp_server_request_get_client_info (GmcpServerRequest *self)
{
  g_return_val_if_fail (GMCP_IS_SERVER_REQUEST (self), NULL);

  if (self->client_info == NULL && gmcp_json_value_is_present (self->exchange->client_info))
    self->client_info = gmcp_implementation_new_from_value (self->exchange->client_info);

  return self->client_info != NULL ? self->client_info : self->exchange->client;
}

/**
 * gmcp_server_request_get_protocol_version:
 * @self: a request
 *
 * Gives the revision of the protocol that the call is made in.
 *
 * Returns: (transfer none): a revision such as `2026-07-28`
 *
 * Since: 0.1
 */
const char *
gmcp_server_request_get_protocol_version (GmcpServerRequest *self)
{
  g_return_val_if_fail (GMCP_IS_SERVER_REQUEST (self), NULL);

  return self->exchange->protocol_version;
}

/* A bucket that fills with time, so that short bursts pass and floods do not. */
static gboolean
may_send_progress (GmcpServerRequest *self)
{
  gint64 now_us = g_get_monotonic_time ();

  if (self->progress_time_us != 0)
    self->progress_allowance += (now_us - self->progress_time_us) * GMCP_LIMIT_PROGRESS_PER_SECOND
                                / (double) G_USEC_PER_SEC;
  self->progress_allowance = MIN (self->progress_allowance, GMCP_LIMIT_PROGRESS_BURST);
  self->progress_time_us = now_us;
  if (self->progress_allowance < 1)
    return FALSE;

  self->progress_allowance -= 1;
  return TRUE;
}

/**
 * gmcp_server_request_report_progress:
 * @self: a request
 * @progress: how far the call is
 * @total: what @progress will be at the end, or 0 where that is not known
 * @message: (nullable): what is being done, for people to read
 *
 * Tells the client how far the call is, where the client wants to know. Harmless in every other
 * case: after the answer, after the client gave up, and with a @progress that is not above the one
 * before, nothing is sent. Of more than 100 reports a second some are left out.
 *
 * Spec: MCP 2026-07-28, basic/patterns/progress.
 *
 * Since: 0.1
 */
void
gmcp_server_request_report_progress (GmcpServerRequest *self,
                                     double progress,
                                     double total,
                                     const char *message)
{
  GmcpServerConnection *connection;
  GmcpJsonValue token;
  GmcpJsonWriter writer;
  GString *out;

  g_return_if_fail (GMCP_IS_SERVER_REQUEST (self));

  if (self->exchange->closed || !(progress > self->progress) || progress > G_MAXDOUBLE)
    return;

  token = gmcp_json_value_get_member (gmcp_server_exchange_get_meta (self->exchange),
                                      GMCP_META_PROGRESS_TOKEN);
  if (!gmcp_json_value_is_string (token) && !gmcp_json_value_is_number (token))
    return;

  /* The step to the end is always told. */
  if (!may_send_progress (self) && !(progress >= total && self->progress < total && total > 0))
    return;

  self->progress = progress;
  connection = self->exchange->connection;
  out = gmcp_server_connection_begin_message (connection);
  gmcp_rpc_write_notification_start (out, GMCP_NOTIFICATION_PROGRESS);
  writer = gmcp_json_writer_init (out);
  gmcp_json_writer_begin_object (&writer);
  gmcp_json_writer_member_value (&writer, GMCP_META_PROGRESS_TOKEN, token);
  gmcp_json_writer_key (&writer, "progress");
  gmcp_json_writer_double (&writer, progress);
  if (total > 0 && total <= G_MAXDOUBLE)
    {
      gmcp_json_writer_key (&writer, "total");
      gmcp_json_writer_double (&writer, total);
    }
  if (message != NULL)
    gmcp_json_writer_member_string (&writer, "message", message);
  gmcp_json_writer_end_object (&writer);
  g_string_append_c (out, '}');
  gmcp_server_connection_send_message (connection, GMCP_NOTIFICATION_PROGRESS);
}

/**
 * gmcp_server_request_return_result:
 * @self: a request that was not answered
 * @result: what the tool gives back
 *
 * Answers a call. Where the tool has an output schema and @result is not an error, the structured
 * content of @result has to match it: if it does not, the client gets an internal error that says
 * so.
 *
 * Nothing is sent to a client that gave up. To clients of a revision before 2026-07-28 structured
 * content is sent only where it is an object, since theirs is nothing else.
 *
 * Spec: MCP 2026-07-28, server/tools, "Tool Result".
 *
 * Since: 0.1
 */
void
gmcp_server_request_return_result (GmcpServerRequest *self, GmcpToolResult *result)
{
  g_return_if_fail (GMCP_IS_SERVER_REQUEST (self));
  g_return_if_fail (result != NULL);
  g_return_if_fail (!self->returned);

  self->returned = TRUE;
  gmcp_server_tools_reply (self->exchange, self->tool, result);
}

/**
 * gmcp_server_request_return_error:
 * @self: a request that was not answered
 * @error: what went wrong
 *
 * Answers a call that failed.
 *
 * An error of the domain %GMCP_RPC_ERROR is sent as it is, code, message and data: that is for what
 * is wrong with the request or the server. Every other one becomes a result that is marked as an
 * error and has the error's message as its text, for the model to read and do better.
 *
 * Spec: MCP 2026-07-28, server/tools, "Error Handling".
 *
 * Since: 0.1
 */
void
gmcp_server_request_return_error (GmcpServerRequest *self, const GError *error)
{
  g_autoptr (GmcpToolResult) result = NULL;

  g_return_if_fail (GMCP_IS_SERVER_REQUEST (self));
  g_return_if_fail (error != NULL);
  g_return_if_fail (!self->returned);

  self->returned = TRUE;
  if (error->domain == GMCP_RPC_ERROR)
    {
      g_autofree char *data_json = gmcp_rpc_error_dup_data_json (error);

      gmcp_server_exchange_reply_error (self->exchange, error->code, error->message, data_json);
      return;
    }

  result = gmcp_tool_result_new_error (error->message);
  gmcp_server_tools_reply (self->exchange, self->tool, result);
}

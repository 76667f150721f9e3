/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-client-private.h"

#include <string.h>

#include "gmcp-call-result-private.h"
#include "gmcp-client-call-private.h"
#include "gmcp-era-private.h"
#include "gmcp-session-headers-private.h"
#include "gmcp-client-task-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-object-list-private.h"
#include "gmcp-protocol-private.h"
#include "gmcp-tool-private.h"
#include "gmcp-tool-result-private.h"

/* A call that waits for the list of tools, which says how the tool is to be called, and whether it
 * is the one that the caller expects. */
typedef struct
{
  char *name;
  GmcpJsonDoc *arguments;
  GmcpCallOptions *options;
  GCancellable *cancellable;
  GmcpClientCallFunc func;
  gpointer data;
} DeferredCall;

static void
deferred_call_free (DeferredCall *call)
{
  g_free (call->name);
  g_clear_pointer (&call->arguments, gmcp_json_doc_unref);
  g_clear_object (&call->options);
  g_clear_object (&call->cancellable);
  g_free (call);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DeferredCall, deferred_call_free)

static void
prefix_rpc_error (GmcpClient *self, GError **error)
{
  if ((*error)->domain == GMCP_RPC_ERROR)
    g_prefix_error (error, "%s: ", gmcp_client_describe (self));
}

static GmcpToolResult *
read_result (GmcpClient *self, GmcpExchange *exchange, const GmcpRpcMessage *reply, GError **error)
{
  GmcpToolResult *result = NULL;

  if (*error == NULL)
    {
      result = gmcp_tool_result_new_from_value (reply->result, error);
      if (result == NULL)
        g_prefix_error (error, _ ("%s answered the call of “%s” with no result: "),
                        gmcp_client_describe (self), exchange->subject);
      else if (self->outputs != NULL
               && !gmcp_client_check_output (self, exchange->subject, exchange->options, result,
                                             error))
        g_clear_pointer (&result, gmcp_tool_result_unref);
    }
  if (result == NULL)
    prefix_rpc_error (self, error);

  return result;
}

void
gmcp_client_call_answered (GmcpClient *self,
                           GmcpExchange *exchange,
                           const GmcpRpcMessage *reply,
                           GError *error)
{
  GmcpToolResult *result = read_result (self, exchange, reply, &error);

  exchange->call_done (result, error, exchange->call_data);
}

static GError *
not_connected_error (GmcpClient *self, const char *what)
{
  return g_error_new (GMCP_ERROR, GMCP_ERROR_CLOSED,
                      _ ("“%s” was not sent to %s: it is not connected"), what,
                      gmcp_client_describe (self));
}

gboolean
gmcp_client_check_open (GmcpClient *self, GTask *task, const char *what)
{
  if (self->state == GMCP_CLIENT_OPEN)
    return TRUE;

  g_task_return_error (task, not_connected_error (self, what));
  return FALSE;
}

static void
write_name (GmcpClient *self, GmcpJsonWriter *params, const char *name, GmcpCallOptions *options)
{
  gmcp_json_writer_plain_key (params, "name");
  gmcp_json_writer_string (params, name);
  if (self->offers_tasks)
    gmcp_client_write_task (self, params, name, options);
  gmcp_json_writer_plain_key (params, "arguments");
}

static GmcpExchange *
begin_call (GmcpClient *self,
            const char *name,
            GmcpCallOptions *options,
            GCancellable *cancellable,
            GmcpClientCallFunc func,
            gpointer data,
            GmcpJsonWriter *params)
{
  GmcpExchange *exchange = gmcp_client_begin_request (
    self, GMCP_METHOD_TOOLS_CALL, gmcp_client_call_answered, self->call_timeout_ms, params);

  gmcp_exchange_bind_direct (exchange, self, func, data, cancellable, options, name);
  write_name (self, params, name, options);
  return exchange;
}

static void
write_empty_object (GmcpJsonWriter *params)
{
  gmcp_json_writer_begin_object (params);
  gmcp_json_writer_end_object (params);
}

static void
send_call (GmcpClient *self,
           const char *name,
           GmcpJsonDoc *arguments,
           GmcpCallOptions *options,
           GCancellable *cancellable,
           GmcpClientCallFunc func,
           gpointer data)
{
  GmcpJsonWriter params;
  GmcpExchange *exchange = begin_call (self, name, options, cancellable, func, data, &params);

  if (arguments != NULL)
    gmcp_json_writer_value (&params, gmcp_json_doc_get_root (arguments));
  else
    write_empty_object (&params);
  gmcp_client_end_request (self, exchange, &params);
}

static gboolean
check_expected (GmcpClient *self, const char *name, GmcpTool *expected, GError **error)
{
  GmcpTool *tool = gmcp_client_peek_tool (self, name);

  if (tool == NULL)
    g_set_error (error, GMCP_ERROR, GMCP_ERROR_TOOL_CHANGED,
                 _ ("%s no longer has the tool “%s”; nothing was sent"),
                 gmcp_client_describe (self), name);
  else if (gmcp_tool_same_definition (tool, expected))
    return TRUE;
  else
    g_set_error (error, GMCP_ERROR, GMCP_ERROR_TOOL_CHANGED,
                 _ ("%s changed the definition of “%s” since it was read; nothing was sent. Look "
                    "at the tool again before it is called"),
                 gmcp_client_describe (self), name);
  return FALSE;
}

static GmcpTool *
get_expected (GmcpCallOptions *options)
{
  return options != NULL ? gmcp_call_options_get_expected_tool (options) : NULL;
}

/* Which tools have to be called as tasks is said where they are listed. */
static gboolean
needs_list (GmcpClient *self)
{
  return self->offers_tasks && !self->lists[GMCP_CLIENT_LIST_TOOLS].listed;
}

static void
on_listed_for_call (GObject *source, GAsyncResult *result, gpointer user_data)
{
  GmcpClient *self = GMCP_CLIENT (source);
  g_autoptr (DeferredCall) call = user_data;
  g_autoptr (GListModel) tools = NULL;
  GmcpTool *expected = get_expected (call->options);
  GError *error = NULL;

  tools = gmcp_client_list_tools_finish (self, result, &error);
  if (tools != NULL && expected != NULL)
    check_expected (self, call->name, expected, &error);
  /* Who expects nothing may have a list that cannot be read. */
  else if (expected == NULL && error != NULL
           && !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    g_clear_error (&error);
  if (error == NULL && self->state != GMCP_CLIENT_OPEN)
    error = not_connected_error (self, call->name);

  if (error != NULL)
    call->func (NULL, error, call->data);
  else
    send_call (self, call->name, call->arguments, call->options, call->cancellable, call->func,
               call->data);
}

static gboolean
depends_on_list (GmcpClient *self, GmcpCallOptions *options)
{
  return get_expected (options) != NULL || needs_list (self);
}

/* Sends it when the list has been read that it depends on, and the tool been found to be what the
 * caller expects. */
static void
send_dependent_call (GmcpClient *self,
                     const char *name,
                     GmcpJsonDoc *arguments,
                     GmcpCallOptions *options,
                     GCancellable *cancellable,
                     GmcpClientCallFunc func,
                     gpointer data)
{
  GmcpTool *expected = get_expected (options);
  GError *error = NULL;
  DeferredCall *call;

  if (expected != NULL && gmcp_client_list_is_fresh (self, GMCP_CLIENT_LIST_TOOLS))
    {
      if (check_expected (self, name, expected, &error))
        send_call (self, name, arguments, options, cancellable, func, data);
      else
        func (NULL, error, data);
      return;
    }

  call = g_new (DeferredCall, 1);
  call->name = g_strdup (name);
  call->arguments = arguments != NULL ? gmcp_json_doc_ref (arguments) : NULL;
  call->options = options != NULL ? g_object_ref (options) : NULL;
  call->cancellable = cancellable != NULL ? g_object_ref (cancellable) : NULL;
  call->func = func;
  call->data = data;
  gmcp_client_list_tools_async (self, cancellable, on_listed_for_call, call);
}

static gboolean
check_callable (GmcpClient *self, const char *name, GCancellable *cancellable, GError **error)
{
  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return FALSE;
  if (self->state == GMCP_CLIENT_OPEN)
    return TRUE;

  g_propagate_error (error, not_connected_error (self, name));
  return FALSE;
}

static GError *
bad_arguments_error (const char *name, const char *problem)
{
  return g_error_new (GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT,
                      _ ("The arguments for “%s” must be a JSON object: %s"), name, problem);
}

/* Straight from the node into the message. */
static gboolean
send_node_call (GmcpClient *self,
                const char *name,
                JsonNode *arguments,
                GmcpCallOptions *options,
                GCancellable *cancellable,
                GmcpCallResult *call,
                GError **error)
{
  GmcpJsonWriter params;
  GmcpExchange *exchange
    = begin_call (self, name, options, cancellable, gmcp_call_result_end, call, &params);

  if (arguments == NULL)
    write_empty_object (&params);
  else if (!gmcp_json_writer_node (&params, arguments, error))
    {
      gmcp_client_drop_exchange (self, exchange);
      return FALSE;
    }
  gmcp_client_end_request (self, exchange, &params);
  return TRUE;
}

static gboolean
send_call_with_node (GmcpClient *self,
                     const char *name,
                     JsonNode *arguments,
                     GmcpCallOptions *options,
                     GCancellable *cancellable,
                     GmcpCallResult *call,
                     GError **error)
{
  g_autoptr (GmcpJsonDoc) doc = NULL;

  if (arguments != NULL && !JSON_NODE_HOLDS_OBJECT (arguments))
    {
      g_set_error_literal (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT,
                           json_node_type_name (arguments));
      return FALSE;
    }
  if (!depends_on_list (self, options))
    return send_node_call (self, name, arguments, options, cancellable, call, error);

  if (arguments != NULL && (doc = gmcp_json_doc_from_node (arguments, error)) == NULL)
    return FALSE;
  send_dependent_call (self, name, doc, options, cancellable, gmcp_call_result_end, call);
  return TRUE;
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
  GmcpCallResult *call;
  GError *error = NULL;

  g_return_if_fail (GMCP_IS_CLIENT (self));
  g_return_if_fail (name != NULL);
  g_return_if_fail (options == NULL || GMCP_IS_CALL_OPTIONS (options));
  g_return_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable));

  call = gmcp_call_result_new (self, gmcp_client_call_tool_async, cancellable, callback, user_data);
  if (!check_callable (self, name, cancellable, &error))
    gmcp_call_result_end (NULL, error, call);
  else if (!send_call_with_node (self, name, arguments, options, cancellable, call, &error))
    {
      gmcp_call_result_end (NULL, bad_arguments_error (name, error->message), call);
      g_error_free (error);
    }
  gmcp_call_result_started (call);
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
  GError *error = NULL;

  if (!check_callable (self, name, cancellable, &error))
    func (NULL, error, data);
  else if (depends_on_list (self, options))
    send_dependent_call (self, name, arguments, options, cancellable, func, data);
  else
    send_call (self, name, arguments, options, cancellable, func, data);
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
 * [method@Gmcp.Client.call_tool_finish].
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
  GmcpCallResult *call;

  g_return_if_fail (GMCP_IS_CLIENT (self));
  g_return_if_fail (name != NULL);
  g_return_if_fail (options == NULL || GMCP_IS_CALL_OPTIONS (options));
  g_return_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable));

  if (arguments_json != NULL)
    doc = gmcp_protocol_parse_object (arguments_json, "arguments", &error);

  call = gmcp_call_result_new (self, gmcp_client_call_tool_async, cancellable, callback, user_data);
  if (error != NULL)
    gmcp_call_result_end (NULL, bad_arguments_error (name, error->message), call);
  else
    gmcp_client_call_tool_direct (self, name, doc, options, cancellable, gmcp_call_result_end,
                                  call);
  gmcp_call_result_started (call);
}

/**
 * gmcp_client_call_tool_finish:
 * @self: a client
 * @result: what the callback got
 * @error: return location for an error
 *
 * Ends [method@Gmcp.Client.call_tool_async] and [method@Gmcp.Client.call_tool_json_async].
 *
 * Returns: (transfer full): the tool's result
 *
 * Since: 0.1
 */
GmcpToolResult *
gmcp_client_call_tool_finish (GmcpClient *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (gmcp_call_result_is_valid (result, self, gmcp_client_call_tool_async),
                        NULL);

  return gmcp_call_result_propagate (GMCP_CALL_RESULT (result), error);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-client-private.h"

#include "gmcp-exchange-private.h"

#include "gmcp-completion-result-private.h"
#include "gmcp-protocol-private.h"

static void
write_reference (GmcpJsonWriter *params, GmcpCompletionKind kind, const char *reference)
{
  gmcp_json_writer_key (params, "ref");
  gmcp_json_writer_begin_object (params);
  if (kind == GMCP_COMPLETION_KIND_PROMPT)
    {
      gmcp_json_writer_member_string (params, "type", "ref/prompt");
      gmcp_json_writer_member_string (params, "name", reference);
    }
  else
    {
      gmcp_json_writer_member_string (params, "type", "ref/resource");
      gmcp_json_writer_member_string (params, "uri", reference);
    }
  gmcp_json_writer_end_object (params);
}

static void
write_argument (GmcpJsonWriter *params, const char *argument, const char *value)
{
  gmcp_json_writer_key (params, "argument");
  gmcp_json_writer_begin_object (params);
  gmcp_json_writer_member_string (params, "name", argument);
  gmcp_json_writer_member_string (params, "value", value);
  gmcp_json_writer_end_object (params);
}

static void
write_context (GmcpJsonWriter *params, GHashTable *context)
{
  gmcp_json_writer_key (params, "context");
  gmcp_json_writer_begin_object (params);
  gmcp_json_writer_key (params, "arguments");
  gmcp_exchange_write_strings (params, context);
  gmcp_json_writer_end_object (params);
}

static void
on_completed (GmcpSession *self, GmcpExchange *exchange, const GmcpRpcMessage *reply, GError *error)
{
  GmcpCompletionResult *result = NULL;

  if (error == NULL)
    result = gmcp_completion_result_new_from_value (reply->result, &error);
  gmcp_exchange_return_result (exchange, result, (GDestroyNotify) gmcp_completion_result_unref,
                               "completions", error);
}

/**
 * gmcp_client_complete_async:
 * @self: a client that is open
 * @kind: what @reference is
 * @reference: the prompt's name, or the URI template
 * @argument: the name of the argument, or of the place in the template
 * @value: what was typed so far
 * @context: (nullable) (element-type utf8 utf8): values by name that other arguments have already, or %NULL for none;
 *   a name whose value is %NULL is left out
 * @options: (nullable): time limits, progress and more, for this request only
 * @cancellable: (nullable): a cancellable
 * @callback: (scope async): called in the caller's thread-default context
 * @user_data: data for @callback
 *
 * Asks the server what an argument can be completed to.
 *
 * Fails with [error@Gmcp.Error] `CLOSED`, `SERVER_EXITED`, `TIMED_OUT`, `PROTOCOL`, `NOT_SUPPORTED`
 * where the server does not complete anything, or a [error@Gmcp.RpcError] that the server sent. Who
 * asks while somebody types waits a little first: each keystroke need not be a request.
 *
 * Spec: MCP 2026-07-28, server/utilities/completion.
 *
 * Since: 0.1
 */
void
gmcp_client_complete_async (GmcpClient *self,
                            GmcpCompletionKind kind,
                            const char *reference,
                            const char *argument,
                            const char *value,
                            GHashTable *context,
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
  g_return_if_fail (reference != NULL);
  g_return_if_fail (argument != NULL);
  g_return_if_fail (value != NULL);
  g_return_if_fail (options == NULL || GMCP_IS_CALL_OPTIONS (options));
  g_return_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable));

  if (!gmcp_client_check_thread (self, G_STRFUNC))
    return;

  session = gmcp_client_get_session (self);
  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, gmcp_client_complete_async);
  if (g_task_return_error_if_cancelled (task)
      || !gmcp_session_check_open (session, task, reference))
    return;

  exchange = gmcp_session_begin_request (session, GMCP_METHOD_COMPLETE, on_completed,
                                         gmcp_session_get_call_timeout_ms (session), &params);
  gmcp_exchange_bind (exchange, task, options, reference);
  write_reference (&params, kind, reference);
  write_argument (&params, argument, value);
  if (context != NULL && g_hash_table_size (context) > 0)
    write_context (&params, context);
  gmcp_session_end_request (session, exchange, &params);
}

/**
 * gmcp_client_complete_finish:
 * @self: a client
 * @result: what the callback got
 * @error: return location for an error
 *
 * Ends [method@Gmcp.Client.complete_async].
 *
 * Returns: (transfer full): what the server offers
 *
 * Since: 0.1
 */
GmcpCompletionResult *
gmcp_client_complete_finish (GmcpClient *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);
  g_return_val_if_fail (g_async_result_is_tagged (result, gmcp_client_complete_async), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

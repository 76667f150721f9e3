/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-client-private.h"

#include "gmcp-exchange-private.h"
#include "gmcp-lists-private.h"
#include "gmcp-logging-private.h"

#include "gmcp-i18n-private.h"
#include "gmcp-prompt-private.h"
#include "gmcp-prompt-result-private.h"
#include "gmcp-protocol-private.h"

/**
 * gmcp_client_get_prompts: (get-property prompts)
 * @self: a client
 *
 * Gets [property@Gmcp.Client:prompts].
 *
 * Returns: (transfer none): the value of [property@Gmcp.Client:prompts]
 *
 * Since: 0.1
 */
GListModel *
gmcp_client_get_prompts (GmcpClient *self)
{
  GmcpSession *session;

  g_return_val_if_fail (GMCP_IS_CLIENT (self), NULL);

  session = gmcp_client_get_session (self);
  return G_LIST_MODEL (gmcp_lists_get_items (session, GMCP_LIST_PROMPTS));
}

/**
 * gmcp_client_list_prompts_async:
 * @self: a client that is open
 * @cancellable: (nullable): a cancellable
 * @callback: (scope async): called in the caller's thread-default context
 * @user_data: data for @callback
 *
 * Reads the list of prompts, all pages of it, and brings [property@Gmcp.Client:prompts] up to date.
 * A malformed prompt is left out and does not hide the others; a prompt that has not changed stays
 * the same object. A server that has none gives an empty list, and one
 * that does not declare prompts is not asked.
 *
 * It fails with [error@Gmcp.Error] `CLOSED`, `TIMED_OUT` (each page has
 * [property@Gmcp.Client:call-timeout-ms]), `PROTOCOL` or `LIMIT_EXCEEDED`, or with a
 * [error@Gmcp.RpcError]; the list that was there before stays.
 *
 * Spec: MCP 2026-07-28, server/prompts, "Listing Prompts".
 *
 * Since: 0.1
 */
void
gmcp_client_list_prompts_async (GmcpClient *self,
                                GCancellable *cancellable,
                                GAsyncReadyCallback callback,
                                gpointer user_data)
{
  GmcpSession *session;

  g_return_if_fail (GMCP_IS_CLIENT (self));
  g_return_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable));

  if (!gmcp_client_check_thread (self, G_STRFUNC))
    return;

  session = gmcp_client_get_session (self);
  gmcp_lists_read_async (session, GMCP_LIST_PROMPTS, gmcp_client_list_prompts_async, cancellable,
                         callback, user_data);
}

/**
 * gmcp_client_list_prompts_finish:
 * @self: a client
 * @result: what the callback got
 * @error: return location for an error
 *
 * Ends [method@Gmcp.Client.list_prompts_async].
 *
 * Returns: (transfer full): the client's live list of [class@Gmcp.Prompt], which is
 *   [property@Gmcp.Client:prompts]
 *
 * Since: 0.1
 */
GListModel *
gmcp_client_list_prompts_finish (GmcpClient *self, GAsyncResult *result, GError **error)
{
  return gmcp_lists_read_finish (self, gmcp_client_list_prompts_async, result, error);
}

/**
 * gmcp_client_list_prompts_page_async:
 * @self: a client that is open
 * @cursor: (nullable): where the page begins, as the page before it said; %NULL for the first
 * @options: (nullable): time limits and more, for this request only
 * @cancellable: (nullable): a cancellable
 * @callback: (scope async): called in the caller's thread-default context
 * @user_data: data for @callback
 *
 * Reads one page of the list of prompts, for who wants to see a long list bit by bit. How long a
 * page is the server decides. [property@Gmcp.Client:prompts] stays as it is.
 *
 * It fails as [method@Gmcp.Client.list_prompts_async] does.
 *
 * Spec: MCP 2026-07-28, server/utilities/pagination.
 *
 * Since: 0.1
 */
void
gmcp_client_list_prompts_page_async (GmcpClient *self,
                                     const char *cursor,
                                     GmcpCallOptions *options,
                                     GCancellable *cancellable,
                                     GAsyncReadyCallback callback,
                                     gpointer user_data)
{
  GmcpSession *session;

  g_return_if_fail (GMCP_IS_CLIENT (self));
  g_return_if_fail (options == NULL || GMCP_IS_CALL_OPTIONS (options));
  g_return_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable));

  if (!gmcp_client_check_thread (self, G_STRFUNC))
    return;

  session = gmcp_client_get_session (self);
  gmcp_lists_page_async (session, GMCP_LIST_PROMPTS, gmcp_client_list_prompts_page_async, cursor,
                         options, cancellable, callback, user_data);
}

/**
 * gmcp_client_list_prompts_page_finish:
 * @self: a client
 * @result: what the callback got
 * @next_cursor: (out) (optional) (nullable) (transfer full): where the next page begins, or %NULL
 *   where there is none
 * @error: return location for an error
 *
 * Ends [method@Gmcp.Client.list_prompts_page_async].
 *
 * Returns: (transfer container) (element-type Gmcp.Prompt): the prompts of the page
 *
 * Since: 0.1
 */
GPtrArray *
gmcp_client_list_prompts_page_finish (GmcpClient *self,
                                      GAsyncResult *result,
                                      char **next_cursor,
                                      GError **error)
{
  return gmcp_lists_page_finish (self, gmcp_client_list_prompts_page_async, result, next_cursor,
                                 error);
}

static void
on_got (GmcpSession *self, GmcpExchange *exchange, const GmcpRpcMessage *reply, GError *error)
{
  GmcpPromptResult *result = NULL;

  if (error == NULL)
    result = gmcp_prompt_result_new_from_value (reply->result, &error);
  gmcp_exchange_return_result (exchange, result, (GDestroyNotify) gmcp_prompt_result_unref,
                               "prompts", error);
}

/**
 * gmcp_client_get_prompt_async:
 * @self: a client that is open
 * @name: the prompt's name, as listed
 * @arguments: (nullable) (element-type utf8 utf8): values by the names of the arguments, or %NULL for none;
 *   a name whose value is %NULL is left out
 * @options: (nullable): time limits, progress and more, for this request only
 * @cancellable: (nullable): a cancellable
 * @callback: (scope async): called in the caller's thread-default context
 * @user_data: data for @callback
 *
 * Asks for the messages of a prompt.
 *
 * Fails with [error@Gmcp.Error] `CLOSED`, `SERVER_EXITED`, `TIMED_OUT`, `PROTOCOL`, `NOT_SUPPORTED`
 * where the server has no prompts, or a [error@Gmcp.RpcError] that the server sent:
 * `INVALID_PARAMS` where there is no such prompt, or an argument is missing.
 *
 * Spec: MCP 2026-07-28, server/prompts, "Getting a Prompt".
 *
 * Since: 0.1
 */
void
gmcp_client_get_prompt_async (GmcpClient *self,
                              const char *name,
                              GHashTable *arguments,
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
  g_return_if_fail (name != NULL);
  g_return_if_fail (options == NULL || GMCP_IS_CALL_OPTIONS (options));
  g_return_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable));

  if (!gmcp_client_check_thread (self, G_STRFUNC))
    return;

  session = gmcp_client_get_session (self);
  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, gmcp_client_get_prompt_async);
  if (g_task_return_error_if_cancelled (task) || !gmcp_session_check_open (session, task, name))
    return;

  gmcp_logging_ask_for (session, options);
  exchange = gmcp_session_begin_request (session, GMCP_METHOD_PROMPTS_GET, on_got,
                                         gmcp_session_get_call_timeout_ms (session), &params);
  gmcp_exchange_bind (exchange, task, options, name);
  gmcp_json_writer_member_string (&params, "name", name);
  if (arguments != NULL)
    {
      gmcp_json_writer_key (&params, "arguments");
      gmcp_exchange_write_strings (&params, arguments);
    }
  gmcp_session_end_request (session, exchange, &params);
}

/**
 * gmcp_client_get_prompt_finish:
 * @self: a client
 * @result: what the callback got
 * @error: return location for an error
 *
 * Ends [method@Gmcp.Client.get_prompt_async].
 *
 * Returns: (transfer full): the messages
 *
 * Since: 0.1
 */
GmcpPromptResult *
gmcp_client_get_prompt_finish (GmcpClient *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);
  g_return_val_if_fail (g_async_result_is_tagged (result, gmcp_client_get_prompt_async), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

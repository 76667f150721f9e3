/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-client-private.h"

#include "gmcp-caching-private.h"
#include "gmcp-exchange-private.h"
#include "gmcp-lists-private.h"
#include "gmcp-logging-private.h"

#include "gmcp-i18n-private.h"
#include "gmcp-protocol-private.h"
#include "gmcp-resource-private.h"
#include "gmcp-resource-result-private.h"

/**
 * gmcp_client_get_resources: (get-property resources)
 * @self: a client
 *
 * Gets [property@Gmcp.Client:resources].
 *
 * Returns: (transfer none): the value of [property@Gmcp.Client:resources]
 *
 * Since: 0.1
 */
GListModel *
gmcp_client_get_resources (GmcpClient *self)
{
  GmcpSession *session;

  g_return_val_if_fail (GMCP_IS_CLIENT (self), NULL);

  session = gmcp_client_get_session (self);
  return G_LIST_MODEL (gmcp_lists_get_items (session, GMCP_LIST_RESOURCES));
}

/**
 * gmcp_client_list_resources_async:
 * @self: a client that is open
 * @cancellable: (nullable): a cancellable
 * @callback: (scope async): called in the caller's thread-default context
 * @user_data: data for @callback
 *
 * Reads the list of resources, all pages of it, and brings [property@Gmcp.Client:resources] up to
 * date. A malformed resource is left out and does not hide the others; a resource that has not
 * changed stays the same object. A server that has none gives an empty list, and one
 * that does not declare resources is not asked.
 *
 * It fails with [error@Gmcp.Error] `CLOSED`, `TIMED_OUT` (each page has
 * [property@Gmcp.Client:call-timeout-ms]), `PROTOCOL` or `LIMIT_EXCEEDED`, or with a
 * [error@Gmcp.RpcError]; the list that was there before stays.
 *
 * Spec: MCP 2026-07-28, server/resources, "Listing Resources".
 *
 * Since: 0.1
 */
void
gmcp_client_list_resources_async (GmcpClient *self,
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
  gmcp_lists_read_async (session, GMCP_LIST_RESOURCES, gmcp_client_list_resources_async,
                         cancellable, callback, user_data);
}

/**
 * gmcp_client_list_resources_finish:
 * @self: a client
 * @result: what the callback got
 * @error: return location for an error
 *
 * Ends [method@Gmcp.Client.list_resources_async].
 *
 * Returns: (transfer full): the client's live list of [class@Gmcp.Resource], which is
 *   [property@Gmcp.Client:resources]
 *
 * Since: 0.1
 */
GListModel *
gmcp_client_list_resources_finish (GmcpClient *self, GAsyncResult *result, GError **error)
{
  return gmcp_lists_read_finish (self, gmcp_client_list_resources_async, result, error);
}

/**
 * gmcp_client_list_resources_page_async:
 * @self: a client that is open
 * @cursor: (nullable): where the page begins, as the page before it said; %NULL for the first
 * @options: (nullable): time limits and more, for this request only
 * @cancellable: (nullable): a cancellable
 * @callback: (scope async): called in the caller's thread-default context
 * @user_data: data for @callback
 *
 * Reads one page of the list of resources, for who wants to see a long list bit by bit. How long a
 * page is the server decides. [property@Gmcp.Client:resources] stays as it is.
 *
 * It fails as [method@Gmcp.Client.list_resources_async] does.
 *
 * Spec: MCP 2026-07-28, server/utilities/pagination.
 *
 * Since: 0.1
 */
void
gmcp_client_list_resources_page_async (GmcpClient *self,
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
  gmcp_lists_page_async (session, GMCP_LIST_RESOURCES, gmcp_client_list_resources_page_async,
                         cursor, options, cancellable, callback, user_data);
}

/**
 * gmcp_client_list_resources_page_finish:
 * @self: a client
 * @result: what the callback got
 * @next_cursor: (out) (optional) (nullable) (transfer full): where the next page begins, or %NULL
 *   where there is none
 * @error: return location for an error
 *
 * Ends [method@Gmcp.Client.list_resources_page_async].
 *
 * Returns: (transfer container) (element-type Gmcp.Resource): the resources of the page
 *
 * Since: 0.1
 */
GPtrArray *
gmcp_client_list_resources_page_finish (GmcpClient *self,
                                        GAsyncResult *result,
                                        char **next_cursor,
                                        GError **error)
{
  return gmcp_lists_page_finish (self, gmcp_client_list_resources_page_async, result, next_cursor,
                                 error);
}

static void
on_read (GmcpSession *self, GmcpExchange *exchange, const GmcpRpcMessage *reply, GError *error)
{
  GmcpResourceResult *result = NULL;

  if (error == NULL)
    result = gmcp_resource_result_new_from_value (reply->result, &error);
  if (result != NULL && gmcp_exchange_is_cached (exchange))
    gmcp_resource_result_set_cached (result, gmcp_exchange_get_cached_left_ms (exchange));
  gmcp_exchange_return_result (exchange, result, (GDestroyNotify) gmcp_resource_result_unref,
                               "resources", error);
}

/**
 * gmcp_client_read_resource_async:
 * @self: a client that is open
 * @uri: the resource's URI, as listed, or made of a template
 * @options: (nullable): time limits, progress and more, for this request only
 * @cancellable: (nullable): a cancellable
 * @callback: (scope async): called in the caller's thread-default context
 * @user_data: data for @callback
 *
 * Reads a resource.
 *
 * Fails with [error@Gmcp.Error] `CLOSED`, `SERVER_EXITED`, `TIMED_OUT`, `PROTOCOL`, `NOT_SUPPORTED`
 * where the server has no resources, or a [error@Gmcp.RpcError] that the server sent:
 * `INVALID_PARAMS`, or -32002 of servers before 2026-07-28, where there is no such resource.
 *
 * Spec: MCP 2026-07-28, server/resources, "Reading Resources".
 *
 * Since: 0.1
 */
void
gmcp_client_read_resource_async (GmcpClient *self,
                                 const char *uri,
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
  g_return_if_fail (uri != NULL);
  g_return_if_fail (options == NULL || GMCP_IS_CALL_OPTIONS (options));
  g_return_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable));

  if (!gmcp_client_check_thread (self, G_STRFUNC))
    return;

  session = gmcp_client_get_session (self);
  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, gmcp_client_read_resource_async);
  if (g_task_return_error_if_cancelled (task))
    return;
  if (!gmcp_caching_may_answer_stale (session, options)
      && !gmcp_session_check_open (session, task, uri))
    return;

  gmcp_logging_ask_for (session, options);
  exchange = gmcp_session_begin_request (session, GMCP_METHOD_RESOURCES_READ, on_read,
                                         gmcp_session_get_call_timeout_ms (session), &params);
  gmcp_exchange_bind (exchange, task, options, uri);
  gmcp_json_writer_member_string (&params, "uri", uri);
  gmcp_session_end_request (session, exchange, &params);
}

/**
 * gmcp_client_read_resource_finish:
 * @self: a client
 * @result: what the callback got
 * @error: return location for an error
 *
 * Ends [method@Gmcp.Client.read_resource_async].
 *
 * Returns: (transfer full): what is in the resource
 *
 * Since: 0.1
 */
GmcpResourceResult *
gmcp_client_read_resource_finish (GmcpClient *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);
  g_return_val_if_fail (g_async_result_is_tagged (result, gmcp_client_read_resource_async), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

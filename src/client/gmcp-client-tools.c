/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-client-private.h"

#include "gmcp-session-headers-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-protocol-private.h"
#include "gmcp-tool-private.h"

const GmcpClientListKind gmcp_client_list_tools = {
  .method = GMCP_METHOD_TOOLS_LIST,
  .member = "tools",
  .capability = "tools",
  .get_type = gmcp_tool_get_type,
  .new_item = (gpointer (*) (GmcpJsonValue, GError **)) gmcp_tool_new_from_value,
  .accept = gmcp_client_accept_tool,
  .get_key = (const char *(*) (gpointer)) gmcp_tool_get_name,
  .get_value = (GmcpJsonValue (*) (gpointer)) gmcp_tool_get_value,
  .failed = N_ ("The tools of %s could not be listed"),
  .not_connected = N_ ("The tools of %s cannot be listed: it is not connected"),
  .list_tag = gmcp_client_list_tools_async,
  .page_tag = gmcp_client_list_tools_page_async,
};

/**
 * gmcp_client_list_tools_async:
 * @self: a client that is open
 * @cancellable: (nullable): a cancellable
 * @callback: (scope async): called in the caller's thread-default context
 * @user_data: data for @callback
 *
 * Reads the list of tools, all pages of it, and brings [property@Gmcp.Client:tools] up to date. A
 * malformed tool is left out and does not hide the others; a tool that has not changed stays the
 * same object. A server that does not declare tools is not asked, and the list is empty.
 *
 * It fails with [error@Gmcp.Error] `CLOSED`, `TIMED_OUT` (each page has
 * [property@Gmcp.Client:call-timeout-ms]), `PROTOCOL` or `LIMIT_EXCEEDED`, or with a
 * [error@Gmcp.RpcError]; the list that was there before stays. A list has at most 20,000 tools on
 * 1,000 pages, in 128 MiB of memory, or in twice [property@Gmcp.Transport:max-message-bytes] where
 * that is more.
 *
 * Spec: MCP 2026-07-28, server/tools, "Listing Tools".
 *
 * Since: 0.1
 */
void
gmcp_client_list_tools_async (GmcpClient *self,
                              GCancellable *cancellable,
                              GAsyncReadyCallback callback,
                              gpointer user_data)
{
  g_return_if_fail (GMCP_IS_CLIENT (self));
  g_return_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable));

  gmcp_client_list_async (self, GMCP_CLIENT_LIST_TOOLS, cancellable, callback, user_data);
}

/**
 * gmcp_client_list_tools_finish:
 * @self: a client
 * @result: what the callback got
 * @error: return location for an error
 *
 * Ends [method@Gmcp.Client.list_tools_async].
 *
 * Returns: (transfer full): the client's live list of [class@Gmcp.Tool], which is
 *   [property@Gmcp.Client:tools]
 *
 * Since: 0.1
 */
GListModel *
gmcp_client_list_tools_finish (GmcpClient *self, GAsyncResult *result, GError **error)
{
  return gmcp_client_list_finish (self, GMCP_CLIENT_LIST_TOOLS, result, error);
}

/**
 * gmcp_client_list_tools_page_async:
 * @self: a client that is open
 * @cursor: (nullable): where the page begins, as the page before it said; %NULL for the first
 * @options: (nullable): time limits and more, for this request only
 * @cancellable: (nullable): a cancellable
 * @callback: (scope async): called in the caller's thread-default context
 * @user_data: data for @callback
 *
 * Reads one page of the list of tools, for who wants to see a long list bit by bit. How long a page
 * is the server decides. [property@Gmcp.Client:tools] stays as it is.
 *
 * It fails as [method@Gmcp.Client.list_tools_async] does.
 *
 * Spec: MCP 2026-07-28, server/utilities/pagination.
 *
 * Since: 0.1
 */
void
gmcp_client_list_tools_page_async (GmcpClient *self,
                                   const char *cursor,
                                   GmcpCallOptions *options,
                                   GCancellable *cancellable,
                                   GAsyncReadyCallback callback,
                                   gpointer user_data)
{
  g_return_if_fail (GMCP_IS_CLIENT (self));
  g_return_if_fail (options == NULL || GMCP_IS_CALL_OPTIONS (options));
  g_return_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable));

  gmcp_client_page_async (self, GMCP_CLIENT_LIST_TOOLS, cursor, options, cancellable, callback,
                          user_data);
}

/**
 * gmcp_client_list_tools_page_finish:
 * @self: a client
 * @result: what the callback got
 * @next_cursor: (out) (optional) (nullable) (transfer full): where the next page begins, or %NULL
 *   where there is none
 * @error: return location for an error
 *
 * Ends [method@Gmcp.Client.list_tools_page_async].
 *
 * Returns: (transfer container) (element-type Gmcp.Tool): the tools of the page
 *
 * Since: 0.1
 */
GPtrArray *
gmcp_client_list_tools_page_finish (GmcpClient *self,
                                    GAsyncResult *result,
                                    char **next_cursor,
                                    GError **error)
{
  return gmcp_client_page_finish (self, GMCP_CLIENT_LIST_TOOLS, result, next_cursor, error);
}

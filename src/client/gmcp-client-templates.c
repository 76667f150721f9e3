/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-client-private.h"

#include "gmcp-lists-private.h"

#include "gmcp-i18n-private.h"
#include "gmcp-protocol-private.h"
#include "gmcp-resource-template-private.h"

/**
 * gmcp_client_get_resource_templates: (get-property resource-templates)
 * @self: a client
 *
 * Gets [property@Gmcp.Client:resource-templates].
 *
 * Returns: (transfer none): the value of [property@Gmcp.Client:resource-templates]
 *
 * Since: 0.1
 */
GListModel *
gmcp_client_get_resource_templates (GmcpClient *self)
{
  GmcpSession *session;

  g_return_val_if_fail (GMCP_IS_CLIENT (self), NULL);

  session = gmcp_client_get_session (self);
  return G_LIST_MODEL (gmcp_lists_get_items (session, GMCP_LIST_TEMPLATES));
}

/**
 * gmcp_client_list_resource_templates_async:
 * @self: a client that is open
 * @cancellable: (nullable): a cancellable
 * @callback: (scope async): called in the caller's thread-default context
 * @user_data: data for @callback
 *
 * Reads the list of resource templates, all pages of it, and brings
 * [property@Gmcp.Client:resource-templates] up to date. A malformed template is left out and does
 * not hide the others; a template that has not changed stays the same object. A server that has
 * none gives an empty list, and one that does not declare resources is not asked.
 *
 * It fails with [error@Gmcp.Error] `CLOSED`, `TIMED_OUT` (each page has
 * [property@Gmcp.Client:call-timeout-ms]), `PROTOCOL` or `LIMIT_EXCEEDED`, or with a
 * [error@Gmcp.RpcError]; the list that was there before stays.
 *
 * Spec: MCP 2026-07-28, server/resources, "Resource Templates".
 *
 * Since: 0.1
 */
void
gmcp_client_list_resource_templates_async (GmcpClient *self,
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
  gmcp_lists_read_async (session, GMCP_LIST_TEMPLATES, gmcp_client_list_resource_templates_async,
                         cancellable, callback, user_data);
}

/**
 * gmcp_client_list_resource_templates_finish:
 * @self: a client
 * @result: what the callback got
 * @error: return location for an error
 *
 * Ends [method@Gmcp.Client.list_resource_templates_async].
 *
 * Returns: (transfer full): the client's live list of [class@Gmcp.ResourceTemplate], which is
 *   [property@Gmcp.Client:resource-templates]
 *
 * Since: 0.1
 */
GListModel *
gmcp_client_list_resource_templates_finish (GmcpClient *self, GAsyncResult *result, GError **error)
{
  return gmcp_lists_read_finish (self, gmcp_client_list_resource_templates_async, result, error);
}

/**
 * gmcp_client_list_resource_templates_page_async:
 * @self: a client that is open
 * @cursor: (nullable): where the page begins, as the page before it said; %NULL for the first
 * @options: (nullable): time limits and more, for this request only
 * @cancellable: (nullable): a cancellable
 * @callback: (scope async): called in the caller's thread-default context
 * @user_data: data for @callback
 *
 * Reads one page of the list of resource templates, for who wants to see a long list bit by bit.
 * How long a page is the server decides. [property@Gmcp.Client:resource-templates] stays as it is.
 *
 * It fails as [method@Gmcp.Client.list_resource_templates_async] does.
 *
 * Spec: MCP 2026-07-28, server/utilities/pagination.
 *
 * Since: 0.1
 */
void
gmcp_client_list_resource_templates_page_async (GmcpClient *self,
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
  gmcp_lists_page_async (session, GMCP_LIST_TEMPLATES,
                         gmcp_client_list_resource_templates_page_async, cursor, options,
                         cancellable, callback, user_data);
}

/**
 * gmcp_client_list_resource_templates_page_finish:
 * @self: a client
 * @result: what the callback got
 * @next_cursor: (out) (optional) (nullable) (transfer full): where the next page begins, or %NULL
 *   where there is none
 * @error: return location for an error
 *
 * Ends [method@Gmcp.Client.list_resource_templates_page_async].
 *
 * Returns: (transfer container) (element-type Gmcp.ResourceTemplate): the resource templates of the page
 *
 * Since: 0.1
 */
GPtrArray *
gmcp_client_list_resource_templates_page_finish (GmcpClient *self,
                                                 GAsyncResult *result,
                                                 char **next_cursor,
                                                 GError **error)
{
  return gmcp_lists_page_finish (self, gmcp_client_list_resource_templates_page_async, result,
                                 next_cursor, error);
}

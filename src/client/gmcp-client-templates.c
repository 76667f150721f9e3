/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-client-private.h"

#include "gmcp-i18n-private.h"
#include "gmcp-protocol-private.h"
#include "gmcp-resource-template-private.h"

const GmcpClientListKind gmcp_client_list_templates = {
  .method = GMCP_METHOD_TEMPLATES_LIST,
  .member = "resourceTemplates",
  .capability = "resources",
  .may_lack = TRUE,
  .get_type = gmcp_resource_template_get_type,
  .new_item = (gpointer (*) (GmcpJsonValue, GError **)) gmcp_resource_template_new_from_value,
  .get_key = (const char *(*) (gpointer)) gmcp_resource_template_get_uri_template,
  .get_value = (GmcpJsonValue (*) (gpointer)) gmcp_resource_template_get_value,
  .failed = N_ ("The resource templates of %s could not be listed"),
  .not_connected = N_ ("The resource templates of %s cannot be listed: it is not connected"),
  .list_tag = gmcp_client_list_resource_templates_async,
  .page_tag = gmcp_client_list_resource_templates_page_async,
};

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
  g_return_val_if_fail (GMCP_IS_CLIENT (self), NULL);

  return G_LIST_MODEL (self->lists[GMCP_CLIENT_LIST_TEMPLATES].items);
}

/**
 * gmcp_client_list_resource_templates_async:
 * @self: a client that is open
 * @cancellable: (nullable): a cancellable
 * @callback: (scope async): called in the caller's thread-default context
 * @user_data: data for @callback
 *
 * Reads the list of resource templates, all pages of it, and brings [property@Gmcp.Client:resource-
 * templates] up to date. A malformed template is left out and does not hide the others; a template
 * that has not changed stays the same object. A server that has none gives an empty list, and one
 * that does not declare resources is not asked.
 *
 * It fails with [error@Gmcp.Error] `CLOSED`, `TIMED_OUT` (each page has [property@Gmcp.Client:call-
 * timeout-ms]), `PROTOCOL` or `LIMIT_EXCEEDED`, or with a [error@Gmcp.RpcError]; the list that was
 * there before stays.
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
  g_return_if_fail (GMCP_IS_CLIENT (self));
  g_return_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable));

  gmcp_client_list_async (self, GMCP_CLIENT_LIST_TEMPLATES, cancellable, callback, user_data);
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
  return gmcp_client_list_finish (self, GMCP_CLIENT_LIST_TEMPLATES, result, error);
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
  g_return_if_fail (GMCP_IS_CLIENT (self));
  g_return_if_fail (options == NULL || GMCP_IS_CALL_OPTIONS (options));
  g_return_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable));

  gmcp_client_page_async (self, GMCP_CLIENT_LIST_TEMPLATES, cursor, options, cancellable, callback,
                          user_data);
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
  return gmcp_client_page_finish (self, GMCP_CLIENT_LIST_TEMPLATES, result, next_cursor, error);
}

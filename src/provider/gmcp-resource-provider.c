/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-completion-request-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-provider-list-private.h"
#include "gmcp-provider-request-private.h"
#include "gmcp-resource-provider-private.h"
#include "gmcp-resource-request-private.h"

/**
 * GmcpResourceProvider:
 *
 * Whatever has resources to be read: a live list of them, and a way to read one. A
 * [iface@Gmcp.ToolProvider] that implements this too has its resources served by a
 * [class@Gmcp.Server].
 *
 * Implement `get_resources` and `read`; the rest has defaults. No virtual function takes a callback:
 * what takes time is completed on the request that came.
 *
 * Spec: MCP 2026-07-28, server/resources.
 *
 * Since: 0.1
 */
G_DEFINE_INTERFACE (GmcpResourceProvider, gmcp_resource_provider, G_TYPE_OBJECT)

enum
{
  SIGNAL_RESOURCE_UPDATED,
  SIGNAL_RESOURCE_UPDATED_FOR_USER,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

static void
gmcp_resource_provider_default_init (GmcpResourceProviderInterface *iface)
{
  /**
   * GmcpResourceProvider::resource-updated:
   * @self: the provider
   * @uri: the address of the resource
   *
   * What is read at @uri is another thing now. Those who subscribed to it are told. It is emitted by
   * [method@Gmcp.ResourceProvider.emit_resource_updated].
   *
   * Since: 0.1
   */
  signals[SIGNAL_RESOURCE_UPDATED]
    = g_signal_new ("resource-updated", GMCP_TYPE_RESOURCE_PROVIDER, G_SIGNAL_RUN_LAST, 0, NULL,
                    NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);

  /**
   * GmcpResourceProvider::resource-updated-for-user:
   * @self: the provider
   * @uri: the address of the resource
   * @user: (nullable): the user, as [property@Gmcp.Caller:user] has it; %NULL for clients of whom nobody
   *   verified who they are
   *
   * What @user reads at @uri is another thing now. Of those who subscribed to it, the clients of this user
   * are told. It is emitted by [method@Gmcp.ResourceProvider.emit_resource_updated_for_user].
   *
   * Since: 0.1
   */
  signals[SIGNAL_RESOURCE_UPDATED_FOR_USER]
    = g_signal_new ("resource-updated-for-user", GMCP_TYPE_RESOURCE_PROVIDER, G_SIGNAL_RUN_LAST, 0,
                    NULL, NULL, NULL, G_TYPE_NONE, 2, G_TYPE_STRING, G_TYPE_STRING);
}

/**
 * gmcp_resource_provider_get_resources:
 * @self: a provider
 *
 * Gives the list of resources. It is always the same object and changes as resources come and go.
 *
 * Where the provider's function gives no list, or one whose item type is another than
 * [class@Gmcp.Resource], that is logged once and the list stays empty.
 *
 * That of a [class@Gmcp.Manager] is empty at first, since it asks no server for what nobody wants. From
 * this call on it fills with what the servers have that run, and
 * [method@Gmcp.ToolProvider.load_async] starts the others for it and waits for them.
 *
 * Returns: (transfer none): a list of [class@Gmcp.Resource]
 *
 * Since: 0.1
 */
GListModel *
gmcp_resource_provider_get_resources (GmcpResourceProvider *self)
{
  GmcpResourceProviderInterface *iface;
  GListModel *list;

  g_return_val_if_fail (GMCP_IS_RESOURCE_PROVIDER (self), NULL);

  iface = GMCP_RESOURCE_PROVIDER_GET_IFACE (self);
  list = iface->get_resources != NULL ? iface->get_resources (self) : NULL;
  return gmcp_provider_list_check (self, list, GMCP_TYPE_RESOURCE, FALSE);
}

/**
 * gmcp_resource_provider_get_templates:
 * @self: a provider
 *
 * Gives the list of templates for the addresses of more resources than are listed. It is always the
 * same object, and empty where the provider has no templates.
 *
 * Where the provider's function gives a list whose item type is another than
 * [class@Gmcp.ResourceTemplate], that is logged once and the list stays empty.
 *
 * Returns: (transfer none): a list of [class@Gmcp.ResourceTemplate]
 *
 * Since: 0.1
 */
GListModel *
gmcp_resource_provider_get_templates (GmcpResourceProvider *self)
{
  GmcpResourceProviderInterface *iface;
  GListModel *list;

  g_return_val_if_fail (GMCP_IS_RESOURCE_PROVIDER (self), NULL);

  iface = GMCP_RESOURCE_PROVIDER_GET_IFACE (self);
  list = iface->get_templates != NULL ? iface->get_templates (self) : NULL;
  return gmcp_provider_list_check (self, list, GMCP_TYPE_RESOURCE_TEMPLATE, TRUE);
}

static void
refuse_read (gpointer provider, gpointer request)
{
  gmcp_provider_request_return_not_supported (
    request, _ ("The provider lists resources but cannot read them"));
}

/**
 * gmcp_resource_provider_read_async:
 * @self: a provider
 * @uri: the address of a resource
 * @options: (nullable): time limits and more, for this request only
 * @cancellable: (nullable): a cancellable
 * @callback: (scope async): called in the caller's thread-default context
 * @user_data: data for @callback
 *
 * Reads a resource. Whatever the provider does, the callback comes: after the time-out of @options,
 * which is 30 seconds where nothing is said, with [error@Gmcp.Error] `TIMED_OUT`.
 *
 * Fails with %G_IO_ERROR_NOT_FOUND where there is none at @uri, with [error@Gmcp.Error]
 * `NOT_SUPPORTED` where the provider reads nothing, with %G_IO_ERROR_CANCELLED, and with what the
 * provider says.
 *
 * Spec: MCP 2026-07-28, server/resources, "Reading Resources".
 *
 * Since: 0.1
 */
void
gmcp_resource_provider_read_async (GmcpResourceProvider *self,
                                   const char *uri,
                                   GmcpCallOptions *options,
                                   GCancellable *cancellable,
                                   GAsyncReadyCallback callback,
                                   gpointer user_data)
{
  GmcpResourceProviderInterface *iface;

  g_return_if_fail (GMCP_IS_RESOURCE_PROVIDER (self));
  g_return_if_fail (uri != NULL);
  g_return_if_fail (options == NULL || GMCP_IS_CALL_OPTIONS (options));
  g_return_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable));

  iface = GMCP_RESOURCE_PROVIDER_GET_IFACE (self);
  gmcp_provider_request_send (
    gmcp_resource_request_new (uri), self,
    iface->read != NULL ? (GmcpProviderRequestFunc) iface->read : refuse_read,
    gmcp_resource_provider_read_async, options, cancellable, callback, user_data);
}

/**
 * gmcp_resource_provider_read_finish:
 * @self: a provider
 * @result: the result that the callback got
 * @error: return location for an error
 *
 * Ends [method@Gmcp.ResourceProvider.read_async].
 *
 * Returns: (transfer full): what is there
 *
 * Since: 0.1
 */
GmcpResourceResult *
gmcp_resource_provider_read_finish (GmcpResourceProvider *self,
                                    GAsyncResult *result,
                                    GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);
  g_return_val_if_fail (g_async_result_is_tagged (result, gmcp_resource_provider_read_async), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

/**
 * gmcp_resource_provider_can_subscribe:
 * @self: a provider
 *
 * Tells whether the provider says when a resource is another thing than before.
 *
 * Returns: whether it implements `subscribe`; a [class@Gmcp.ToolRegistry] says whether one of its providers
 *   does
 *
 * Since: 0.1
 */
gboolean
gmcp_resource_provider_can_subscribe (GmcpResourceProvider *self)
{
  g_return_val_if_fail (GMCP_IS_RESOURCE_PROVIDER (self), FALSE);

  return (gmcp_resource_provider_get_offers (self) & GMCP_OFFERS_UPDATES) != 0;
}

/**
 * gmcp_resource_provider_subscribe:
 * @self: a provider
 * @uri: the address of a resource
 *
 * Tells the provider that [signal@Gmcp.ResourceProvider::resource-updated] is wanted for @uri.
 *
 * Since: 0.1
 */
void
gmcp_resource_provider_subscribe (GmcpResourceProvider *self, const char *uri)
{
  GmcpResourceProviderInterface *iface;

  g_return_if_fail (GMCP_IS_RESOURCE_PROVIDER (self));
  g_return_if_fail (uri != NULL);

  iface = GMCP_RESOURCE_PROVIDER_GET_IFACE (self);
  if (iface->subscribe != NULL)
    iface->subscribe (self, uri);
}

/**
 * gmcp_resource_provider_unsubscribe:
 * @self: a provider
 * @uri: the address of a resource
 *
 * Takes [method@Gmcp.ResourceProvider.subscribe] back.
 *
 * Since: 0.1
 */
void
gmcp_resource_provider_unsubscribe (GmcpResourceProvider *self, const char *uri)
{
  GmcpResourceProviderInterface *iface;

  g_return_if_fail (GMCP_IS_RESOURCE_PROVIDER (self));
  g_return_if_fail (uri != NULL);

  iface = GMCP_RESOURCE_PROVIDER_GET_IFACE (self);
  if (iface->unsubscribe != NULL)
    iface->unsubscribe (self, uri);
}

GmcpProviderOffers
gmcp_resource_provider_get_offers (gpointer provider)
{
  GmcpResourceProviderInterface *iface;
  GmcpProviderOffers offers = GMCP_OFFERS_ITEMS;

  if (!GMCP_IS_RESOURCE_PROVIDER (provider))
    return 0;

  iface = GMCP_RESOURCE_PROVIDER_GET_IFACE (provider);
  if (iface->offers != NULL)
    return ((GmcpProviderOffersFunc) iface->offers) (provider);
  if (iface->subscribe != NULL)
    offers |= GMCP_OFFERS_UPDATES;
  if (iface->complete_variable != NULL)
    offers |= GMCP_OFFERS_COMPLETION;
  return offers;
}

void
gmcp_resource_provider_set_offers (GmcpResourceProviderInterface *iface,
                                   GmcpProviderOffersFunc func)
{
  iface->offers = (GCallback) func;
}

/**
 * gmcp_resource_provider_complete_variable_async:
 * @self: a provider
 * @uri_template: the URI template, as listed
 * @argument: the name of the variable
 * @value: what was typed so far
 * @context: (nullable) (element-type utf8 utf8): other values that are known already, by their names;
 *   a name whose value is %NULL is left out
 * @options: (nullable): time limits and more, for this request only
 * @cancellable: (nullable): a cancellable
 * @callback: (scope async): called in the caller's thread-default context
 * @user_data: data for @callback
 *
 * Asks how a value may go on. A provider that completes nothing gives no values.
 *
 * Spec: MCP 2026-07-28, server/utilities/completion.
 *
 * Since: 0.1
 */
void
gmcp_resource_provider_complete_variable_async (GmcpResourceProvider *self,
                                                const char *uri_template,
                                                const char *argument,
                                                const char *value,
                                                GHashTable *context,
                                                GmcpCallOptions *options,
                                                GCancellable *cancellable,
                                                GAsyncReadyCallback callback,
                                                gpointer user_data)
{
  GmcpResourceProviderInterface *iface;

  g_return_if_fail (GMCP_IS_RESOURCE_PROVIDER (self));
  g_return_if_fail (uri_template != NULL);
  g_return_if_fail (argument != NULL);
  g_return_if_fail (value != NULL);
  g_return_if_fail (options == NULL || GMCP_IS_CALL_OPTIONS (options));
  g_return_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable));

  iface = GMCP_RESOURCE_PROVIDER_GET_IFACE (self);
  gmcp_provider_request_send (
    gmcp_completion_request_new (uri_template, argument, value, context), self,
    iface->complete_variable != NULL ? (GmcpProviderRequestFunc) iface->complete_variable
                                     : gmcp_completion_request_return_nothing,
    gmcp_resource_provider_complete_variable_async, options, cancellable, callback, user_data);
}

/**
 * gmcp_resource_provider_complete_variable_finish:
 * @self: a provider
 * @result: the result that the callback got
 * @error: return location for an error
 *
 * Ends [method@Gmcp.ResourceProvider.complete_variable_async].
 *
 * Returns: (transfer full): the values
 *
 * Since: 0.1
 */
GmcpCompletionResult *
gmcp_resource_provider_complete_variable_finish (GmcpResourceProvider *self,
                                                 GAsyncResult *result,
                                                 GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);
  g_return_val_if_fail (
    g_async_result_is_tagged (result, gmcp_resource_provider_complete_variable_async), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

/**
 * gmcp_resource_provider_emit_resource_updated:
 * @self: a provider
 * @uri: the address of a resource
 *
 * Emits [signal@Gmcp.ResourceProvider::resource-updated]: for providers, when what is read at @uri
 * has changed.
 *
 * Since: 0.1
 */
void
gmcp_resource_provider_emit_resource_updated (GmcpResourceProvider *self, const char *uri)
{
  g_return_if_fail (GMCP_IS_RESOURCE_PROVIDER (self));
  g_return_if_fail (uri != NULL);

  g_signal_emit (self, signals[SIGNAL_RESOURCE_UPDATED], 0, uri);
}

/**
 * gmcp_resource_provider_emit_resource_updated_for_user:
 * @self: a provider
 * @uri: the address of a resource
 * @user: (nullable): the user, as [property@Gmcp.Caller:user] has it; %NULL for clients of whom nobody
 *   verified who they are
 *
 * Emits [signal@Gmcp.ResourceProvider::resource-updated-for-user]: for providers where each user reads
 * something else at @uri, when it has changed for one of them. Clients of other users are not told.
 *
 * Since: 0.1
 */
void
gmcp_resource_provider_emit_resource_updated_for_user (GmcpResourceProvider *self,
                                                       const char *uri,
                                                       const char *user)
{
  g_return_if_fail (GMCP_IS_RESOURCE_PROVIDER (self));
  g_return_if_fail (uri != NULL);

  g_signal_emit (self, signals[SIGNAL_RESOURCE_UPDATED_FOR_USER], 0, uri, user);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-completion-request-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-prompt-provider-private.h"
#include "gmcp-prompt-request-private.h"
#include "gmcp-provider-list-private.h"
#include "gmcp-provider-request-private.h"

/**
 * GmcpPromptProvider:
 *
 * Whatever has prompts: a live list of them, and a way to get the messages of one. A
 * [iface@Gmcp.ToolProvider] that implements this too has its prompts served by a
 * [class@Gmcp.Server].
 *
 * Implement `get_prompts` and `get_prompt`; the rest has defaults. No virtual function takes a
 * callback: what takes time is completed on the request that came.
 *
 * Spec: MCP 2026-07-28, server/prompts.
 *
 * Since: 0.1
 */
G_DEFINE_INTERFACE (GmcpPromptProvider, gmcp_prompt_provider, G_TYPE_OBJECT)

static void
gmcp_prompt_provider_default_init (GmcpPromptProviderInterface *iface)
{
}

/**
 * gmcp_prompt_provider_get_prompts:
 * @self: a provider
 *
 * Gives the list of prompts. It is always the same object and changes as prompts come and go.
 *
 * Where the provider's function gives no list, or one whose item type is another than
 * [class@Gmcp.Prompt], that is logged once and the list stays empty.
 *
 * That of a [class@Gmcp.Manager] is empty at first, since it asks no server for what nobody wants. From
 * this call on it fills with what the servers have that run, and
 * [method@Gmcp.ToolProvider.load_async] starts the others for it and waits for them.
 *
 * Returns: (transfer none): a list of [class@Gmcp.Prompt]
 *
 * Since: 0.1
 */
GListModel *
gmcp_prompt_provider_get_prompts (GmcpPromptProvider *self)
{
  GmcpPromptProviderInterface *iface;
  GListModel *list;

  g_return_val_if_fail (GMCP_IS_PROMPT_PROVIDER (self), NULL);

  iface = GMCP_PROMPT_PROVIDER_GET_IFACE (self);
  list = iface->get_prompts != NULL ? iface->get_prompts (self) : NULL;
  return gmcp_provider_list_check (self, list, GMCP_TYPE_PROMPT, FALSE);
}

static void
refuse_prompt (gpointer provider, gpointer request)
{
  gmcp_provider_request_return_not_supported (
    request, _ ("The provider lists prompts but cannot give them"));
}

/**
 * gmcp_prompt_provider_get_prompt_async:
 * @self: a provider
 * @name: the prompt's name, as listed
 * @arguments: (nullable) (element-type utf8 utf8): values by the names of the arguments, or %NULL for none;
 *   a name whose value is %NULL is left out
 * @options: (nullable): time limits and more, for this request only
 * @cancellable: (nullable): a cancellable
 * @callback: (scope async): called in the caller's thread-default context
 * @user_data: data for @callback
 *
 * Gets the messages of a prompt. Whatever the provider does, the callback comes: after the time-out of
 * @options, which is 30 seconds where nothing is said, with [error@Gmcp.Error] `TIMED_OUT`.
 *
 * Fails with [error@Gmcp.Error] `NOT_SUPPORTED` where the provider only lists prompts, with
 * %G_IO_ERROR_CANCELLED, and with what the provider says.
 *
 * Spec: MCP 2026-07-28, server/prompts, "Getting a Prompt".
 *
 * Since: 0.1
 */
void
gmcp_prompt_provider_get_prompt_async (GmcpPromptProvider *self,
                                       const char *name,
                                       GHashTable *arguments,
                                       GmcpCallOptions *options,
                                       GCancellable *cancellable,
                                       GAsyncReadyCallback callback,
                                       gpointer user_data)
{
  GmcpPromptProviderInterface *iface;

  g_return_if_fail (GMCP_IS_PROMPT_PROVIDER (self));
  g_return_if_fail (name != NULL);
  g_return_if_fail (options == NULL || GMCP_IS_CALL_OPTIONS (options));
  g_return_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable));

  iface = GMCP_PROMPT_PROVIDER_GET_IFACE (self);
  gmcp_provider_request_send (
    gmcp_prompt_request_new (name, arguments), self,
    iface->get_prompt != NULL ? (GmcpProviderRequestFunc) iface->get_prompt : refuse_prompt,
    gmcp_prompt_provider_get_prompt_async, options, cancellable, callback, user_data);
}

/**
 * gmcp_prompt_provider_get_prompt_finish:
 * @self: a provider
 * @result: the result that the callback got
 * @error: return location for an error
 *
 * Ends [method@Gmcp.PromptProvider.get_prompt_async].
 *
 * Returns: (transfer full): the messages
 *
 * Since: 0.1
 */
GmcpPromptResult *
gmcp_prompt_provider_get_prompt_finish (GmcpPromptProvider *self,
                                        GAsyncResult *result,
                                        GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);
  g_return_val_if_fail (g_async_result_is_tagged (result, gmcp_prompt_provider_get_prompt_async),
                        NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

GmcpProviderOffers
gmcp_prompt_provider_get_offers (gpointer provider)
{
  GmcpPromptProviderInterface *iface;

  if (!GMCP_IS_PROMPT_PROVIDER (provider))
    return 0;

  iface = GMCP_PROMPT_PROVIDER_GET_IFACE (provider);
  if (iface->offers != NULL)
    return ((GmcpProviderOffersFunc) iface->offers) (provider);
  return iface->complete_argument != NULL ? GMCP_OFFERS_ITEMS | GMCP_OFFERS_COMPLETION
                                          : GMCP_OFFERS_ITEMS;
}

void
gmcp_prompt_provider_set_offers (GmcpPromptProviderInterface *iface, GmcpProviderOffersFunc func)
{
  iface->offers = (GCallback) func;
}

/**
 * gmcp_prompt_provider_complete_argument_async:
 * @self: a provider
 * @name: the prompt's name, as listed
 * @argument: the name of the argument
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
gmcp_prompt_provider_complete_argument_async (GmcpPromptProvider *self,
                                              const char *name,
                                              const char *argument,
                                              const char *value,
                                              GHashTable *context,
                                              GmcpCallOptions *options,
                                              GCancellable *cancellable,
                                              GAsyncReadyCallback callback,
                                              gpointer user_data)
{
  GmcpPromptProviderInterface *iface;

  g_return_if_fail (GMCP_IS_PROMPT_PROVIDER (self));
  g_return_if_fail (name != NULL);
  g_return_if_fail (argument != NULL);
  g_return_if_fail (value != NULL);
  g_return_if_fail (options == NULL || GMCP_IS_CALL_OPTIONS (options));
  g_return_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable));

  iface = GMCP_PROMPT_PROVIDER_GET_IFACE (self);
  gmcp_provider_request_send (
    gmcp_completion_request_new (name, argument, value, context), self,
    iface->complete_argument != NULL ? (GmcpProviderRequestFunc) iface->complete_argument
                                     : gmcp_completion_request_return_nothing,
    gmcp_prompt_provider_complete_argument_async, options, cancellable, callback, user_data);
}

/**
 * gmcp_prompt_provider_complete_argument_finish:
 * @self: a provider
 * @result: the result that the callback got
 * @error: return location for an error
 *
 * Ends [method@Gmcp.PromptProvider.complete_argument_async].
 *
 * Returns: (transfer full): the values
 *
 * Since: 0.1
 */
GmcpCompletionResult *
gmcp_prompt_provider_complete_argument_finish (GmcpPromptProvider *self,
                                               GAsyncResult *result,
                                               GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);
  g_return_val_if_fail (
    g_async_result_is_tagged (result, gmcp_prompt_provider_complete_argument_async), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

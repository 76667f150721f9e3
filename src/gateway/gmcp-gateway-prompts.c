/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-gateway-struct-private.h"

#include "gmcp-completion-request-private.h"
#include "gmcp-gateway-request-private.h"
#include "gmcp-manager-private.h"
#include "gmcp-prompt-catalog-private.h"

static GListModel *
gmcp_gateway_get_prompts (GmcpPromptProvider *provider)
{
  GmcpGateway *self = GMCP_GATEWAY (provider);

  return gmcp_gateway_lists_get_prompts (self->lists);
}

static const char *
get_prompt_name (gpointer front)
{
  return gmcp_prompt_request_get_name (front);
}

static char *
dup_prompts_server (GmcpManager *manager, const char *name)
{
  GmcpToolName found;

  return gmcp_prompt_catalog_find (gmcp_manager_get_prompt_catalog (manager), name, &found, NULL)
           ? g_strdup (found.server)
           : NULL;
}

static void
send_prompt (GmcpGateway *self,
             gpointer front,
             GmcpCallOptions *options,
             GCancellable *cancellable,
             GAsyncReadyCallback callback,
             gpointer user_data)
{
  if (self->single != NULL)
    gmcp_single_server_get_prompt_async (self->single, front, options, cancellable, callback,
                                         user_data);
  else
    gmcp_prompt_provider_get_prompt_async (
      GMCP_PROMPT_PROVIDER (self->manager), gmcp_prompt_request_get_name (front),
      gmcp_prompt_request_get_arguments (front), options, cancellable, callback, user_data);
}

static gpointer
finish_prompt (GObject *source, GAsyncResult *async_result, GError **error)
{
  if (g_async_result_is_tagged (async_result, gmcp_single_server_get_prompt_async))
    return gmcp_single_server_get_prompt_finish (GMCP_MANAGER (source), async_result, error);
  return gmcp_prompt_provider_get_prompt_finish (GMCP_PROMPT_PROVIDER (source), async_result,
                                                 error);
}

static void
return_prompt_result (gpointer front, gpointer result)
{
  gmcp_prompt_request_return_result (front, result);
}

static const GmcpGatewayKind prompts = {
  .get_options = gmcp_gateway_get_request_options,
  .get_caller = gmcp_gateway_get_request_caller,
  .get_cancellable = gmcp_gateway_get_request_cancellable,
  .get_name = get_prompt_name,
  .dup_server_id = dup_prompts_server,
  .send = send_prompt,
  .finish = finish_prompt,
  .report_progress = gmcp_gateway_report_request_progress,
  .return_result = return_prompt_result,
  .return_error = gmcp_gateway_return_request_error,
  .free_result = (GDestroyNotify) gmcp_prompt_result_unref,
};

static void
gmcp_gateway_get_prompt (GmcpPromptProvider *provider, GmcpPromptRequest *request)
{
  GmcpGateway *self = GMCP_GATEWAY (provider);

  if (gmcp_gateway_check_manager (self, GMCP_PROVIDER_REQUEST (request)))
    gmcp_gateway_calls_take (self->calls, self, &prompts, request);
}

static void
on_argument_completed (GObject *object, GAsyncResult *async_result, gpointer data)
{
  g_autoptr (GmcpCompletionRequest) request = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpCompletionResult) result = gmcp_prompt_provider_complete_argument_finish (
    GMCP_PROMPT_PROVIDER (object), async_result, &error);

  gmcp_completion_request_return_outcome (request, result, error);
}

static void
gmcp_gateway_complete_argument (GmcpPromptProvider *provider, GmcpCompletionRequest *request)
{
  GmcpGateway *self = GMCP_GATEWAY (provider);
  GmcpProviderRequest *base = GMCP_PROVIDER_REQUEST (request);
  g_autoptr (GmcpCallOptions) options = gmcp_gateway_pass_options (self, base);

  if (options != NULL && self->single != NULL)
    gmcp_gateway_complete (self->single, request, GMCP_COMPLETION_KIND_PROMPT, options);
  else if (options != NULL)
    gmcp_prompt_provider_complete_argument_async (
      GMCP_PROMPT_PROVIDER (self->manager), gmcp_completion_request_get_reference (request),
      gmcp_completion_request_get_argument (request), gmcp_completion_request_get_value (request),
      gmcp_completion_request_get_context (request), options,
      gmcp_provider_request_get_cancellable (base), on_argument_completed, g_object_ref (request));
}

void
gmcp_gateway_prompts_init (GmcpPromptProviderInterface *iface)
{
  iface->get_prompts = gmcp_gateway_get_prompts;
  iface->get_prompt = gmcp_gateway_get_prompt;
  iface->complete_argument = gmcp_gateway_complete_argument;
}

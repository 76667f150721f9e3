/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-gateway-struct-private.h"

#include "gmcp-gateway-request-private.h"

static GListModel *
gmcp_gateway_get_prompts (GmcpPromptProvider *provider)
{
  GmcpGateway *self = GMCP_GATEWAY (provider);

  return gmcp_gateway_lists_get_prompts (self->lists);
}

static void
return_prompt (GmcpPromptRequest *request, GmcpPromptResult *result, const GError *error)
{
  if (result != NULL)
    gmcp_prompt_request_return_result (request, result);
  else
    gmcp_provider_request_return_error (GMCP_PROVIDER_REQUEST (request), error);
}

static void
on_prompt (GObject *object, GAsyncResult *async_result, gpointer data)
{
  g_autoptr (GmcpPromptRequest) request = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpPromptResult) result
    = gmcp_prompt_provider_get_prompt_finish (GMCP_PROMPT_PROVIDER (object), async_result, &error);

  return_prompt (request, result, error);
}

static void
on_server_prompt (GObject *object, GAsyncResult *async_result, gpointer data)
{
  g_autoptr (GmcpPromptRequest) request = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpPromptResult) result
    = gmcp_single_server_get_prompt_finish (GMCP_MANAGER (object), async_result, &error);

  return_prompt (request, result, error);
}

static void
gmcp_gateway_get_prompt (GmcpPromptProvider *provider, GmcpPromptRequest *request)
{
  GmcpGateway *self = GMCP_GATEWAY (provider);
  GmcpProviderRequest *base = GMCP_PROVIDER_REQUEST (request);
  g_autoptr (GmcpCallOptions) options = gmcp_gateway_pass_options (self, base);

  if (options != NULL && self->single != NULL)
    gmcp_single_server_get_prompt_async (self->single, request, options,
                                         gmcp_provider_request_get_cancellable (base),
                                         on_server_prompt, g_object_ref (request));
  else if (options != NULL)
    gmcp_prompt_provider_get_prompt_async (
      GMCP_PROMPT_PROVIDER (self->manager), gmcp_prompt_request_get_name (request),
      gmcp_prompt_request_get_arguments (request), options,
      gmcp_provider_request_get_cancellable (base), on_prompt, g_object_ref (request));
}

static void
on_argument_completed (GObject *object, GAsyncResult *async_result, gpointer data)
{
  g_autoptr (GmcpCompletionRequest) request = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpCompletionResult) result = gmcp_prompt_provider_complete_argument_finish (
    GMCP_PROMPT_PROVIDER (object), async_result, &error);

  gmcp_gateway_return_completion (request, result, error);
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

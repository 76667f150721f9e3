/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-gateway-struct-private.h"

#include "gmcp-gateway-request-private.h"

static GListModel *
gmcp_gateway_get_resources (GmcpResourceProvider *provider)
{
  GmcpGateway *self = GMCP_GATEWAY (provider);

  return gmcp_gateway_lists_get_resources (self->lists);
}

static GListModel *
gmcp_gateway_get_templates (GmcpResourceProvider *provider)
{
  GmcpGateway *self = GMCP_GATEWAY (provider);

  return gmcp_gateway_lists_get_templates (self->lists);
}

static void
return_contents (GmcpResourceRequest *request, GmcpResourceResult *result, const GError *error)
{
  if (result != NULL)
    gmcp_resource_request_return_result (request, result);
  else
    gmcp_provider_request_return_error (GMCP_PROVIDER_REQUEST (request), error);
}

static void
on_read (GObject *object, GAsyncResult *async_result, gpointer data)
{
  g_autoptr (GmcpResourceRequest) request = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpResourceResult) result
    = gmcp_resource_provider_read_finish (GMCP_RESOURCE_PROVIDER (object), async_result, &error);

  return_contents (request, result, error);
}

static void
on_server_read (GObject *object, GAsyncResult *async_result, gpointer data)
{
  g_autoptr (GmcpResourceRequest) request = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpResourceResult) result
    = gmcp_single_server_read_finish (GMCP_MANAGER (object), async_result, &error);

  return_contents (request, result, error);
}

static void
gmcp_gateway_read (GmcpResourceProvider *provider, GmcpResourceRequest *request)
{
  GmcpGateway *self = GMCP_GATEWAY (provider);
  GmcpProviderRequest *base = GMCP_PROVIDER_REQUEST (request);
  g_autoptr (GmcpCallOptions) options = gmcp_gateway_pass_options (self, base);

  if (options != NULL && self->single != NULL)
    gmcp_single_server_read_async (self->single, gmcp_resource_request_get_uri (request), options,
                                   gmcp_provider_request_get_cancellable (base), on_server_read,
                                   g_object_ref (request));
  else if (options != NULL)
    gmcp_resource_provider_read_async (
      GMCP_RESOURCE_PROVIDER (self->manager), gmcp_resource_request_get_uri (request), options,
      gmcp_provider_request_get_cancellable (base), on_read, g_object_ref (request));
}

static void
gmcp_gateway_subscribe (GmcpResourceProvider *provider, const char *uri)
{
  GmcpGateway *self = GMCP_GATEWAY (provider);

  if (self->single != NULL)
    gmcp_single_server_subscribe (self->single, uri);
  else if (self->manager != NULL)
    gmcp_resource_provider_subscribe (GMCP_RESOURCE_PROVIDER (self->manager), uri);
}

static void
gmcp_gateway_unsubscribe (GmcpResourceProvider *provider, const char *uri)
{
  GmcpGateway *self = GMCP_GATEWAY (provider);

  if (self->single != NULL)
    gmcp_single_server_unsubscribe (self->single, uri);
  else if (self->manager != NULL)
    gmcp_resource_provider_unsubscribe (GMCP_RESOURCE_PROVIDER (self->manager), uri);
}

static void
on_variable_completed (GObject *object, GAsyncResult *async_result, gpointer data)
{
  g_autoptr (GmcpCompletionRequest) request = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpCompletionResult) result = gmcp_resource_provider_complete_variable_finish (
    GMCP_RESOURCE_PROVIDER (object), async_result, &error);

  gmcp_gateway_return_completion (request, result, error);
}

static void
gmcp_gateway_complete_variable (GmcpResourceProvider *provider, GmcpCompletionRequest *request)
{
  GmcpGateway *self = GMCP_GATEWAY (provider);
  GmcpProviderRequest *base = GMCP_PROVIDER_REQUEST (request);
  g_autoptr (GmcpCallOptions) options = gmcp_gateway_pass_options (self, base);

  if (options != NULL && self->single != NULL)
    gmcp_gateway_complete (self->single, request, GMCP_COMPLETION_KIND_RESOURCE, options);
  else if (options != NULL)
    gmcp_resource_provider_complete_variable_async (
      GMCP_RESOURCE_PROVIDER (self->manager), gmcp_completion_request_get_reference (request),
      gmcp_completion_request_get_argument (request), gmcp_completion_request_get_value (request),
      gmcp_completion_request_get_context (request), options,
      gmcp_provider_request_get_cancellable (base), on_variable_completed, g_object_ref (request));
}

void
gmcp_gateway_resources_init (GmcpResourceProviderInterface *iface)
{
  iface->get_resources = gmcp_gateway_get_resources;
  iface->get_templates = gmcp_gateway_get_templates;
  iface->read = gmcp_gateway_read;
  iface->subscribe = gmcp_gateway_subscribe;
  iface->unsubscribe = gmcp_gateway_unsubscribe;
  iface->complete_variable = gmcp_gateway_complete_variable;
}

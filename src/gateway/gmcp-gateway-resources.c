/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-gateway-struct-private.h"

#include "gmcp-completion-request-private.h"
#include "gmcp-gateway-request-private.h"
#include "gmcp-manager-lists-private.h"

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

static const char *
get_read_uri (gpointer front)
{
  return gmcp_resource_request_get_uri (front);
}

static char *
dup_resources_server (GmcpManager *manager, const char *uri)
{
  GmcpManagedServer *server
    = gmcp_gathered_lists_find_resource (gmcp_manager_get_gathered_lists (manager), uri);

  return server != NULL ? g_strdup (gmcp_managed_server_get_id (server)) : NULL;
}

static void
send_read (GmcpGateway *self,
           gpointer front,
           GmcpCallOptions *options,
           GCancellable *cancellable,
           GAsyncReadyCallback callback,
           gpointer user_data)
{
  const char *uri = gmcp_resource_request_get_uri (front);

  if (self->single != NULL)
    gmcp_single_server_read_async (self->single, uri, options, cancellable, callback, user_data);
  else
    gmcp_resource_provider_read_async (GMCP_RESOURCE_PROVIDER (self->manager), uri, options,
                                       cancellable, callback, user_data);
}

static gpointer
finish_read (GObject *source, GAsyncResult *async_result, GError **error)
{
  if (g_async_result_is_tagged (async_result, gmcp_single_server_read_async))
    return gmcp_single_server_read_finish (GMCP_MANAGER (source), async_result, error);
  return gmcp_resource_provider_read_finish (GMCP_RESOURCE_PROVIDER (source), async_result, error);
}

static void
return_read_result (gpointer front, gpointer result)
{
  /* The server does not know that here a role may keep a user from reading this. */
  gmcp_resource_request_set_cache_scope (front, GMCP_CACHE_SCOPE_PRIVATE);
  gmcp_resource_request_return_result (front, result);
}

static GError *
new_hidden_read_error (GmcpGateway *self, const char *uri)
{
  GmcpManagedServer *server = self->single != NULL
                                ? gmcp_single_server_find (self->single, NULL)
                                : gmcp_manager_find_resource_server (self->manager, uri);

  return server != NULL && !gmcp_gateway_lists_reach (self->lists, server)
           ? gmcp_manager_new_unlisted_error (uri)
           : NULL;
}

static const GmcpGatewayKind reads = {
  .get_options = gmcp_gateway_get_request_options,
  .get_caller = gmcp_gateway_get_request_caller,
  .get_cancellable = gmcp_gateway_get_request_cancellable,
  .get_name = get_read_uri,
  .dup_server_id = dup_resources_server,
  .send = send_read,
  .finish = finish_read,
  .report_progress = gmcp_gateway_report_request_progress,
  .return_result = return_read_result,
  .return_error = gmcp_gateway_return_request_error,
  .free_result = (GDestroyNotify) gmcp_resource_result_unref,
  .new_hidden_error = new_hidden_read_error,
};

static void
gmcp_gateway_read (GmcpResourceProvider *provider, GmcpResourceRequest *request)
{
  GmcpGateway *self = GMCP_GATEWAY (provider);

  if (gmcp_gateway_check_manager (self, GMCP_PROVIDER_REQUEST (request)))
    gmcp_gateway_calls_take (self->calls, self, &reads, request);
}

static void
gmcp_gateway_subscribe (GmcpResourceProvider *provider, const char *uri)
{
  GmcpGateway *self = GMCP_GATEWAY (provider);

  gmcp_gateway_lists_subscribe (self->lists, uri);
}

static void
gmcp_gateway_unsubscribe (GmcpResourceProvider *provider, const char *uri)
{
  GmcpGateway *self = GMCP_GATEWAY (provider);

  gmcp_gateway_lists_unsubscribe (self->lists, uri);
}

static void
on_variable_completed (GObject *object, GAsyncResult *async_result, gpointer data)
{
  g_autoptr (GmcpCompletionRequest) request = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpCompletionResult) result = gmcp_resource_provider_complete_variable_finish (
    GMCP_RESOURCE_PROVIDER (object), async_result, &error);

  gmcp_completion_request_return_outcome (request, result, error);
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

/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-call-options-private.h"
#include "gmcp-gathered-lists-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-manager-late-names-private.h"
#include "gmcp-manager-lists-private.h"
#include "gmcp-protocol-private.h"
#include "gmcp-resource-watches-private.h"
#include "gmcp-manager-roles-private.h"
#include "gmcp-manager-calls-private.h"

/* The manager as a provider of the resources of its servers. */

static GListModel *
get_resources (GmcpResourceProvider *provider)
{
  return gmcp_gathered_lists_get (gmcp_manager_get_gathered_lists (GMCP_MANAGER (provider)),
                                  GMCP_GATHERED_RESOURCES);
}

static GListModel *
get_templates (GmcpResourceProvider *provider)
{
  return gmcp_gathered_lists_get (gmcp_manager_get_gathered_lists (GMCP_MANAGER (provider)),
                                  GMCP_GATHERED_TEMPLATES);
}

static void
on_read (GObject *object, GAsyncResult *async_result, gpointer data)
{
  g_autoptr (GmcpResourceRequest) request = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpResourceResult) result
    = gmcp_managed_server_read_resource_finish (GMCP_MANAGED_SERVER (object), async_result, &error);

  if (result != NULL)
    gmcp_resource_request_return_result (request, result);
  else
    gmcp_provider_request_return_error (GMCP_PROVIDER_REQUEST (request), error);
}

/* What a project does not list can be read all the same, as its tools can be called. */
GmcpManagedServer *
gmcp_manager_find_resource_server (GmcpManager *self, const char *uri)
{
  GmcpGatheredLists *lists = gmcp_manager_get_gathered_lists (self);
  GmcpManagedServer *server = gmcp_gathered_lists_find_resource (lists, uri);

  return server != NULL ? server : gmcp_gathered_lists_find_unlisted (lists, uri);
}

GError *
gmcp_manager_new_unlisted_error (const char *uri)
{
  g_autofree char *shown = gmcp_protocol_shorten (uri);

  return g_error_new (G_IO_ERROR, G_IO_ERROR_NOT_FOUND, _ ("No server lists the resource %s"),
                      shown);
}

static void
read_of_server (GmcpManager *self, GmcpManagedServer *server, GmcpResourceRequest *request)
{
  GmcpProviderRequest *base = GMCP_PROVIDER_REQUEST (request);
  GmcpCallOptions *options = gmcp_provider_request_get_options (base);
  g_autoptr (GError) refused = NULL;

  if (gmcp_manager_check_reach (self, server, options, &refused))
    gmcp_managed_server_read_resource_async (server, gmcp_resource_request_get_uri (request),
                                             options, gmcp_provider_request_get_cancellable (base),
                                             on_read, g_object_ref (request));
  else
    gmcp_provider_request_return_error (base, refused);
}

static void
on_looked_for (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GmcpResourceRequest) request = data;
  const char *uri = gmcp_resource_request_get_uri (request);
  GmcpManager *self = GMCP_MANAGER (object);
  GmcpManagedServer *server = NULL;
  g_autoptr (GError) error = NULL;

  if (gmcp_tool_provider_look_for_finish (result, NULL, &error))
    server = gmcp_manager_find_resource_server (self, uri);
  if (server != NULL)
    {
      read_of_server (self, server, request);
      return;
    }

  if (error == NULL)
    error = gmcp_manager_new_unlisted_error (uri);
  gmcp_provider_request_return_error (GMCP_PROVIDER_REQUEST (request), error);
}

/* What nobody lists may be of a server that has not answered yet. */
static void
read_resource (GmcpResourceProvider *provider, GmcpResourceRequest *request)
{
  GmcpProviderRequest *base = GMCP_PROVIDER_REQUEST (request);
  GmcpManager *self = GMCP_MANAGER (provider);
  const char *uri = gmcp_resource_request_get_uri (request);
  GmcpManagedServer *server;

  if (!gmcp_manager_takes_request (self, base, "gmcp_resource_provider_read_async"))
    return;

  server = gmcp_manager_find_resource_server (self, uri);
  if (server != NULL)
    read_of_server (self, server, request);
  else
    gmcp_manager_look_for_async (
      self, GMCP_LATE_RESOURCE, uri,
      gmcp_call_options_peek_role (gmcp_provider_request_get_options (base)),
      gmcp_provider_request_get_cancellable (base), on_looked_for, g_object_ref (request));
}

static void
subscribe_resource (GmcpResourceProvider *provider, const char *uri)
{
  gmcp_resource_watches_add (gmcp_manager_get_resource_watches (GMCP_MANAGER (provider)), uri);
}

static void
unsubscribe_resource (GmcpResourceProvider *provider, const char *uri)
{
  gmcp_resource_watches_remove (gmcp_manager_get_resource_watches (GMCP_MANAGER (provider)), uri);
}

static void
complete_variable (GmcpResourceProvider *provider, GmcpCompletionRequest *request)
{
  GmcpManager *self = GMCP_MANAGER (provider);
  const char *uri_template = gmcp_completion_request_get_reference (request);
  GmcpManagedServer *server;

  if (!gmcp_manager_takes_request (self, GMCP_PROVIDER_REQUEST (request),
                                   "gmcp_resource_provider_complete_variable_async"))
    return;

  server = gmcp_gathered_lists_find_template (gmcp_manager_get_gathered_lists (self), uri_template);
  gmcp_manager_complete (self, request, server, GMCP_COMPLETION_KIND_RESOURCE, uri_template);
}

void
gmcp_manager_resource_provider_init (GmcpResourceProviderInterface *iface)
{
  iface->get_resources = get_resources;
  iface->get_templates = get_templates;
  iface->read = read_resource;
  iface->subscribe = subscribe_resource;
  iface->unsubscribe = unsubscribe_resource;
  iface->complete_variable = complete_variable;
}

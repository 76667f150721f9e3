/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-gateway-struct-private.h"

#include "gmcp-gateway-request-private.h"
#include "gmcp-tool-call-private.h"
#include "gmcp-tool-provider-private.h"

static GListModel *
gmcp_gateway_get_tools (GmcpToolProvider *provider)
{
  GmcpGateway *self = GMCP_GATEWAY (provider);

  if (self->meta != NULL)
    return gmcp_tool_provider_get_tools (GMCP_TOOL_PROVIDER (self->meta));
  return gmcp_gateway_lists_get_tools (self->lists);
}

static void
on_loaded (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GmcpToolLoad) load = data;
  g_autoptr (GError) error = NULL;

  if (gmcp_tool_provider_load_finish (GMCP_TOOL_PROVIDER (object), result, &error))
    gmcp_tool_load_return_success (load);
  else
    gmcp_provider_request_return_error (GMCP_PROVIDER_REQUEST (load), error);
}

static void
on_server_loaded (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GmcpToolLoad) load = data;
  g_autoptr (GError) error = NULL;

  if (gmcp_single_server_load_finish (GMCP_MANAGER (object), result, &error))
    gmcp_tool_load_return_success (load);
  else
    gmcp_provider_request_return_error (GMCP_PROVIDER_REQUEST (load), error);
}

static void
gmcp_gateway_load (GmcpToolProvider *provider, GmcpToolLoad *load)
{
  GmcpGateway *self = GMCP_GATEWAY (provider);
  GCancellable *cancellable = gmcp_provider_request_get_cancellable (GMCP_PROVIDER_REQUEST (load));

  if (self->manager == NULL)
    gmcp_tool_load_return_success (load);
  else if (self->single != NULL)
    gmcp_single_server_load_async (self->single, cancellable, on_server_loaded,
                                   g_object_ref (load));
  else
    gmcp_tool_provider_load_async (GMCP_TOOL_PROVIDER (self->manager), cancellable, on_loaded,
                                   g_object_ref (load));
}

static void
gmcp_gateway_call_tool (GmcpToolProvider *provider, GmcpToolCall *call)
{
  GmcpGateway *self = GMCP_GATEWAY (provider);

  if (self->manager == NULL)
    {
      g_autoptr (GError) error = gmcp_gateway_new_empty_error ();

      gmcp_tool_call_return_error (call, error);
    }
  else if (self->meta != NULL)
    {
      GmcpJsonDoc *arguments = gmcp_tool_call_peek_arguments (call);
      g_autoptr (GmcpToolCall) redirected = gmcp_tool_call_redirect (
        call, gmcp_tool_call_get_name (call),
        arguments != NULL ? gmcp_json_doc_ref (arguments) : NULL, self->meta);

      gmcp_tool_provider_take_call (GMCP_TOOL_PROVIDER (self->meta), redirected);
    }
  else
    {
      g_autofree char *name
        = self->single != NULL
            ? gmcp_single_server_qualify (self->single, gmcp_tool_call_get_name (call))
            : NULL;

      gmcp_gateway_calls_take (self->calls, gmcp_gateway_get_role (self), name, call);
    }
}

static GmcpTool *
gmcp_gateway_find_tool (GmcpToolProvider *provider, const char *name, GError **error)
{
  GmcpGateway *self = GMCP_GATEWAY (provider);
  g_autofree char *qualified = NULL;
  g_autoptr (GmcpTool) tool = NULL;

  if (self->manager == NULL || self->meta != NULL)
    return gmcp_tool_provider_search_list (gmcp_gateway_get_tools (provider), name, error);

  if (self->single != NULL)
    qualified = gmcp_single_server_qualify (self->single, name);
  tool = gmcp_tool_provider_find_tool (GMCP_TOOL_PROVIDER (self->manager),
                                       qualified != NULL ? qualified : name, error);
  return tool != NULL ? gmcp_gateway_lists_dup_shown (self->lists, tool, error) : NULL;
}

static char *
gmcp_gateway_dup_instructions (GmcpToolProvider *provider)
{
  GmcpGateway *self = GMCP_GATEWAY (provider);

  if (self->single != NULL)
    return gmcp_single_server_dup_instructions (self->single);
  return self->manager != NULL
           ? gmcp_tool_provider_dup_instructions (GMCP_TOOL_PROVIDER (self->manager))
           : NULL;
}

static void
gmcp_gateway_close (GmcpToolProvider *provider, GmcpProviderClose *close)
{
  gmcp_provider_close_return_success (close);
}

void
gmcp_gateway_tools_init (GmcpToolProviderInterface *iface)
{
  iface->get_tools = gmcp_gateway_get_tools;
  iface->load = gmcp_gateway_load;
  iface->call_tool = gmcp_gateway_call_tool;
  iface->find_tool = gmcp_gateway_find_tool;
  iface->dup_instructions = gmcp_gateway_dup_instructions;
  iface->close = gmcp_gateway_close;
  iface->keeps_time = TRUE;
}

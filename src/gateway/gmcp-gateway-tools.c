/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-gateway-struct-private.h"

#include "gmcp-call-options-private.h"
#include "gmcp-gateway-request-private.h"
#include "gmcp-manager-late-names-private.h"
#include "gmcp-manager-private.h"
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

static GmcpCallOptions *
get_call_options (gpointer front)
{
  return gmcp_tool_call_get_options (front);
}

static GmcpCaller *
get_call_caller (gpointer front)
{
  return gmcp_tool_call_get_caller (front);
}

static GCancellable *
get_call_cancellable (gpointer front)
{
  return gmcp_tool_call_get_cancellable (front);
}

static const char *
get_call_name (gpointer front)
{
  return gmcp_tool_call_get_name (front);
}

static char *
dup_tools_server (GmcpManager *manager, const char *name)
{
  g_autoptr (GmcpTool) tool
    = gmcp_tool_provider_find_tool (GMCP_TOOL_PROVIDER (manager), name, NULL);

  return tool != NULL ? g_strdup (gmcp_tool_get_server_id (tool)) : NULL;
}

static void
send_call (GmcpGateway *self,
           gpointer front,
           GmcpCallOptions *options,
           GCancellable *cancellable,
           GAsyncReadyCallback callback,
           gpointer user_data)
{
  g_autofree char *name
    = self->single != NULL
        ? gmcp_single_server_qualify (self->single, gmcp_tool_call_get_name (front))
        : NULL;

  gmcp_tool_provider_repeat_call_async (GMCP_TOOL_PROVIDER (self->manager), front, name, options,
                                        cancellable, callback, user_data);
}

static gpointer
finish_call (GObject *source, GAsyncResult *async_result, GError **error)
{
  return gmcp_tool_provider_call_tool_finish (GMCP_TOOL_PROVIDER (source), async_result, error);
}

static void
report_call_progress (gpointer front, double progress, double total, const char *message)
{
  gmcp_tool_call_report_progress (front, progress, total, message);
}

static void
return_call_result (gpointer front, gpointer result)
{
  gmcp_tool_call_return_result (front, result);
}

static void
return_call_error (gpointer front, const GError *error)
{
  gmcp_tool_call_return_error (front, error);
}

/* What is not allowed, and not only withheld, is not listed to be called. */
static gboolean
hides_tool (GmcpGateway *self, const char *name)
{
  GmcpToolCatalog *catalog = gmcp_manager_get_catalog (self->manager);
  const char *role = gmcp_gateway_lists_get_role (self->lists);
  g_auto (GmcpPolicyDecision) decision = { 0 };
  GmcpManagedServer *named;
  GmcpToolName found;

  if (gmcp_tool_catalog_find (catalog, name, role, &found, NULL))
    {
      gmcp_tool_catalog_judge (catalog, found.data, role, &decision);
      return !decision.allowed && !decision.held;
    }

  named = gmcp_manager_find_named_server (self->manager, name);
  return named != NULL && !gmcp_gateway_lists_reach (self->lists, named);
}

static GError *
new_hidden_call_error (GmcpGateway *self, const char *name)
{
  g_autofree char *qualified
    = self->single != NULL ? gmcp_single_server_qualify (self->single, name) : NULL;
  GError *error = NULL;

  if (hides_tool (self, qualified != NULL ? qualified : name))
    gmcp_tool_provider_set_unknown (gmcp_gateway_lists_get_tools (self->lists), name, &error);
  return error;
}

static const GmcpGatewayKind calls = {
  .get_options = get_call_options,
  .get_caller = get_call_caller,
  .get_cancellable = get_call_cancellable,
  .get_name = get_call_name,
  .dup_server_id = dup_tools_server,
  .send = send_call,
  .finish = finish_call,
  .report_progress = report_call_progress,
  .return_result = return_call_result,
  .return_error = return_call_error,
  .free_result = (GDestroyNotify) gmcp_tool_result_unref,
  .new_hidden_error = new_hidden_call_error,
};

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
      if (self->clients_ask && gmcp_tool_call_get_options (call) != NULL)
        gmcp_call_options_set_agreed (gmcp_tool_call_get_options (call), TRUE);
      gmcp_gateway_calls_take (self->calls, self, &calls, call);
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
  return gmcp_gateway_lists_dup_instructions (GMCP_GATEWAY (provider)->lists);
}

static void
gmcp_gateway_close (GmcpToolProvider *provider, GmcpProviderClose *close)
{
  gmcp_provider_close_return_success (close);
}

/* The tools that search others are always there, and the lists of one server when its gateway has loaded. */
static void
look_for_name (GmcpToolProvider *provider,
               GmcpLateKind kind,
               const char *name,
               GCancellable *cancellable,
               GAsyncReadyCallback callback,
               gpointer user_data)
{
  GmcpGateway *self = GMCP_GATEWAY (provider);
  g_autofree char *qualified = NULL;

  if (self->manager == NULL || (self->meta != NULL && kind == GMCP_LATE_TOOL)
      || (self->single != NULL && kind != GMCP_LATE_TOOL))
    {
      g_autoptr (GTask) task = g_task_new (self, cancellable, callback, user_data);

      g_task_set_source_tag (task, look_for_name);
      g_task_return_pointer (task, NULL, NULL);
      return;
    }

  if (self->single != NULL)
    qualified = gmcp_single_server_qualify (self->single, name);
  gmcp_manager_look_for_async (self->manager, kind, qualified != NULL ? qualified : name,
                               gmcp_gateway_lists_get_role (self->lists), cancellable, callback,
                               user_data);
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
  gmcp_tool_provider_set_look_for (iface, look_for_name);
}

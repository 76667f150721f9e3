/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-call-router-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-manager-closing-private.h"
#include "gmcp-manager-config-private.h"
#include "gmcp-manager-calls-private.h"
#include "gmcp-manager-late-names-private.h"
#include "gmcp-manager-making-private.h"
#include "gmcp-manager-private.h"
#include "gmcp-manager-roles-private.h"
#include "gmcp-tool-gate-private.h"

#include <gmcp/core/gmcp-error.h>

/* The manager as a provider of tools, and as the gate for tools of the host's own. */

static gboolean
is_config_read (gpointer owner)
{
  return gmcp_config_stack_is_loaded (gmcp_manager_get_config_stack (owner));
}

static void
read_config_async (gpointer owner,
                   GCancellable *cancellable,
                   GAsyncReadyCallback callback,
                   gpointer user_data)
{
  gmcp_manager_load_config_async (owner, cancellable, callback, user_data);
}

static gboolean
read_config_finish (gpointer owner, GAsyncResult *result, GError **error)
{
  return gmcp_manager_load_config_finish (owner, result, error);
}

static gboolean
includes_server (GmcpManagedServer *server, gpointer owner)
{
  return gmcp_manager_includes_server (owner, server);
}

static char *
dup_untrusted_file (gpointer owner)
{
  return gmcp_manager_dup_untrusted_file (owner);
}

static char *
dup_file_for_servers (gpointer owner)
{
  return gmcp_manager_dup_file_for_servers (owner);
}

GmcpCallRouter *
gmcp_manager_make_call_router (GmcpManager *self)
{
  static const GmcpCallRouterHooks hooks = {
    .is_config_read = is_config_read,
    .read_config_async = read_config_async,
    .read_config_finish = read_config_finish,
    .includes_server = includes_server,
    .dup_untrusted_file = dup_untrusted_file,
    .dup_file_for_servers = dup_file_for_servers,
  };
  const GmcpCallRouterParts parts = {
    .servers = gmcp_manager_get_server_table (self),
    .catalog = gmcp_manager_get_catalog (self),
    .access = gmcp_manager_get_tool_access (self),
    .auditor = gmcp_manager_get_auditor (self),
    .limits = gmcp_effective_settings_peek_limits (gmcp_manager_get_settings (self)),
  };

  return gmcp_call_router_new (&parts, &hooks, G_OBJECT (self));
}

static GError *
new_thread_error (void)
{
  return g_error_new_literal (GMCP_ERROR, GMCP_ERROR_FAILED,
                              _ ("The manager belongs to the main context of another thread"));
}

void
gmcp_manager_take_call (GmcpManager *self, GmcpToolCall *call, const char *replay_of)
{
  if (!gmcp_manager_check_thread (self, "gmcp_tool_provider_call_tool_async"))
    {
      g_autoptr (GError) error = new_thread_error ();

      gmcp_tool_call_return_error (call, error);
      return;
    }

  gmcp_call_router_take (gmcp_manager_get_call_router (self), call, replay_of);
}

static void
gmcp_manager_call_tool (GmcpToolProvider *provider, GmcpToolCall *call)
{
  gmcp_manager_take_call (GMCP_MANAGER (provider), call, NULL);
}

static GmcpTool *
gmcp_manager_find_tool (GmcpToolProvider *provider, const char *name, GError **error)
{
  GmcpToolCatalog *catalog = gmcp_manager_get_catalog (GMCP_MANAGER (provider));
  const GmcpPolicyDecision *decision;
  GmcpToolName found;

  if (!gmcp_manager_check_thread (GMCP_MANAGER (provider), "gmcp_tool_provider_find_tool"))
    {
      g_propagate_error (error, new_thread_error ());
      return NULL;
    }
  if (!gmcp_tool_catalog_find (catalog, name, NULL, &found, error))
    return NULL;

  decision = gmcp_tool_catalog_peek_decision (catalog, found.data);
  if (!decision->allowed)
    {
      g_propagate_error (error,
                         gmcp_policy_refused_error (found.server, found.tool, decision->rule));
      return NULL;
    }

  return g_object_ref (gmcp_catalog_entry_get_tool (found.data));
}

gboolean
gmcp_manager_check_request_thread (GmcpManager *self,
                                   GmcpProviderRequest *request,
                                   const char *function)
{
  g_autoptr (GError) error = NULL;

  if (gmcp_manager_check_thread (self, function))
    return TRUE;

  error = new_thread_error ();
  gmcp_provider_request_return_error (request, error);
  return FALSE;
}

gboolean
gmcp_manager_takes_request (GmcpManager *self, GmcpProviderRequest *request, const char *function)
{
  g_autoptr (GError) error = NULL;

  if (!gmcp_manager_check_request_thread (self, request, function))
    return FALSE;
  if (!gmcp_manager_is_closed (self))
    return TRUE;

  error = gmcp_manager_closed_error ();
  gmcp_provider_request_return_error (request, error);
  return FALSE;
}

static void
gmcp_manager_load (GmcpToolProvider *provider, GmcpToolLoad *load)
{
  if (gmcp_manager_check_request_thread (GMCP_MANAGER (provider), GMCP_PROVIDER_REQUEST (load),
                                         "gmcp_tool_provider_load_async"))
    gmcp_manager_load_tools (provider, load);
}

static GListModel *
gmcp_manager_get_tools (GmcpToolProvider *provider)
{
  return gmcp_tool_catalog_get_tools (gmcp_manager_get_catalog (GMCP_MANAGER (provider)));
}

static char *
gmcp_manager_dup_instructions (GmcpToolProvider *provider)
{
  return g_strdup (gmcp_manager_get_instructions (GMCP_MANAGER (provider)));
}

static void
look_for_name (GmcpToolProvider *provider,
               GmcpLateKind kind,
               const char *name,
               GCancellable *cancellable,
               GAsyncReadyCallback callback,
               gpointer user_data)
{
  gmcp_manager_look_for_async (GMCP_MANAGER (provider), kind, name, NULL, cancellable, callback,
                               user_data);
}

void
gmcp_manager_provider_init (GmcpToolProviderInterface *iface)
{
  iface->get_tools = gmcp_manager_get_tools;
  iface->load = gmcp_manager_load;
  iface->call_tool = gmcp_manager_call_tool;
  iface->find_tool = gmcp_manager_find_tool;
  iface->dup_instructions = gmcp_manager_dup_instructions;
  iface->close = gmcp_manager_close;
  iface->keeps_time = TRUE;
  gmcp_tool_provider_set_look_for (iface, look_for_name);
}

static gboolean
permits_own_tool (GmcpToolProvider *provider, GmcpTool *tool, GError **error)
{
  return gmcp_call_router_permits_own (gmcp_manager_get_call_router (GMCP_MANAGER (provider)), tool,
                                       error);
}

static void
admit_own_call (GmcpToolProvider *provider,
                GmcpToolCall *call,
                GmcpTool *tool,
                GmcpToolGateFunc func,
                gpointer data)
{
  gmcp_call_router_admit_own (gmcp_manager_get_call_router (GMCP_MANAGER (provider)), call, tool,
                              func, data);
}

void
gmcp_manager_open_gate (GmcpManager *self)
{
  static const GmcpToolGate gate = { .permits = permits_own_tool, .admit = admit_own_call };

  gmcp_tool_provider_set_gate (GMCP_TOOL_PROVIDER (self), &gate);
}

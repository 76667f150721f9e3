/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-manager-folders-private.h"
#include "gmcp-manager-host-private.h"
#include "gmcp-manager-config-private.h"
#include "gmcp-manager-preflight-private.h"
#include "gmcp-manager-sharing-private.h"
#include "gmcp-requirement-set-private.h"
#include "gmcp-server-host-private.h"
#include "gmcp-tool-provider-private.h"

/* What managed servers need of the manager. */

static gboolean
has_input_handler (GObject *host)
{
  return gmcp_tool_provider_has_input_handler (GMCP_TOOL_PROVIDER (host));
}

static void
request_input (GObject *host, GmcpInputRequest *request)
{
  gmcp_tool_provider_emit_input_requested (GMCP_TOOL_PROVIDER (host), request);
}

static gboolean
requires_server (GObject *host, const char *id)
{
  return gmcp_requirement_set_has_server (gmcp_manager_get_requirement_set (GMCP_MANAGER (host)),
                                          gmcp_manager_get_host (GMCP_MANAGER (host)), id);
}

static GmcpTool *
dup_listed_tool (GObject *host, GmcpManagedServer *server, GmcpTool *tool)
{
  return gmcp_tool_catalog_dup_listed (gmcp_manager_get_catalog (GMCP_MANAGER (host)), server,
                                       tool);
}

static GStrv
fill_expand_context (GObject *host, GmcpConfigExpandContext *context)
{
  return gmcp_manager_fill_expand_context (GMCP_MANAGER (host), context);
}

static char *
fill_folder_context (GObject *host, GmcpServerFolderContext *context)
{
  return gmcp_manager_fill_folder_context (GMCP_MANAGER (host), context);
}

static char *
dup_share_key (GObject *host, GmcpServerConfig *config, GmcpShare *share)
{
  return gmcp_manager_dup_reachable_key (GMCP_MANAGER (host), config, share);
}

static GmcpDaemonActivation *
get_activation (GObject *host)
{
  return gmcp_manager_find_activation (GMCP_MANAGER (host));
}

static gboolean
needs_input (GObject *host)
{
  return gmcp_manager_get_needs_input (GMCP_MANAGER (host));
}

static gboolean
offers_any_era (GObject *host, GmcpServerConfig *config)
{
  GmcpManager *self = GMCP_MANAGER (host);

  return gmcp_manager_offers_servers (self)
         && gmcp_manager_find_share (self, config) == GMCP_SHARE_YES;
}

static const char *
get_node_searched (GObject *host)
{
  return gmcp_manager_get_node_searched (GMCP_MANAGER (host));
}

static void
miss_node (GObject *host, GmcpServerConfig *config, const char *searched)
{
  gmcp_manager_miss_node (GMCP_MANAGER (host), config, searched);
}

static void
find_node (GObject *host, GmcpServerConfig *config)
{
  gmcp_manager_find_node (GMCP_MANAGER (host), config);
}

static void
forget_node (GObject *host)
{
  gmcp_manager_forget_node (GMCP_MANAGER (host));
}

static GFile *
get_config_file (GObject *host)
{
  return gmcp_manager_get_config_file (GMCP_MANAGER (host));
}

static void
program_started (GObject *host, GmcpServerConfig *config)
{
  gmcp_manager_tell_of_privileges (GMCP_MANAGER (host), config);
}

static const GmcpServerHostFuncs host_funcs = {
  .has_input_handler = has_input_handler,
  .request_input = request_input,
  .requires_server = requires_server,
  .dup_listed_tool = dup_listed_tool,
  .fill_expand_context = fill_expand_context,
  .fill_folder_context = fill_folder_context,
  .dup_share_key = dup_share_key,
  .get_activation = get_activation,
  .needs_input = needs_input,
  .offers_any_era = offers_any_era,
  .get_node_searched = get_node_searched,
  .miss_node = miss_node,
  .find_node = find_node,
  .forget_node = forget_node,
  .get_config_file = get_config_file,
  .program_started = program_started,
};

void
gmcp_manager_host_server (GmcpManager *self, GmcpManagedServer *server)
{
  const GmcpServerHost host = { G_OBJECT (self), &host_funcs };

  gmcp_managed_server_set_host (server, &host);
}

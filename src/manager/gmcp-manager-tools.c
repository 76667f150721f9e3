/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-manager-lists-private.h"
#include "gmcp-manager-making-private.h"
#include "gmcp-manager-private.h"
#include "gmcp-manager-roles-private.h"
#include "gmcp-tool-gate-private.h"
#include "gmcp-tool-provider-private.h"

/* The catalog of tools, and who may call them, as parts of the manager. */

static GmcpServerConfig *
find_config (const char *id, gpointer data)
{
  GmcpManagedServer *server = gmcp_server_table_find (data, id);

  return server != NULL ? gmcp_managed_server_get_config (server) : NULL;
}

GmcpToolAccess *
gmcp_manager_make_tool_access (GmcpManager *self)
{
  return gmcp_tool_access_new (gmcp_manager_get_policy (self), gmcp_manager_get_pin_store (self),
                               gmcp_manager_get_approvals (self), find_config,
                               gmcp_manager_get_server_table (self));
}

static gboolean
includes_server (GmcpManagedServer *server, gpointer owner)
{
  return gmcp_manager_includes_server (owner, server);
}

static void
on_rules_changed (gpointer owner)
{
  /* A role that allows nothing of a server allows none of its resources and prompts. */
  gmcp_manager_refresh_gathered_lists (owner);
  gmcp_tool_provider_emit_rules_changed (owner);
}

static void
on_instructions_changed (gpointer owner)
{
  g_object_notify (owner, "instructions");
  gmcp_tool_provider_emit_instructions_changed (owner);
}

static void
warn_about_server (const char *server_id, const char *message, gpointer owner)
{
  gmcp_manager_notice (owner, server_id, GMCP_NOTICE_LEVEL_WARNING, message);
}

GmcpToolCatalog *
gmcp_manager_make_catalog (GmcpManager *self)
{
  static const GmcpToolCatalogHooks hooks = {
    .includes_server = includes_server,
    .rules_changed = on_rules_changed,
    .instructions_changed = on_instructions_changed,
    .warn = warn_about_server,
  };
  const GmcpToolCatalogParts parts = {
    .servers = gmcp_manager_get_server_table (self),
    .access = gmcp_manager_get_tool_access (self),
    .pins = gmcp_manager_get_pin_store (self),
    .state = gmcp_manager_get_state_store (self),
    .redactor = gmcp_auditor_get_redactor (gmcp_manager_get_auditor (self)),
  };

  return gmcp_tool_catalog_new (&parts, &hooks, G_OBJECT (self));
}

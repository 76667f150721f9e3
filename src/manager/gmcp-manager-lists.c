/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-gathered-lists-private.h"
#include "gmcp-manager-lists-private.h"
#include "gmcp-manager-roles-private.h"
#include "gmcp-resource-watches-private.h"
#include "gmcp-tool-access-private.h"

/* The lists of resources, templates and prompts of all servers. Nothing is asked of servers for them before
 * somebody wants one. */

gboolean
gmcp_manager_shows_server (GmcpManager *self, GmcpManagedServer *server)
{
  return gmcp_server_config_is_enabled (gmcp_managed_server_get_config (server))
         && gmcp_manager_includes_server (self, server)
         && gmcp_manager_check_reach (self, server, NULL, NULL);
}

static gboolean
includes_server (GmcpManagedServer *server, gpointer data)
{
  return gmcp_manager_shows_server (data, server);
}

static gboolean
permits_server (GmcpManager *self, GmcpManagedServer *server, const char *role)
{
  return server == NULL
         || gmcp_tool_access_check_reach (gmcp_manager_get_tool_access (self),
                                          gmcp_managed_server_get_id (server), role, NULL);
}

gboolean
gmcp_manager_permits_resource (GmcpManager *self, const char *uri, const char *role)
{
  return permits_server (
    self, gmcp_gathered_lists_find_resource (gmcp_manager_get_gathered_lists (self), uri), role);
}

gboolean
gmcp_manager_permits_template (GmcpManager *self, const char *uri_template, const char *role)
{
  return permits_server (
    self, gmcp_gathered_lists_find_template (gmcp_manager_get_gathered_lists (self), uri_template),
    role);
}

gboolean
gmcp_manager_permits_prompt (GmcpManager *self, const char *name, const char *role)
{
  GmcpToolName found;

  return !gmcp_prompt_catalog_find (gmcp_manager_get_prompt_catalog (self), name, &found, NULL)
         || permits_server (self, gmcp_manager_get_server (self, found.server), role);
}

GmcpGatheredLists *
gmcp_manager_make_gathered_lists (GmcpManager *self)
{
  return gmcp_gathered_lists_new (G_LIST_MODEL (self), gmcp_manager_get_prompt_catalog (self),
                                  includes_server, self);
}

void
gmcp_manager_refresh_gathered_lists (GmcpManager *self)
{
  GmcpGatheredLists *lists = gmcp_manager_peek_gathered_lists (self);

  if (lists != NULL)
    gmcp_gathered_lists_refresh (lists);
}

static void
tell_updated (const char *uri, gpointer data)
{
  gmcp_resource_provider_emit_resource_updated (GMCP_RESOURCE_PROVIDER (data), uri);
}

GmcpResourceWatches *
gmcp_manager_make_resource_watches (GmcpManager *self)
{
  static const GmcpResourceWatchesHooks hooks = { .updated = tell_updated };

  return gmcp_resource_watches_new (gmcp_manager_get_gathered_lists (self), &hooks, self);
}

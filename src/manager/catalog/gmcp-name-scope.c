/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-managed-server-private.h"
#include "gmcp-name-scope-private.h"
#include "gmcp-server-config-private.h"

GmcpManagedServer *
gmcp_name_scope_find_server (const GmcpNameScope *scope,
                             const char *name,
                             gboolean *is_sure,
                             const char **tool)
{
  g_autofree char *id = NULL;
  gboolean is_prefixed = FALSE;
  gsize length;

  if (g_str_has_prefix (name, "mcp__"))
    {
      /* Unless a server is called that. */
      is_prefixed = gmcp_server_table_find (scope->servers, "mcp") != NULL;
      name += strlen ("mcp__");
    }
  length = strcspn (name, "._");
  id = g_strndup (name, length);
  *tool = name + length;
  *is_sure = !is_prefixed && (name[length] == '.' || g_str_has_prefix (*tool, "__"));
  if (**tool != '\0')
    *tool += g_str_has_prefix (*tool, "__") ? 2 : 1;
  return gmcp_server_table_find (scope->servers, id);
}

gboolean
gmcp_name_scope_has_server (const GmcpNameScope *scope, const char *role, GmcpManagedServer *server)
{
  return scope->includes_server (server, scope->owner)
         && gmcp_tool_access_may_reach (scope->access, gmcp_managed_server_get_id (server), role);
}

/* What its configuration leaves out a server does not have. But the name may be that of the server with
 * another tool's. */
static gboolean
may_have (const GmcpNameScope *scope, GmcpManagedServer *server, const char *tool)
{
  gboolean is_sure;
  const char *rest;

  return gmcp_server_config_allows_tool (gmcp_managed_server_get_config (server), tool)
         || gmcp_name_scope_find_server (scope, tool, &is_sure, &rest) == server;
}

gboolean
gmcp_name_scope_may_have_unknown (const GmcpNameScope *scope,
                                  GmcpManagedServer *server,
                                  const char *name)
{
  /* Otherwise a server's name may be in it, or characters that stand for others. */
  gboolean is_own = strpbrk (name, "._") == NULL;

  return !is_own || may_have (scope, server, name);
}

gboolean
gmcp_name_scope_may_have_too (const GmcpNameScope *scope,
                              GmcpManagedServer *server,
                              const char *tool)
{
  return gmcp_managed_server_get_last_failure (server) == NULL && may_have (scope, server, tool);
}

gboolean
gmcp_name_scope_has_untried (const GmcpNameScope *scope, const char *role, const char *found)
{
  for (guint i = 0; i < gmcp_server_table_get_length (scope->servers); i++)
    {
      GmcpManagedServer *server = gmcp_server_table_get_server (scope->servers, i);

      if (gmcp_managed_server_is_untried (server)
          && (found == NULL || gmcp_name_scope_may_have_too (scope, server, found))
          && gmcp_name_scope_has_server (scope, role, server))
        return TRUE;
    }

  return FALSE;
}

gboolean
gmcp_name_scope_is_unclear (const GmcpNameScope *scope,
                            const char *name,
                            const char *role,
                            const GmcpToolName *found)
{
  return g_str_equal (name, found->tool) && !g_str_equal (name, found->listed)
         && gmcp_name_scope_has_untried (scope, role, found->tool);
}

guint
gmcp_name_scope_count_failed (const GmcpNameScope *scope, const char *role)
{
  guint n_failed = 0;

  for (guint i = 0; i < gmcp_server_table_get_length (scope->servers); i++)
    {
      GmcpManagedServer *server = gmcp_server_table_get_server (scope->servers, i);

      n_failed += gmcp_managed_server_get_state (server) == GMCP_SERVER_STATE_FAILED
                  && gmcp_name_scope_has_server (scope, role, server);
    }

  return n_failed;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-i18n-private.h"
#include "gmcp-manager-names-private.h"
#include "gmcp-manager-config-private.h"
#include "gmcp-manager-policy-private.h"
#include "gmcp-server-config-private.h"
#include "gmcp-visible-text-private.h"

GmcpManagedServer *
gmcp_manager_find_named_server (GmcpManager *self,
                                const char *name,
                                gboolean *sure,
                                const char **tool)
{
  g_autofree char *id = NULL;
  gboolean prefixed = FALSE;
  gsize length;

  if (g_str_has_prefix (name, "mcp__"))
    {
      /* Unless a server is called that. */
      prefixed = gmcp_server_table_find (gmcp_manager_get_server_table (self), "mcp") != NULL;
      name += strlen ("mcp__");
    }
  length = strcspn (name, "._");
  id = g_strndup (name, length);
  *tool = name + length;
  *sure = !prefixed && (name[length] == '.' || g_str_has_prefix (*tool, "__"));
  if (**tool != '\0')
    *tool += g_str_has_prefix (*tool, "__") ? 2 : 1;
  return gmcp_server_table_find (gmcp_manager_get_server_table (self), id);
}

gboolean
gmcp_manager_may_mean_server (GmcpManager *self, const char *role, GmcpManagedServer *server)
{
  return gmcp_manager_includes_server (self, server)
         && gmcp_tool_access_may_reach (gmcp_manager_get_tool_access (self),
                                        gmcp_managed_server_get_id (server), role);
}

/* A server does not have tools that its configuration leaves out. But the name may be the server's
 * with that of another tool. */
static gboolean
may_have (GmcpManager *self, GmcpManagedServer *server, const char *tool)
{
  gboolean sure;
  const char *rest;

  return gmcp_server_config_allows_tool (gmcp_managed_server_get_config (server), tool)
         || gmcp_manager_find_named_server (self, tool, &sure, &rest) == server;
}

gboolean
gmcp_manager_may_have_unknown (GmcpManager *self, GmcpManagedServer *server, const char *name)
{
  /* A name with “.” or “_” may hold a server's name, or characters that stand for others. */
  gboolean is_own = strpbrk (name, "._") == NULL;

  return !is_own || may_have (self, server, name);
}

gboolean
gmcp_manager_may_have_too (GmcpManager *self, GmcpManagedServer *server, const char *tool)
{
  return gmcp_managed_server_peek_failure (server) == NULL && may_have (self, server, tool);
}

gboolean
gmcp_manager_has_untried (GmcpManager *self, const char *role, const char *found)
{
  for (guint i = 0; i < gmcp_server_table_get_length (gmcp_manager_get_server_table (self)); i++)
    {
      GmcpManagedServer *server
        = gmcp_server_table_get_server (gmcp_manager_get_server_table (self), i);

      if (gmcp_managed_server_is_untried (server)
          && (found == NULL || gmcp_manager_may_have_too (self, server, found))
          && gmcp_manager_may_mean_server (self, role, server))
        return TRUE;
    }

  return FALSE;
}

gboolean
gmcp_manager_may_be_ambiguous (GmcpManager *self,
                               const char *name,
                               const char *role,
                               const GmcpToolName *found)
{
  return g_str_equal (name, found->tool) && !g_str_equal (name, found->listed)
         && gmcp_manager_has_untried (self, role, found->tool);
}

/* What is unknown may be of a project whose file nobody trusts, and of which nothing is known. */
static GError *
add_untrusted (GmcpManager *self, GError *error)
{
  g_autoptr (GError) unknown = error;
  g_autofree char *file = gmcp_manager_dup_untrusted_file (self);
  g_autofree char *word = file != NULL ? gmcp_dup_shell_word (file) : NULL;

  if (word == NULL)
    return g_steal_pointer (&unknown);
  return g_error_new (unknown->domain, unknown->code,
                      /* TRANSLATORS: “There is no tool called …”, and the path of a file */
                      _ ("%s The file of a project is not trusted; to use what it brings: gmcp "
                         "config trust %s"),
                      unknown->message, word);
}

/* Servers that did not start may have the tool. */
GError *
gmcp_manager_unknown_error (GmcpManager *self, const char *role, const GError *unknown)
{
  guint n = 0;

  for (guint i = 0; i < gmcp_server_table_get_length (gmcp_manager_get_server_table (self)); i++)
    {
      GmcpManagedServer *server
        = gmcp_server_table_get_server (gmcp_manager_get_server_table (self), i);

      n += gmcp_managed_server_get_state (server) == GMCP_SERVER_STATE_FAILED
           && gmcp_manager_may_mean_server (self, role, server);
    }

  if (n == 0)
    return add_untrusted (self, g_error_copy (unknown));
  return g_error_new (unknown->domain, unknown->code,
                      /* TRANSLATORS: “There is no tool called …”, and a number */
                      g_dngettext (GETTEXT_PACKAGE, "%s %u server could not be asked.",
                                   "%s %u servers could not be asked.", n),
                      unknown->message, n);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-config-entry-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-config-lint-private.h"
#include "gmcp-tool-pattern-private.h"

#include <gmcp/config/gmcp-config-finding.h>

/* The lists of rules that a role has, as the settings call them. */
static const struct
{
  const char *key;
  const char *const *(*get) (GmcpRole *role);
  gboolean takes_away;
} role_lists[] = {
  { "allowed-tools", gmcp_role_get_allowed_tools, FALSE },
  { "denied-tools", gmcp_role_get_denied_tools, TRUE },
  { "ask-first", gmcp_role_get_ask_first, TRUE },
};

/* Roles of one host speak of what some tier declares; roles of all hosts of what is configured, too. */
static gboolean
is_known (GmcpConfigLint *search, const char *name, gboolean of_host)
{
  g_autofree char *id = gmcp_config_make_id (name);

  return g_hash_table_contains (search->declared, id)
         || (!of_host && gmcp_config_lint_is_configured (search, name));
}

static gboolean
covers_one_of (const GmcpToolPattern *pattern, GHashTable *ids)
{
  GHashTableIter iter;
  gpointer id;

  g_hash_table_iter_init (&iter, ids);
  while (g_hash_table_iter_next (&iter, &id, NULL))
    {
      if (gmcp_tool_pattern_covers_server (pattern, id, id))
        return TRUE;
    }
  return FALSE;
}

static gboolean
covers_some_server (GmcpConfigLint *search, const GmcpToolPattern *pattern)
{
  GmcpServerTable *table = search->subject->servers;

  for (guint i = 0; i < gmcp_server_table_get_length (table); i++)
    {
      GmcpManagedServer *server = gmcp_server_table_get_server (table, i);
      GmcpServerConfig *config = gmcp_managed_server_get_config (server);

      if (gmcp_tool_pattern_covers_server (pattern, gmcp_server_config_get_id (config),
                                           gmcp_server_config_get_title (config)))
        return TRUE;
    }

  return covers_one_of (pattern, search->mentioned) || covers_one_of (pattern, search->declared);
}

/* A rule that was meant to take something away, and does not. */
static void
check_effect (GmcpConfigLint *search,
              const GmcpToolPattern *pattern,
              const GmcpConfigLintPlace *place)
{
  if (!covers_some_server (search, pattern))
    gmcp_config_lint_add (
      search, GMCP_NOTICE_LEVEL_WARNING, place,
      /* TRANSLATORS: %s is a rule, such as my-*.delete */
      g_strdup_printf (_ ("No configured MCP server is meant by the rule: %s"), pattern->text));
}

static void
check_rule (GmcpConfigLint *search,
            const char *rule,
            gboolean of_host,
            GHashTable *seen,
            const GmcpConfigLintPlace *place)
{
  g_autoptr (GmcpToolPattern) pattern = gmcp_tool_pattern_new (rule);
  const char *dot = strchr (rule, '.');
  g_autofree char *server = NULL;

  if (pattern == NULL)
    {
      gmcp_config_lint_add (
        search, GMCP_NOTICE_LEVEL_ERROR, place,
        g_strdup_printf (_ ("“%s” is no rule; write SERVER.TOOL, or TOOL for a tool of the "
                            "host's own. Until then the role allows nothing"),
                         rule));
      return;
    }
  if (dot == NULL)
    {
      if (search->takes_away && pattern->like_listed)
        check_effect (search, pattern, place);
      return;
    }

  server = g_strndup (rule, dot - rule);
  if (strpbrk (server, "*?") != NULL)
    {
      if (search->takes_away && server[strspn (server, "*")] != '\0')
        check_effect (search, pattern, place);
      return;
    }
  if (!is_known (search, server, of_host)
      && !(search->takes_away && covers_some_server (search, pattern)))
    {
      if (g_hash_table_add (seen, g_strdup (server)))
        gmcp_config_lint_add_unknown (
          search, search->lenient ? GMCP_NOTICE_LEVEL_WARNING : GMCP_NOTICE_LEVEL_ERROR, place,
          server);
    }
  else if (pattern->exact && gmcp_config_lint_lacks_tool (search, server, dot + 1))
    {
      gmcp_config_lint_add (search, GMCP_NOTICE_LEVEL_WARNING, place,
                            g_strdup_printf (_ ("References unknown tool: %s"), rule));
    }
}

void
gmcp_config_lint_check_rules (GmcpConfigLint *search,
                              const char *const *rules,
                              gboolean takes_away,
                              gboolean of_host,
                              GHashTable *seen,
                              const GmcpConfigLintPlace *place)
{
  search->takes_away = takes_away;
  for (gsize i = 0; rules != NULL && rules[i] != NULL; i++)
    {
      g_autofree char *rule = gmcp_config_lint_dup_filled (search, place, rules[i]);

      if (rule != NULL)
        check_rule (search, rule, of_host, seen, place);
    }
}

static GHashTable *
new_set (void)
{
  return g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
}

void
gmcp_config_lint_check_role_objects (GmcpConfigLint *search, GPtrArray *roles, const char *folder)
{
  for (guint i = 0; roles != NULL && i < roles->len; i++)
    {
      GmcpRole *role = g_ptr_array_index (roles, i);
      g_autoptr (GHashTable) seen = new_set ();
      gboolean of_host = gmcp_role_get_host (role) != NULL;

      for (gsize k = 0; k < G_N_ELEMENTS (role_lists); k++)
        {
          const char *name = gmcp_role_get_name (role);
          g_autofree char *path = folder != NULL
                                    ? g_strconcat (folder, name, "/", role_lists[k].key, NULL)
                                    : g_strconcat ("roles.", name, NULL);
          const GmcpConfigLintPlace place = { NULL, 0, path };

          gmcp_config_lint_check_rules (search, role_lists[k].get (role), role_lists[k].takes_away,
                                        of_host, seen, &place);
        }
    }
}

void
gmcp_config_lint_check_config_roles (GmcpConfigLint *search, GPtrArray *roles, gboolean of_host)
{
  for (guint i = 0; i < roles->len; i++)
    {
      GmcpConfigRole *role = g_ptr_array_index (roles, i);
      g_autoptr (GHashTable) seen = new_set ();
      gboolean hosted = of_host || role->host != NULL;
      const GmcpConfigLintPlace place
        = { role->place.file, role->place.line, role->place.key_path };

      gmcp_config_lint_check_rules (search, (const char *const *) role->allowed_tools, FALSE,
                                    of_host, seen, &place);
      gmcp_config_lint_check_rules (search, (const char *const *) role->denied_tools, TRUE, hosted,
                                    seen, &place);
      gmcp_config_lint_check_rules (search, (const char *const *) role->ask_first, TRUE, hosted,
                                    seen, &place);
    }
}

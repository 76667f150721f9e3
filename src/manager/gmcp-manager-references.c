/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-config-source-policy-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-manager-places-private.h"
#include "gmcp-manager-policy-private.h"
#include "gmcp-requirements-private.h"

#include <gmcp/manager/gmcp-config-finding.h>

/* What rules, tiers and projects refer to has to be there. A name without a dot is a tool of the
 * host's own, which nobody here can know. */
typedef struct
{
  GmcpManager *manager;
  GHashTable *declared; /* ids that some tier names */
  GPtrArray *findings;  /* of GmcpConfigFinding */
} Search;

typedef struct
{
  const char *file; /* NULL where it is in none */
  guint line;
  const char *key_path;
} Place;

static void
add_unknown (Search *search, GmcpNoticeLevel severity, const Place *place, const char *name)
{
  g_autofree char *message = g_strdup_printf (_ ("References unknown MCP server: %s"), name);

  g_ptr_array_add (search->findings, gmcp_config_finding_new (severity, place->file, place->line,
                                                              place->key_path, message));
}

static char *
dup_id (const char *name)
{
  return gmcp_server_config_is_valid_id (name) ? g_strdup (name)
                                               : gmcp_server_config_make_id (name);
}

static gboolean
is_configured (Search *search, const char *name)
{
  g_autofree char *id = dup_id (name);

  return gmcp_manager_get_server (search->manager, id) != NULL;
}

/* Roles of one host speak of what some tier declares; roles of all hosts of what is configured, too. */
static gboolean
is_known (Search *search, const char *name, gboolean of_host)
{
  g_autofree char *id = dup_id (name);

  return g_hash_table_contains (search->declared, id) || (!of_host && is_configured (search, name));
}

static void
check_rules (Search *search,
             const char *const *rules,
             gboolean of_host,
             GHashTable *seen,
             const Place *place)
{
  for (gsize i = 0; rules != NULL && rules[i] != NULL; i++)
    {
      const char *dot = strchr (rules[i], '.');
      g_autofree char *server = dot != NULL ? g_strndup (rules[i], dot - rules[i]) : NULL;

      if (server == NULL || *server == '\0' || strpbrk (server, "*?") != NULL
          || is_known (search, server, of_host) || g_hash_table_contains (seen, server))
        continue;
      add_unknown (search, GMCP_NOTICE_LEVEL_ERROR, place, server);
      g_hash_table_add (seen, g_steal_pointer (&server));
    }
}

static GHashTable *
new_set (void)
{
  return g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
}

static void
check_role_objects (Search *search, GPtrArray *roles)
{
  for (guint i = 0; roles != NULL && i < roles->len; i++)
    {
      GmcpRole *role = g_ptr_array_index (roles, i);
      g_autofree char *path = g_strconcat ("roles.", gmcp_role_get_name (role), NULL);
      g_autoptr (GHashTable) seen = new_set ();
      const Place place = { NULL, 0, path };
      gboolean of_host = gmcp_role_get_host (role) != NULL;

      check_rules (search, gmcp_role_get_allowed_tools (role), of_host, seen, &place);
      check_rules (search, gmcp_role_get_denied_tools (role), of_host, seen, &place);
      check_rules (search, gmcp_role_get_ask_first (role), of_host, seen, &place);
    }
}

static void
check_config_roles (Search *search, GPtrArray *roles, gboolean of_host)
{
  for (guint i = 0; i < roles->len; i++)
    {
      GmcpConfigRole *role = g_ptr_array_index (roles, i);
      g_autoptr (GHashTable) seen = new_set ();
      const Place place = { role->place.file, role->place.line, role->place.key_path };

      check_rules (search, (const char *const *) role->allowed_tools, of_host, seen, &place);
      check_rules (search, (const char *const *) role->denied_tools, of_host, seen, &place);
      check_rules (search, (const char *const *) role->ask_tools, of_host, seen, &place);
    }
}

static void
check_servers (Search *search, const char *const *names, const Place *place)
{
  for (gsize i = 0; names != NULL && names[i] != NULL; i++)
    if (!is_configured (search, names[i]))
      add_unknown (search, GMCP_NOTICE_LEVEL_WARNING, place, names[i]);
}

static void
check_requirement_objects (Search *search, GPtrArray *requirements)
{
  for (guint i = 0; requirements != NULL && i < requirements->len; i++)
    {
      GmcpRequirements *needs = g_ptr_array_index (requirements, i);
      const char *name = gmcp_requirements_get_name (needs);
      g_autofree char *path
        = g_strconcat ("requirements.", name != NULL ? name : "*", ".required", NULL);
      const Place place = { NULL, 0, path };

      check_servers (search, gmcp_requirements_get_required (needs), &place);
    }
}

static void
check_data (Search *search, GmcpConfigPolicy *policy)
{
  check_config_roles (search, policy->roles, FALSE);
  for (guint i = 0; i < policy->tools->len; i++)
    {
      GmcpConfigTool *tool = g_ptr_array_index (policy->tools, i);
      g_autofree char *path = g_strconcat (tool->place.key_path, ".mcp_tools.required", NULL);
      const Place place = { tool->place.file, tool->place.line, path };

      check_config_roles (search, tool->roles, TRUE);
      check_servers (search, (const char *const *) tool->required, &place);
    }
  for (guint i = 0; i < policy->projects->len; i++)
    {
      GmcpConfigProject *project = g_ptr_array_index (policy->projects, i);
      const Place place = { project->place.file, project->place.line, project->place.key_path };

      check_servers (search, (const char *const *) project->servers, &place);
    }
}

static void
add_declared (Search *search, GPtrArray *requirements)
{
  for (guint i = 0; i < requirements->len; i++)
    for (int tier = GMCP_TIER_REQUIRED; tier <= GMCP_TIER_OPTIONAL; tier++)
      {
        const char *const *ids
          = gmcp_requirements_get_tier (g_ptr_array_index (requirements, i), tier);

        for (gsize j = 0; ids[j] != NULL; j++)
          g_hash_table_add (search->declared, g_strdup (ids[j]));
      }
}

static void
check_source (Search *search, GmcpConfigSource *source)
{
  GListModel *findings = gmcp_config_source_get_findings (source);
  GmcpConfigPolicy *policy = gmcp_config_source_peek_policy_data (source);

  for (guint i = 0; i < g_list_model_get_n_items (findings); i++)
    g_ptr_array_add (search->findings, g_list_model_get_item (findings, i));

  if (policy != NULL)
    {
      check_data (search, policy);
      return;
    }
  check_role_objects (search, gmcp_config_source_peek_roles (source));
  check_requirement_objects (search, gmcp_config_source_peek_requirements (source));
}

/**
 * gmcp_manager_list_findings:
 * @self: a manager
 *
 * Gives all that is to be said about the configuration as it was last read: what was found in each
 * source, servers that do not count because one of the same id comes first, and what refers to a
 * server that is not there. That is an error where a rule of a role for
 * one host names a server that no tier declares, or a role for all hosts one that is not configured
 * either; and a warning for a required server, or one of a project, that nothing configures, and for
 * one whose sandbox or limits take what is not there.
 *
 * Returns: (transfer container) (element-type GmcpConfigFinding): the findings
 *
 * Since: 0.1
 */
GPtrArray *
gmcp_manager_list_findings (GmcpManager *self)
{
  GmcpManagerPrivate *priv;
  g_autoptr (GHashTable) declared = NULL;
  Search search;

  g_return_val_if_fail (GMCP_IS_MANAGER (self), NULL);

  priv = gmcp_manager_get_private (self);
  declared = new_set ();
  search = (Search){ self, declared, g_ptr_array_new_with_free_func (g_object_unref) };
  add_declared (&search, priv->policy->own_requirements);
  add_declared (&search, priv->policy->requirements);
  check_role_objects (&search, priv->policy->own_roles);
  check_requirement_objects (&search, priv->policy->own_requirements);
  if (priv->file != NULL)
    check_source (&search, priv->file->source);
  else
    for (guint i = 0; i < priv->sources->len; i++)
      check_source (&search, ((GmcpManagerSource *) g_ptr_array_index (priv->sources, i))->source);
  gmcp_manager_add_shadowed (self, search.findings);
  gmcp_manager_add_unconfinable (self, search.findings);
  return search.findings;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-file-config-source-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-manager-places-private.h"

typedef struct
{
  GPtrArray *findings;    /* of GmcpConfigFinding */
  GPtrArray *contents;    /* of GmcpConfigContents, borrowed */
  GHashTable *configured; /* ids */
  GHashTable *declared;   /* ids that a tier of some tool names */
} Validation;

static void
add_unknown (Validation *validation,
             GmcpNoticeLevel severity,
             const GmcpConfigPlace *place,
             const char *suffix,
             const char *name)
{
  g_autofree char *message = g_strdup_printf (_ ("References unknown MCP server: %s"), name);
  g_autofree char *path = g_strconcat (place->key_path, suffix, NULL);

  g_ptr_array_add (validation->findings,
                   gmcp_config_finding_new (severity, place->file, place->line, path, message));
}

static gboolean
knows (GHashTable *ids, const char *name)
{
  g_autofree char *id = gmcp_server_config_make_id (name);

  return g_hash_table_contains (ids, id);
}

static void
declare (Validation *validation, GStrv names)
{
  for (gsize i = 0; names[i] != NULL; i++)
    g_hash_table_add (validation->declared, gmcp_server_config_make_id (names[i]));
}

/* A word without a dot is a tool of the host's own, and a pattern may be about any server. */
static void
check_words (Validation *validation, const GmcpConfigRole *role, GStrv words, gboolean of_tool)
{
  for (gsize i = 0; words[i] != NULL; i++)
    {
      const char *dot = strchr (words[i], '.');
      g_autofree char *server = dot != NULL ? g_strndup (words[i], dot - words[i]) : NULL;

      if (server == NULL || *server == '\0' || strpbrk (server, "*?") != NULL
          || knows (validation->declared, server)
          || (!of_tool && knows (validation->configured, server)))
        continue;
      add_unknown (validation, GMCP_NOTICE_LEVEL_ERROR, &role->place, "", server);
    }
}

static void
check_roles (Validation *validation, GPtrArray *roles, gboolean of_tool)
{
  for (guint i = 0; i < roles->len; i++)
    {
      const GmcpConfigRole *role = g_ptr_array_index (roles, i);

      check_words (validation, role, role->allowed_tools, of_tool);
      check_words (validation, role, role->denied_tools, of_tool);
      check_words (validation, role, role->ask_tools, of_tool);
    }
}

static void
check_names (Validation *validation, const GmcpConfigPlace *place, const char *suffix, GStrv names)
{
  for (gsize i = 0; names[i] != NULL; i++)
    {
      if (!knows (validation->configured, names[i]))
        add_unknown (validation, GMCP_NOTICE_LEVEL_WARNING, place, suffix, names[i]);
    }
}

static void
check_policy (Validation *validation, GmcpConfigPolicy *policy)
{
  check_roles (validation, policy->roles, FALSE);
  for (guint i = 0; i < policy->tools->len; i++)
    {
      const GmcpConfigTool *tool = g_ptr_array_index (policy->tools, i);

      check_roles (validation, tool->roles, TRUE);
      check_names (validation, &tool->place, ".mcp_tools.required", tool->required);
    }
  for (guint i = 0; i < policy->projects->len; i++)
    {
      const GmcpConfigProject *project = g_ptr_array_index (policy->projects, i);

      check_names (validation, &project->place, ".servers", project->servers);
    }
}

static void
add_shadowed (Validation *validation, GmcpManagerSource *source, const char *id)
{
  GmcpFileConfigSource *file = gmcp_manager_source_get_file_source (source);
  GmcpConfigContents *contents = file != NULL ? gmcp_file_config_source_peek_contents (file) : NULL;
  g_autofree char *name
    = file != NULL ? g_file_get_parse_name (gmcp_file_config_source_get_file (file)) : NULL;
  guint line = contents != NULL ? GPOINTER_TO_UINT (g_hash_table_lookup (contents->lines, id)) : 0;

  g_ptr_array_add (
    validation->findings,
    gmcp_config_finding_new (GMCP_NOTICE_LEVEL_WARNING, name, line, id,
                             _ ("this server does not count: one of that id stands in a place that "
                                "comes first")));
}

static void
look_at_source (Validation *validation, GmcpManagerSource *source)
{
  GListModel *findings = gmcp_config_source_get_findings (source->source);
  GListModel *servers = gmcp_config_source_get_servers (source->source);
  GmcpFileConfigSource *file = gmcp_manager_source_get_file_source (source);
  guint n_findings = g_list_model_get_n_items (findings);
  guint n_servers = g_list_model_get_n_items (servers);

  for (guint i = 0; i < n_findings; i++)
    g_ptr_array_add (validation->findings, g_list_model_get_item (findings, i));
  for (guint i = 0; i < n_servers; i++)
    {
      g_autoptr (GmcpServerConfig) config = g_list_model_get_item (servers, i);
      const char *id = gmcp_server_config_get_id (config);

      if (!g_hash_table_add (validation->configured, g_strdup (id)))
        add_shadowed (validation, source, id);
    }
  if (file != NULL && gmcp_file_config_source_peek_contents (file) != NULL)
    g_ptr_array_add (validation->contents, gmcp_file_config_source_peek_contents (file));
}

/**
 * gmcp_manager_validate:
 * @self: a manager whose configuration has been read
 *
 * Says all that there is to say about the configuration as it was read last: what each place has
 * ([property@Gmcp.ConfigSource:findings]), servers that do not count because one of the same id comes
 * first, and names of servers in roles, requirements and projects that nothing is known by.
 *
 * Returns: (transfer container) (element-type GmcpConfigFinding): the findings, of which those that
 *   are errors are to be mended
 *
 * Since: 0.1
 */
GPtrArray *
gmcp_manager_validate (GmcpManager *self)
{
  GmcpManagerPrivate *priv;
  Validation validation = { NULL };

  g_return_val_if_fail (GMCP_IS_MANAGER (self), NULL);

  priv = gmcp_manager_get_private (self);
  validation.findings = g_ptr_array_new_with_free_func (g_object_unref);
  validation.contents = g_ptr_array_new ();
  validation.configured = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  validation.declared = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  if (priv->file != NULL)
    look_at_source (&validation, priv->file);
  else
    for (guint i = 0; i < priv->sources->len; i++)
      look_at_source (&validation, g_ptr_array_index (priv->sources, i));

  for (guint i = 0; i < validation.contents->len; i++)
    {
      GmcpConfigContents *contents = g_ptr_array_index (validation.contents, i);

      for (guint k = 0; k < contents->policy->tools->len; k++)
        {
          const GmcpConfigTool *tool = g_ptr_array_index (contents->policy->tools, k);

          declare (&validation, tool->required);
          declare (&validation, tool->recommended);
          declare (&validation, tool->optional);
        }
    }
  for (guint i = 0; i < validation.contents->len; i++)
    {
      GmcpConfigContents *contents = g_ptr_array_index (validation.contents, i);

      check_policy (&validation, contents->policy);
    }

  g_ptr_array_unref (validation.contents);
  g_hash_table_unref (validation.configured);
  g_hash_table_unref (validation.declared);
  return validation.findings;
}

/**
 * gmcp_manager_list_sources:
 * @self: a manager
 *
 * Lists the places that the configuration comes from, in order of precedence.
 *
 * Returns: (transfer container) (element-type GmcpConfigSource): the places
 *
 * Since: 0.1
 */
GPtrArray *
gmcp_manager_list_sources (GmcpManager *self)
{
  GmcpManagerPrivate *priv;
  GPtrArray *sources = g_ptr_array_new_with_free_func (g_object_unref);

  g_return_val_if_fail (GMCP_IS_MANAGER (self), sources);

  priv = gmcp_manager_get_private (self);
  if (priv->file != NULL)
    {
      g_ptr_array_add (sources, g_object_ref (priv->file->source));
      return sources;
    }
  for (guint i = 0; i < priv->sources->len; i++)
    {
      GmcpManagerSource *source = g_ptr_array_index (priv->sources, i);

      g_ptr_array_add (sources, g_object_ref (source->source));
    }
  return sources;
}

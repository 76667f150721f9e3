/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-config-policy-data-private.h"

static void
place_clear (GmcpConfigPlace *place)
{
  g_free (place->file);
  g_free (place->key_path);
}

GmcpConfigPlace *
gmcp_config_place_new (const char *file, guint line, const char *key_path)
{
  GmcpConfigPlace *place = g_new0 (GmcpConfigPlace, 1);

  place->file = g_strdup (file);
  place->line = line;
  place->key_path = g_strdup (key_path);
  return place;
}

void
gmcp_config_place_free (GmcpConfigPlace *place)
{
  place_clear (place);
  g_free (place);
}

void
gmcp_config_role_free (GmcpConfigRole *role)
{
  place_clear (&role->place);
  g_free (role->name);
  g_free (role->host);
  g_strfreev (role->allowed_tools);
  g_strfreev (role->denied_tools);
  g_strfreev (role->ask_first);
  g_free (role);
}

void
gmcp_config_tool_free (GmcpConfigTool *tool)
{
  place_clear (&tool->place);
  place_clear (&tool->required_place);
  g_free (tool->name);
  g_free (tool->binary);
  g_free (tool->command_template);
  g_strfreev (tool->models);
  g_strfreev (tool->required);
  g_strfreev (tool->recommended);
  g_strfreev (tool->optional);
  g_ptr_array_unref (tool->roles);
  g_free (tool);
}

void
gmcp_config_project_free (GmcpConfigProject *project)
{
  place_clear (&project->place);
  g_free (project->name);
  g_free (project->title);
  g_free (project->instructions);
  g_strfreev (project->servers);
  g_strfreev (project->resources);
  g_free (project);
}

GmcpConfigPolicy *
gmcp_config_policy_new (void)
{
  GmcpConfigPolicy *policy = g_new0 (GmcpConfigPolicy, 1);

  g_atomic_ref_count_init (&policy->ref_count);
  policy->tools = g_ptr_array_new_with_free_func ((GDestroyNotify) gmcp_config_tool_free);
  policy->roles = g_ptr_array_new_with_free_func ((GDestroyNotify) gmcp_config_role_free);
  policy->projects = g_ptr_array_new_with_free_func ((GDestroyNotify) gmcp_config_project_free);
  return policy;
}

GmcpConfigPolicy *
gmcp_config_policy_ref (GmcpConfigPolicy *policy)
{
  g_atomic_ref_count_inc (&policy->ref_count);
  return policy;
}

void
gmcp_config_policy_unref (GmcpConfigPolicy *policy)
{
  if (!g_atomic_ref_count_dec (&policy->ref_count))
    return;

  g_ptr_array_unref (policy->tools);
  g_ptr_array_unref (policy->roles);
  g_ptr_array_unref (policy->projects);
  g_free (policy);
}

static gboolean
words_equal (GStrv a, GStrv b)
{
  return g_strv_equal ((const char *const *) a, (const char *const *) b);
}

static gboolean
role_equal (gconstpointer first, gconstpointer second)
{
  const GmcpConfigRole *a = first;
  const GmcpConfigRole *b = second;

  return g_str_equal (a->name, b->name) && g_strcmp0 (a->host, b->host) == 0
         && words_equal (a->allowed_tools, b->allowed_tools)
         && words_equal (a->denied_tools, b->denied_tools)
         && words_equal (a->ask_first, b->ask_first) && a->read_only == b->read_only;
}

static gboolean
list_equal (GPtrArray *a, GPtrArray *b, GEqualFunc equal)
{
  if (a->len != b->len)
    return FALSE;

  for (guint i = 0; i < a->len; i++)
    {
      if (!equal (g_ptr_array_index (a, i), g_ptr_array_index (b, i)))
        return FALSE;
    }
  return TRUE;
}

static gboolean
tool_equal (gconstpointer first, gconstpointer second)
{
  const GmcpConfigTool *a = first;
  const GmcpConfigTool *b = second;

  return g_str_equal (a->name, b->name) && g_strcmp0 (a->binary, b->binary) == 0
         && g_strcmp0 (a->command_template, b->command_template) == 0
         && words_equal (a->models, b->models) && words_equal (a->required, b->required)
         && words_equal (a->recommended, b->recommended) && words_equal (a->optional, b->optional)
         && list_equal (a->roles, b->roles, role_equal);
}

static gboolean
project_equal (gconstpointer first, gconstpointer second)
{
  const GmcpConfigProject *a = first;
  const GmcpConfigProject *b = second;

  return g_str_equal (a->name, b->name) && g_strcmp0 (a->title, b->title) == 0
         && g_strcmp0 (a->instructions, b->instructions) == 0
         && words_equal (a->servers, b->servers) && words_equal (a->resources, b->resources);
}

gboolean
gmcp_config_policy_equal (GmcpConfigPolicy *a, GmcpConfigPolicy *b)
{
  return a == b
         || (list_equal (a->tools, b->tools, tool_equal)
             && list_equal (a->roles, b->roles, role_equal)
             && list_equal (a->projects, b->projects, project_equal));
}

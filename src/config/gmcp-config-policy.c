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

/* The fields are named as the properties of the objects that are made of them. */
const GmcpField gmcp_config_role_fields[] = {
  { "name", GMCP_FIELD_STRING, G_STRUCT_OFFSET (GmcpConfigRole, name) },
  { "host", GMCP_FIELD_TEXT, G_STRUCT_OFFSET (GmcpConfigRole, host) },
  { "allowed-tools", GMCP_FIELD_STRV, G_STRUCT_OFFSET (GmcpConfigRole, allowed_tools) },
  { "denied-tools", GMCP_FIELD_STRV, G_STRUCT_OFFSET (GmcpConfigRole, denied_tools) },
  { "ask-first", GMCP_FIELD_STRV, G_STRUCT_OFFSET (GmcpConfigRole, ask_first) },
  { "read-only", GMCP_FIELD_BOOLEAN, G_STRUCT_OFFSET (GmcpConfigRole, read_only) },
  { NULL },
};

const GmcpField gmcp_config_tool_fields[] = {
  { "name", GMCP_FIELD_STRING, G_STRUCT_OFFSET (GmcpConfigTool, name) },
  { "metadata", GMCP_FIELD_STRV, G_STRUCT_OFFSET (GmcpConfigTool, metadata) },
  { "required", GMCP_FIELD_STRV, G_STRUCT_OFFSET (GmcpConfigTool, required) },
  { "recommended", GMCP_FIELD_STRV, G_STRUCT_OFFSET (GmcpConfigTool, recommended) },
  { "optional", GMCP_FIELD_STRV, G_STRUCT_OFFSET (GmcpConfigTool, optional) },
  { NULL },
};

const GmcpField gmcp_config_project_fields[] = {
  { "id", GMCP_FIELD_STRING, G_STRUCT_OFFSET (GmcpConfigProject, name) },
  { "title", GMCP_FIELD_TEXT, G_STRUCT_OFFSET (GmcpConfigProject, title) },
  { "instructions", GMCP_FIELD_TEXT, G_STRUCT_OFFSET (GmcpConfigProject, instructions) },
  { "server-ids", GMCP_FIELD_STRV, G_STRUCT_OFFSET (GmcpConfigProject, servers) },
  { "resources", GMCP_FIELD_STRV, G_STRUCT_OFFSET (GmcpConfigProject, resources) },
  { NULL },
};

void
gmcp_config_role_free (GmcpConfigRole *role)
{
  place_clear (&role->place);
  gmcp_fields_clear (gmcp_config_role_fields, role);
  g_free (role);
}

void
gmcp_config_tool_free (GmcpConfigTool *tool)
{
  place_clear (&tool->place);
  place_clear (&tool->required_place);
  gmcp_fields_clear (gmcp_config_tool_fields, tool);
  g_ptr_array_unref (tool->roles);
  g_free (tool);
}

void
gmcp_config_project_free (GmcpConfigProject *project)
{
  place_clear (&project->place);
  gmcp_fields_clear (gmcp_config_project_fields, project);
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
role_equal (gconstpointer a, gconstpointer b)
{
  return gmcp_fields_equal (gmcp_config_role_fields, a, b);
}

static gboolean
project_equal (gconstpointer a, gconstpointer b)
{
  return gmcp_fields_equal (gmcp_config_project_fields, a, b);
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
tool_equal (gconstpointer a, gconstpointer b)
{
  return gmcp_fields_equal (gmcp_config_tool_fields, a, b)
         && list_equal (((const GmcpConfigTool *) a)->roles, ((const GmcpConfigTool *) b)->roles,
                        role_equal);
}

gboolean
gmcp_config_policy_equal (GmcpConfigPolicy *a, GmcpConfigPolicy *b)
{
  return a == b
         || (list_equal (a->tools, b->tools, tool_equal)
             && list_equal (a->roles, b->roles, role_equal)
             && list_equal (a->projects, b->projects, project_equal));
}

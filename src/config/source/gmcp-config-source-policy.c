/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-config-entry-keys-private.h"
#include "gmcp-config-source-policy-private.h"

#include <gmcp/config/source/gmcp-project.h>
#include <gmcp/config/source/gmcp-requirements.h>
#include <gmcp/config/source/gmcp-role.h>
#include <gmcp/config/gmcp-server-config.h>

/* Most sources say nothing of this. */
#define KEY_POLICY       "gmcp-config-source-policy"
#define KEY_PROJECTS     "gmcp-config-source-projects"
#define KEY_REQUIREMENTS "gmcp-config-source-requirements"
#define KEY_ROLES        "gmcp-config-source-roles"

GPtrArray *
gmcp_config_source_peek_roles (GmcpConfigSource *self)
{
  return g_object_get_data (G_OBJECT (self), KEY_ROLES);
}

GPtrArray *
gmcp_config_source_peek_projects (GmcpConfigSource *self)
{
  return g_object_get_data (G_OBJECT (self), KEY_PROJECTS);
}

GPtrArray *
gmcp_config_source_peek_requirements (GmcpConfigSource *self)
{
  return g_object_get_data (G_OBJECT (self), KEY_REQUIREMENTS);
}

static gboolean
replace_items (GmcpConfigSource *self, const char *key, GPtrArray *items)
{
  GPtrArray *former = g_object_get_data (G_OBJECT (self), key);
  guint length = former != NULL ? former->len : 0;
  GPtrArray *copy;

  if (length == items->len
      && (length == 0 || memcmp (former->pdata, items->pdata, length * sizeof (gpointer)) == 0))
    return FALSE;

  copy = g_ptr_array_copy (items, (GCopyFunc) g_object_ref, NULL);
  g_ptr_array_set_free_func (copy, g_object_unref);
  g_object_set_data_full (G_OBJECT (self), key, copy, (GDestroyNotify) g_ptr_array_unref);
  return TRUE;
}

static gboolean
replace_all (GmcpConfigSource *self, GPtrArray *roles, GPtrArray *requirements, GPtrArray *projects)
{
  gboolean changed = replace_items (self, KEY_ROLES, roles);

  changed = replace_items (self, KEY_REQUIREMENTS, requirements) || changed;
  return replace_items (self, KEY_PROJECTS, projects) || changed;
}

void
gmcp_config_source_set_policy (GmcpConfigSource *self,
                               GPtrArray *roles,
                               GPtrArray *requirements,
                               GPtrArray *projects)
{
  if (replace_all (self, roles, requirements, projects))
    gmcp_config_source_policy_changed (self);
}

GmcpConfigPolicy *
gmcp_config_source_peek_policy_data (GmcpConfigSource *self)
{
  return g_object_get_data (G_OBJECT (self), KEY_POLICY);
}

/* Adds roles of one host, or of the hosts that they say themselves. */
static void
add_roles (GPtrArray *objects, GPtrArray *roles, char *host)
{
  for (guint i = 0; i < roles->len; i++)
    {
      GmcpConfigRole role = *(GmcpConfigRole *) g_ptr_array_index (roles, i);

      role.host = host != NULL ? host : role.host;
      g_ptr_array_add (objects,
                       gmcp_fields_make_object (gmcp_config_role_fields, GMCP_TYPE_ROLE, &role));
    }
}

/* Files name servers as their entries are called, of which ids were made. */
static void
add_projects (GPtrArray *objects, GPtrArray *projects)
{
  for (guint i = 0; i < projects->len; i++)
    {
      GmcpConfigProject project = *(GmcpConfigProject *) g_ptr_array_index (projects, i);
      g_autoptr (GPtrArray) ids = g_ptr_array_new_with_free_func (g_free);

      for (gsize j = 0; project.servers[j] != NULL; j++)
        g_ptr_array_add (ids, gmcp_config_make_id (project.servers[j]));
      g_ptr_array_add (ids, NULL);
      project.servers = (GStrv) ids->pdata;
      g_ptr_array_add (
        objects, gmcp_fields_make_object (gmcp_config_project_fields, GMCP_TYPE_PROJECT, &project));
    }
}

gboolean
gmcp_config_source_replace_policy_data (GmcpConfigSource *self, GmcpConfigPolicy *policy)
{
  g_autoptr (GPtrArray) roles = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GPtrArray) projects = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GPtrArray) needs = g_ptr_array_new_with_free_func (g_object_unref);

  if (policy != NULL)
    {
      add_roles (roles, policy->roles, NULL);
      add_projects (projects, policy->projects);
      for (guint i = 0; i < policy->tools->len; i++)
        {
          GmcpConfigTool *tool = g_ptr_array_index (policy->tools, i);

          add_roles (roles, tool->roles, tool->name);
          g_ptr_array_add (
            needs, gmcp_fields_make_object (gmcp_config_tool_fields, GMCP_TYPE_REQUIREMENTS, tool));
        }
    }

  g_object_set_data_full (G_OBJECT (self), KEY_POLICY,
                          policy != NULL ? gmcp_config_policy_ref (policy) : NULL,
                          policy != NULL ? (GDestroyNotify) gmcp_config_policy_unref : NULL);
  return replace_all (self, roles, needs, projects);
}

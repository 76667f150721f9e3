/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-manager-policy-private.h"
#include "gmcp-requirements-private.h"

/**
 * gmcp_manager_add_requirements:
 * @self: a manager
 * @requirements: requirements
 *
 * Adds requirements to those of the configuration.
 *
 * Since: 0.1
 */
void
gmcp_manager_add_requirements (GmcpManager *self, GmcpRequirements *requirements)
{
  g_return_if_fail (GMCP_IS_MANAGER (self));
  g_return_if_fail (GMCP_IS_REQUIREMENTS (requirements));

  g_ptr_array_add (gmcp_manager_get_private (self)->policy->own_requirements,
                   g_object_ref (requirements));
}

/**
 * gmcp_manager_remove_requirements:
 * @self: a manager
 * @requirements: requirements
 *
 * Takes back requirements that were added with [method@Gmcp.Manager.add_requirements].
 *
 * Since: 0.1
 */
void
gmcp_manager_remove_requirements (GmcpManager *self, GmcpRequirements *requirements)
{
  g_return_if_fail (GMCP_IS_MANAGER (self));
  g_return_if_fail (GMCP_IS_REQUIREMENTS (requirements));

  g_ptr_array_remove (gmcp_manager_get_private (self)->policy->own_requirements, requirements);
}

static void
collect (GPtrArray *parts, GPtrArray *requirements, const char *name)
{
  for (guint i = 0; i < requirements->len; i++)
    {
      GmcpRequirements *part = g_ptr_array_index (requirements, i);
      const char *part_name = gmcp_requirements_get_name (part);

      if (part_name == NULL || g_strcmp0 (part_name, name) == 0)
        g_ptr_array_add (parts, part);
    }
}

/**
 * gmcp_manager_dup_requirements:
 * @self: a manager
 * @name: (nullable): a host or tool; %NULL for the host that uses the manager
 *
 * Gives all that a host or tool needs: what is required of any, and what is required of it, of what
 * was added and of the configuration as far as that has been read. A server is in the strictest tier
 * that it is named in.
 *
 * Returns: (transfer full): requirements
 *
 * Since: 0.1
 */
GmcpRequirements *
gmcp_manager_dup_requirements (GmcpManager *self, const char *name)
{
  g_autoptr (GPtrArray) parts = g_ptr_array_new ();
  GmcpManagerPrivate *priv;

  g_return_val_if_fail (GMCP_IS_MANAGER (self), NULL);

  priv = gmcp_manager_get_private (self);
  if (name == NULL)
    name = priv->host;
  collect (parts, priv->policy->own_requirements, name);
  collect (parts, priv->policy->requirements, name);
  return gmcp_requirements_merge (name, parts);
}

gboolean
gmcp_manager_requires_server (GmcpManager *self, const char *id)
{
  g_autoptr (GmcpRequirements) requirements = gmcp_manager_dup_requirements (self, NULL);

  return g_strv_contains (gmcp_requirements_get_tier (requirements, GMCP_TIER_REQUIRED), id);
}

static gboolean
is_listed (GPtrArray *names, const char *name)
{
  for (guint i = 0; i < names->len; i++)
    {
      if (g_strcmp0 (g_ptr_array_index (names, i), name) == 0)
        return TRUE;
    }
  return FALSE;
}

static void
list_names (GPtrArray *names, GPtrArray *requirements)
{
  for (guint i = 0; i < requirements->len; i++)
    {
      const char *name = gmcp_requirements_get_name (g_ptr_array_index (requirements, i));

      if (name != NULL && !is_listed (names, name))
        g_ptr_array_add (names, (gpointer) name);
    }
}

/**
 * gmcp_manager_list_requirements:
 * @self: a manager
 *
 * Lists all hosts and tools that requirements are there for, of those that were added and of the
 * configuration as far as that has been read; each with all that holds for it, as
 * [method@Gmcp.Manager.dup_requirements] gives it.
 *
 * Returns: (transfer container) (element-type GmcpRequirements): requirements, in the order of the
 *   configuration
 *
 * Since: 0.1
 */
GPtrArray *
gmcp_manager_list_requirements (GmcpManager *self)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  GPtrArray *requirements;
  GmcpManagerPrivate *priv;

  g_return_val_if_fail (GMCP_IS_MANAGER (self), NULL);

  priv = gmcp_manager_get_private (self);
  list_names (names, priv->policy->own_requirements);
  list_names (names, priv->policy->requirements);
  requirements = g_ptr_array_new_with_free_func (g_object_unref);
  for (guint i = 0; i < names->len; i++)
    g_ptr_array_add (requirements,
                     gmcp_manager_dup_requirements (self, g_ptr_array_index (names, i)));
  return requirements;
}

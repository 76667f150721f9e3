/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-manager-private.h"
#include "gmcp-requirement-set-private.h"

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
  if (!gmcp_manager_check_thread (self, G_STRFUNC))
    return;

  gmcp_requirement_set_add (gmcp_manager_get_requirement_set (self), requirements);
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
  if (!gmcp_manager_check_thread (self, G_STRFUNC))
    return;

  gmcp_requirement_set_remove (gmcp_manager_get_requirement_set (self), requirements);
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
  g_return_val_if_fail (GMCP_IS_MANAGER (self), NULL);
  if (!gmcp_manager_check_thread (self, G_STRFUNC))
    return NULL;

  return gmcp_requirement_set_merge (gmcp_manager_get_requirement_set (self),
                                     name != NULL ? name : gmcp_manager_get_host (self));
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
  g_return_val_if_fail (GMCP_IS_MANAGER (self), NULL);
  if (!gmcp_manager_check_thread (self, G_STRFUNC))
    return NULL;

  return gmcp_requirement_set_list (gmcp_manager_get_requirement_set (self));
}

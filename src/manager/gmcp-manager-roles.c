/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-call-options-private.h"
#include "gmcp-manager-private.h"
#include "gmcp-manager-roles-private.h"

/* Roles, and what may be called. */

gboolean
gmcp_manager_check_reach (GmcpManager *self,
                          GmcpManagedServer *server,
                          GmcpCallOptions *options,
                          GError **error)
{
  return gmcp_tool_access_check_reach (gmcp_manager_get_tool_access (self),
                                       gmcp_managed_server_get_id (server),
                                       gmcp_call_options_peek_role (options), error);
}

void
gmcp_manager_set_config_roles (GmcpManager *self, GPtrArray *roles)
{
  if (!gmcp_policy_set_roles (gmcp_manager_get_policy (self), roles))
    return;

  gmcp_tool_catalog_refresh_rules (gmcp_manager_get_catalog (self));
  for (guint i = 0; i < roles->len; i++)
    {
      g_autoptr (GError) error = NULL;

      if (!gmcp_role_validate (g_ptr_array_index (roles, i), &error))
        gmcp_manager_notice (self, NULL, GMCP_NOTICE_LEVEL_WARNING, error->message);
    }
}

/**
 * gmcp_manager_add_role:
 * @self: a manager
 * @role: a role
 *
 * Adds a role to those of the configuration. It takes the place of one that was added before with
 * the same name and host. Where the configuration has a role of that name too, a tool has to be
 * allowed by both.
 *
 * Since: 0.1
 */
void
gmcp_manager_add_role (GmcpManager *self, GmcpRole *role)
{
  g_return_if_fail (GMCP_IS_MANAGER (self));
  g_return_if_fail (GMCP_IS_ROLE (role));
  if (!gmcp_manager_check_thread (self, G_STRFUNC))
    return;

  gmcp_policy_add_role (gmcp_manager_get_policy (self), role);
  gmcp_tool_catalog_refresh_rules (gmcp_manager_get_catalog (self));
}

/**
 * gmcp_manager_remove_role:
 * @self: a manager
 * @role: a role
 *
 * Takes back a role that was added with [method@Gmcp.Manager.add_role]. While it is the role that
 * calls are made under and the configuration has none of its name, nothing may be called.
 *
 * Since: 0.1
 */
void
gmcp_manager_remove_role (GmcpManager *self, GmcpRole *role)
{
  g_return_if_fail (GMCP_IS_MANAGER (self));
  g_return_if_fail (GMCP_IS_ROLE (role));
  if (!gmcp_manager_check_thread (self, G_STRFUNC))
    return;

  if (gmcp_policy_remove_role (gmcp_manager_get_policy (self), role))
    gmcp_tool_catalog_refresh_rules (gmcp_manager_get_catalog (self));
}

/**
 * gmcp_manager_list_roles:
 * @self: a manager
 *
 * Gives the roles that there are for the program that uses the manager: those that it added, and
 * those of the configuration as far as that has been read.
 *
 * Returns: (transfer container) (element-type GmcpRole): the roles; several may have the same name
 *
 * Since: 0.1
 */
GPtrArray *
gmcp_manager_list_roles (GmcpManager *self)
{
  g_return_val_if_fail (GMCP_IS_MANAGER (self), NULL);
  if (!gmcp_manager_check_thread (self, G_STRFUNC))
    return NULL;

  return gmcp_policy_list_roles (gmcp_manager_get_policy (self), gmcp_manager_get_host (self));
}

/**
 * gmcp_manager_get_role:
 * @self: a manager
 *
 * Says under which role all calls are made.
 *
 * Returns: (nullable): the role's name; %NULL for none
 *
 * Since: 0.1
 */
const char *
gmcp_manager_get_role (GmcpManager *self)
{
  g_return_val_if_fail (GMCP_IS_MANAGER (self), NULL);

  return gmcp_policy_get_role (gmcp_manager_get_policy (self));
}

/**
 * gmcp_manager_set_role:
 * @self: a manager
 * @role: (nullable): a role's name; %NULL or an empty text for none
 *
 * Sets under which role all calls are made. From then on only what the role allows is listed, found
 * and called. While there is no role of that name, that is nothing.
 *
 * Since: 0.1
 */
void
gmcp_manager_set_role (GmcpManager *self, const char *role)
{
  g_return_if_fail (GMCP_IS_MANAGER (self));
  if (!gmcp_manager_check_thread (self, G_STRFUNC))
    return;

  if (role != NULL && *role == '\0')
    role = NULL;
  if (!gmcp_policy_set_role (gmcp_manager_get_policy (self), role))
    return;

  gmcp_auditor_set_role (gmcp_manager_get_auditor (self), role);
  gmcp_tool_catalog_refresh_rules (gmcp_manager_get_catalog (self));
  g_object_notify (G_OBJECT (self), "role");
}

static void
judge_call (GmcpManager *self,
            const char *server_id,
            const char *tool,
            const char *role,
            GmcpPolicyDecision *decision)
{
  GmcpCatalogEntry *entry
    = server_id != NULL
        ? gmcp_tool_catalog_lookup (gmcp_manager_get_catalog (self), server_id, tool)
        : NULL;

  if (entry != NULL)
    {
      gmcp_tool_catalog_judge (gmcp_manager_get_catalog (self), entry, role, decision);
    }
  else
    {
      const GmcpPolicySubject subject = { .server = server_id, .tool = tool };

      gmcp_tool_access_judge (gmcp_manager_get_tool_access (self), &subject, role, decision);
    }
}

/**
 * gmcp_manager_judge_tool:
 * @self: a manager
 * @server_id: (nullable): the server's id, or %NULL for a tool of the host's own
 * @tool: the tool's own name
 * @role: (nullable): a role that holds beside [property@Gmcp.Manager:role], or %NULL
 * @rule: (out) (optional) (nullable) (transfer full): which rule says so, as it is written in the configuration, or
 *   %NULL where none had to
 *
 * Says whether a tool may be called, and why. What somebody has allowed for good is not asked about.
 *
 * Returns: what the rules say
 *
 * Since: 0.1
 */
GmcpPermission
gmcp_manager_judge_tool (GmcpManager *self,
                         const char *server_id,
                         const char *tool,
                         const char *role,
                         char **rule)
{
  g_auto (GmcpPolicyDecision) decision = { 0 };
  const GmcpPolicySubject subject = { .server = server_id, .tool = tool };

  g_return_val_if_fail (GMCP_IS_MANAGER (self), GMCP_PERMISSION_REFUSED);
  g_return_val_if_fail (tool != NULL, GMCP_PERMISSION_REFUSED);
  if (!gmcp_manager_check_thread (self, G_STRFUNC))
    return GMCP_PERMISSION_REFUSED;

  judge_call (self, server_id, tool, role, &decision);
  if (rule != NULL && decision.allowed && !decision.asks)
    *rule = gmcp_tool_access_dup_grant (gmcp_manager_get_tool_access (self), &subject, role);
  else if (rule != NULL)
    *rule = g_strdup (decision.rule);
  return !decision.allowed ? GMCP_PERMISSION_REFUSED
         : decision.asks   ? GMCP_PERMISSION_ASKED
                           : GMCP_PERMISSION_ALLOWED;
}

/**
 * gmcp_manager_permits_tool:
 * @self: a manager
 * @server_id: (nullable): the id of a server; %NULL for a tool of the host's own
 * @tool: the server's, or the host's, own name of the tool
 * @role: (nullable): a role that holds beside [property@Gmcp.Manager:role]
 * @error: return location for an error
 *
 * Tells whether a tool may be called, if need be after somebody was asked. A host that has tools of
 * its own, such as `bash`, asks here before it runs them, unless they are in a
 * [class@Gmcp.ToolRegistry] with the manager; calls of servers' tools are looked at in any case.
 *
 * Fails with %GMCP_ERROR_NOT_PERMITTED, which names the rule.
 *
 * Returns: whether it may be called
 *
 * Since: 0.1
 */
gboolean
gmcp_manager_permits_tool (GmcpManager *self,
                           const char *server_id,
                           const char *tool,
                           const char *role,
                           GError **error)
{
  g_auto (GmcpPolicyDecision) decision = { 0 };

  g_return_val_if_fail (GMCP_IS_MANAGER (self), FALSE);
  g_return_val_if_fail (tool != NULL, FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);
  if (!gmcp_manager_check_thread (self, G_STRFUNC))
    return FALSE;

  judge_call (self, server_id, tool, role, &decision);
  if (!decision.allowed && error != NULL)
    *error = gmcp_policy_refused_error (server_id, tool, decision.rule);
  return decision.allowed;
}

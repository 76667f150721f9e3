/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-manager-policy-private.h"
#include "gmcp-server-config-private.h"
#include "gmcp-tool-gate-private.h"

/* Each tool is judged by the rules, and what is kept of that is of the newest rules. */

GmcpManagerPolicy *
gmcp_manager_policy_new (void)
{
  return g_new0 (GmcpManagerPolicy, 1);
}

void
gmcp_manager_policy_free (GmcpManagerPolicy *policy)
{
  g_free (policy);
}

static GmcpServerConfig *
lookup_config (GmcpManagerPrivate *priv, const char *id)
{
  GmcpManagedServer *server = id != NULL ? gmcp_server_table_find (priv->servers, id) : NULL;

  return server != NULL ? gmcp_managed_server_get_config (server) : NULL;
}

static GmcpApprovalSubject
get_approval_subject (GmcpManagerPrivate *priv, GmcpTool *tool, const char *role)
{
  return (GmcpApprovalSubject){
    .host = priv->host,
    .role = role != NULL ? role : gmcp_policy_get_role (priv->rules),
    .tool = tool,
    .config = lookup_config (priv, gmcp_tool_get_server (tool)),
  };
}

static gboolean
is_remembered (GmcpManagerPrivate *priv, GmcpTool *tool, const char *role)
{
  GmcpApprovalSubject subject;

  if (tool == NULL)
    return FALSE;

  subject = get_approval_subject (priv, tool, role);
  return gmcp_approvals_is_remembered (priv->approvals, &subject);
}

void
gmcp_manager_judge (GmcpManager *self,
                    const GmcpPolicySubject *subject,
                    const char *role,
                    GmcpPolicyDecision *decision)
{
  GmcpManagerPrivate *priv = gmcp_manager_get_private (self);
  GmcpServerConfig *config = lookup_config (priv, subject->server);
  const GmcpPolicyCaller caller = { priv->host, role };
  GmcpPolicySubject titled = *subject;

  titled.title = config != NULL ? gmcp_server_config_get_title (config) : NULL;
  *decision = (GmcpPolicyDecision){ .allowed = TRUE };
  gmcp_policy_judge_server (config, &titled, decision);
  gmcp_policy_judge_roles (priv->rules, &caller, &titled, decision);
  gmcp_pin_store_judge (priv->pins, &titled, decision);
  gmcp_policy_judge_asking (priv->rules, &titled, decision);

  if (decision->asks && is_remembered (priv, subject->definition, role))
    {
      decision->asks = FALSE;
      g_clear_pointer (&decision->rule, g_free);
    }
}

gboolean
gmcp_manager_may_reach (GmcpManager *self, const char *server, const char *role)
{
  GmcpManagerPrivate *priv = gmcp_manager_get_private (self);
  const GmcpPolicyCaller caller = { priv->host, role };

  return gmcp_policy_may_reach (priv->rules, &caller, server);
}

void
gmcp_manager_ask (GmcpManager *self,
                  GmcpToolCall *call,
                  GmcpTool *tool,
                  const char *server_name,
                  const char *rule,
                  GmcpApprovalsFunc func,
                  gpointer data)
{
  GmcpManagerPrivate *priv = gmcp_manager_get_private (self);
  GmcpCallOptions *options = gmcp_tool_call_get_options (call);
  const char *role = options != NULL ? gmcp_call_options_get_role (options) : NULL;
  const GmcpApprovalQuestion question = {
    .subject = get_approval_subject (priv, tool, role),
    .server_name = server_name,
    .rule = rule,
    .arguments_json = gmcp_tool_call_get_arguments_json (call),
    .timeout_ms = gmcp_manager_get_limit (self, GMCP_MANAGER_LIMIT_ASK_TIMEOUT_MS),
  };

  gmcp_approvals_ask (priv->approvals, &question, gmcp_tool_call_get_cancellable (call), func,
                      data);
}

static GmcpPolicySubject
get_subject (GmcpManagerEntry *entry)
{
  GmcpManagedServer *server = entry->section->server;

  return (GmcpPolicySubject){
    .server = gmcp_managed_server_get_id (server),
    .tool = gmcp_tool_get_server_tool_name (entry->tool),
    .definition = entry->tool,
    .pin_status = entry->pin_status,
    .trusted = gmcp_server_config_is_trusted (gmcp_managed_server_get_config (server)),
  };
}

static void
judge_entry (GmcpManager *self, GmcpManagerEntry *entry)
{
  const GmcpPolicySubject subject = get_subject (entry);

  gmcp_manager_get_private (self)->policy->n_judged++;
  gmcp_policy_decision_clear (&entry->decision);
  gmcp_manager_judge (self, &subject, NULL, &entry->decision);
}

void
gmcp_manager_judge_entry (GmcpManager *self, GmcpManagerEntry *entry)
{
  GmcpManagerPolicy *policy = gmcp_manager_get_private (self)->policy;

  if (policy->n_held > 0)
    policy->is_stale = TRUE;
  else
    judge_entry (self, entry);
}

void
gmcp_manager_ensure_judged (GmcpManager *self)
{
  GmcpManagerPrivate *priv = gmcp_manager_get_private (self);

  if (G_LIKELY (!priv->policy->is_stale))
    return;

  priv->policy->is_stale = FALSE;
  for (guint i = 0; i < gmcp_server_table_get_length (priv->servers); i++)
    {
      GmcpManagerSection *section
        = gmcp_manager_find_section (self, gmcp_server_table_get_server (priv->servers, i));

      for (guint j = 0; j < section->entries->len; j++)
        judge_entry (self, g_ptr_array_index (section->entries, j));
    }
}

void
gmcp_manager_judge_role (GmcpManager *self,
                         GmcpManagerEntry *entry,
                         const char *role,
                         GmcpPolicyDecision *decision)
{
  if (role == NULL)
    {
      gmcp_manager_ensure_judged (self);
      *decision = entry->decision;
      decision->rule = g_strdup (entry->decision.rule);
    }
  else
    {
      const GmcpPolicySubject subject = get_subject (entry);

      gmcp_manager_judge (self, &subject, role, decision);
    }
}

static void
settle_policy (GmcpManager *self)
{
  GmcpManagerPolicy *policy = gmcp_manager_get_private (self)->policy;

  if (policy->n_held > 0)
    return;

  gmcp_manager_ensure_judged (self);
  gmcp_manager_refresh_list (self);
  if (policy->n_held > 0 || !policy->is_changed)
    return;

  policy->is_changed = FALSE;
  gmcp_tool_provider_emit_rules_changed (GMCP_TOOL_PROVIDER (self));
}

void
gmcp_manager_refresh_policy (GmcpManager *self)
{
  GmcpManagerPolicy *policy = gmcp_manager_get_private (self)->policy;

  policy->is_stale = TRUE;
  policy->is_changed = TRUE;
  settle_policy (self);
}

void
gmcp_manager_hold_policy (GmcpManager *self)
{
  gmcp_manager_get_private (self)->policy->n_held++;
}

void
gmcp_manager_release_policy (GmcpManager *self)
{
  gmcp_manager_get_private (self)->policy->n_held--;
  settle_policy (self);
}

void
gmcp_manager_set_config_roles (GmcpManager *self, GPtrArray *roles)
{
  if (!gmcp_policy_set_roles (gmcp_manager_get_private (self)->rules, roles))
    return;

  gmcp_manager_refresh_policy (self);
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

  gmcp_policy_add_role (gmcp_manager_get_private (self)->rules, role);
  gmcp_manager_refresh_policy (self);
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

  if (gmcp_policy_remove_role (gmcp_manager_get_private (self)->rules, role))
    gmcp_manager_refresh_policy (self);
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
  GmcpManagerPrivate *priv;

  g_return_val_if_fail (GMCP_IS_MANAGER (self), NULL);

  priv = gmcp_manager_get_private (self);
  return gmcp_policy_list_roles (priv->rules, priv->host);
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

  return gmcp_policy_get_role (gmcp_manager_get_private (self)->rules);
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

  if (role != NULL && *role == '\0')
    role = NULL;
  if (!gmcp_policy_set_role (gmcp_manager_get_private (self)->rules, role))
    return;

  gmcp_auditor_set_role (gmcp_manager_get_auditor (self), role);
  gmcp_manager_refresh_policy (self);
  g_object_notify (G_OBJECT (self), "role");
}

/**
 * gmcp_manager_permits_tool:
 * @self: a manager
 * @server: (nullable): the id of a server; %NULL for a tool of the host's own
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
                           const char *server,
                           const char *tool,
                           const char *role,
                           GError **error)
{
  g_auto (GmcpPolicyDecision) decision = { 0 };
  GmcpPolicySubject subject = { .server = server, .tool = tool };
  GmcpToolName found;

  g_return_val_if_fail (GMCP_IS_MANAGER (self), FALSE);
  g_return_val_if_fail (tool != NULL, FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  if (server != NULL)
    {
      g_autofree char *name = g_strconcat (server, ".", tool, NULL);

      /* No listed name has a dot, so this is the pair and nothing else. */
      if (gmcp_tool_names_find (gmcp_manager_get_private (self)->names, name, &found, NULL))
        subject = get_subject (found.data);
    }

  gmcp_manager_judge (self, &subject, role, &decision);
  if (!decision.allowed && error != NULL)
    *error = gmcp_policy_refused_error (server, tool, decision.rule);
  return decision.allowed;
}

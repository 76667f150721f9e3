/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-i18n-private.h"
#include "gmcp-limits.h"
#include "gmcp-manager-policy-private.h"
#include "gmcp-protocol-private.h"
#include "gmcp-server-config-private.h"
#include "gmcp-tool-gate-private.h"
#include "gmcp-tool-pattern-private.h"

#include <gmcp/core/gmcp-error.h>

/* Rules are about the pair of server and tool that a name was resolved to. They are looked at in one
 * place, and whatever they say makes a decision stricter, never looser. */

GmcpManagerPolicy *
gmcp_manager_policy_new (void)
{
  GmcpManagerPolicy *policy = g_new0 (GmcpManagerPolicy, 1);

  policy->own_roles = g_ptr_array_new_with_free_func (g_object_unref);
  policy->roles = g_ptr_array_new_with_free_func (g_object_unref);
  policy->own_requirements = g_ptr_array_new_with_free_func (g_object_unref);
  policy->requirements = g_ptr_array_new_with_free_func (g_object_unref);
  policy->ask_first = g_new0 (char *, 1);
  policy->asking_patterns = gmcp_tool_patterns_new (NULL, &policy->invalid_asking);
  policy->asking = g_ptr_array_new ();
  policy->answers = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  return policy;
}

void
gmcp_manager_policy_free (GmcpManagerPolicy *policy)
{
  g_free (policy->role);
  g_ptr_array_unref (policy->own_roles);
  g_ptr_array_unref (policy->roles);
  g_ptr_array_unref (policy->own_requirements);
  g_ptr_array_unref (policy->requirements);
  g_strfreev (policy->ask_first);
  g_ptr_array_unref (policy->asking_patterns);
  g_ptr_array_unref (policy->asking);
  g_hash_table_unref (policy->answers);
  g_free (policy);
}

static guint
judge_roles (GPtrArray *roles,
             const char *name,
             const char *host,
             const GmcpPolicySubject *subject,
             GmcpPolicyDecision *decision)
{
  guint n_found = 0;

  for (guint i = 0; i < roles->len; i++)
    {
      GmcpRole *role = g_ptr_array_index (roles, i);

      if (!g_str_equal (gmcp_role_get_name (role), name) || !gmcp_role_is_for_host (role, host))
        continue;
      n_found++;
      gmcp_role_judge (role, subject, decision);
    }

  return n_found;
}

static void
judge_role (GmcpManagerPrivate *priv,
            const char *name,
            const GmcpPolicySubject *subject,
            GmcpPolicyDecision *decision)
{
  GmcpManagerPolicy *policy = priv->policy;
  guint n_found = judge_roles (policy->own_roles, name, priv->host, subject, decision)
                  + judge_roles (policy->roles, name, priv->host, subject, decision);

  /* A role that is misspelt, or not configured any more, must not be a way around it. */
  if (n_found == 0)
    gmcp_policy_decision_refuse (decision,
                                 g_strdup_printf ("role %s: not configured for this host", name));
}

static GmcpServerConfig *
lookup_config (GmcpManagerPrivate *priv, const char *id)
{
  GmcpManagerSection *section = id != NULL ? g_hash_table_lookup (priv->by_id, id) : NULL;

  return section != NULL ? gmcp_managed_server_get_config (section->server) : NULL;
}

/* What the server's own configuration leaves of its tools. */
static void
judge_server (GmcpServerConfig *config,
              const GmcpPolicySubject *subject,
              GmcpPolicyDecision *decision)
{
  if (config != NULL && !gmcp_server_config_allows_tool (config, subject->tool))
    gmcp_policy_decision_refuse (
      decision, g_strdup_printf ("allowed-tools, denied-tools: %s", subject->server));
}

void
gmcp_manager_judge (GmcpManager *self,
                    const GmcpPolicySubject *subject,
                    const char *role,
                    GmcpPolicyDecision *decision)
{
  GmcpManagerPrivate *priv = gmcp_manager_get_private (self);
  GmcpManagerPolicy *policy = priv->policy;
  GmcpServerConfig *config = lookup_config (priv, subject->server);
  GmcpPolicySubject titled = *subject;

  titled.title = config != NULL ? gmcp_server_config_get_title (config) : NULL;
  *decision = (GmcpPolicyDecision){ .allowed = TRUE };
  judge_server (config, &titled, decision);
  if (policy->role != NULL)
    judge_role (priv, policy->role, &titled, decision);
  if (role != NULL && g_strcmp0 (role, policy->role) != 0)
    judge_role (priv, role, &titled, decision);
  gmcp_pin_store_judge (priv->pins, &titled, decision);
  gmcp_manager_judge_asking (policy, &titled, decision);

  if (decision->asks
      && gmcp_manager_is_remembered (self, subject->definition, role != NULL ? role : policy->role))
    {
      decision->asks = FALSE;
      g_clear_pointer (&decision->rule, g_free);
    }
}

/* Each role of the name has to; none is not enough. */
static gboolean
may_role_reach (GmcpManagerPrivate *priv, const char *name, const char *server)
{
  GPtrArray *lists[] = { priv->policy->own_roles, priv->policy->roles };
  guint n_found = 0;

  for (gsize i = 0; i < G_N_ELEMENTS (lists); i++)
    for (guint j = 0; j < lists[i]->len; j++)
      {
        GmcpRole *role = g_ptr_array_index (lists[i], j);

        if (!g_str_equal (gmcp_role_get_name (role), name)
            || !gmcp_role_is_for_host (role, priv->host))
          continue;
        if (!gmcp_role_may_reach (role, server))
          return FALSE;
        n_found++;
      }

  return n_found > 0;
}

gboolean
gmcp_manager_may_reach (GmcpManager *self, const char *server, const char *role)
{
  GmcpManagerPrivate *priv = gmcp_manager_get_private (self);
  const char *always = priv->policy->role;

  return (always == NULL || may_role_reach (priv, always, server))
         && (role == NULL || may_role_reach (priv, role, server));
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
  for (guint i = 0; i < priv->sections->len; i++)
    {
      GmcpManagerSection *section = g_ptr_array_index (priv->sections, i);

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

GError *
gmcp_manager_refused_error (const char *server, const char *tool, const char *rule)
{
  g_autofree char *name = server != NULL ? g_strconcat (server, ".", tool, NULL) : g_strdup (tool);
  g_autofree char *shown = gmcp_protocol_shorten (name);

  /* TRANSLATORS: the second %s is the rule that forbids it, as it is written in the settings */
  return g_error_new (GMCP_ERROR, GMCP_ERROR_NOT_PERMITTED, _ ("%s may not be called (%s)"), shown,
                      rule);
}

static gboolean
same_items (GPtrArray *a, GPtrArray *b)
{
  return a->len == b->len
         && (a->len == 0 || memcmp (a->pdata, b->pdata, a->len * sizeof (gpointer)) == 0);
}

static void
replace_items (GPtrArray *array, GPtrArray *items)
{
  g_autoptr (GPtrArray) copy = g_ptr_array_copy (items, (GCopyFunc) g_object_ref, NULL);

  g_ptr_array_set_size (array, 0);
  g_ptr_array_extend_and_steal (array, g_steal_pointer (&copy));
}

void
gmcp_manager_set_config_policy (GmcpManager *self, GPtrArray *roles, GPtrArray *requirements)
{
  GmcpManagerPolicy *policy = gmcp_manager_get_private (self)->policy;

  if (!same_items (policy->requirements, requirements))
    replace_items (policy->requirements, requirements);
  if (same_items (policy->roles, roles))
    return;

  replace_items (policy->roles, roles);
  gmcp_manager_refresh_policy (self);
  for (guint i = 0; i < roles->len; i++)
    {
      g_autoptr (GError) error = NULL;

      if (!gmcp_role_validate (g_ptr_array_index (roles, i), &error))
        gmcp_manager_notice (self, NULL, GMCP_NOTICE_LEVEL_WARNING, error->message);
    }
}

static gboolean
find_same_role (GPtrArray *roles, GmcpRole *role, guint *position)
{
  for (guint i = 0; i < roles->len; i++)
    {
      GmcpRole *other = g_ptr_array_index (roles, i);

      if (g_str_equal (gmcp_role_get_name (other), gmcp_role_get_name (role))
          && g_strcmp0 (gmcp_role_get_host (other), gmcp_role_get_host (role)) == 0)
        {
          *position = i;
          return TRUE;
        }
    }

  return FALSE;
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
  GPtrArray *roles;
  guint position;

  g_return_if_fail (GMCP_IS_MANAGER (self));
  g_return_if_fail (GMCP_IS_ROLE (role));

  roles = gmcp_manager_get_private (self)->policy->own_roles;
  g_object_ref (role);
  if (find_same_role (roles, role, &position))
    g_ptr_array_remove_index (roles, position);
  g_ptr_array_add (roles, role);
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
  GPtrArray *roles;

  g_return_if_fail (GMCP_IS_MANAGER (self));
  g_return_if_fail (GMCP_IS_ROLE (role));

  roles = gmcp_manager_get_private (self)->policy->own_roles;
  if (g_ptr_array_remove (roles, role))
    gmcp_manager_refresh_policy (self);
}

static void
append_roles (GPtrArray *list, GPtrArray *roles, const char *host)
{
  for (guint i = 0; i < roles->len; i++)
    if (gmcp_role_is_for_host (g_ptr_array_index (roles, i), host))
      g_ptr_array_add (list, g_object_ref (g_ptr_array_index (roles, i)));
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
  GPtrArray *list;

  g_return_val_if_fail (GMCP_IS_MANAGER (self), NULL);

  priv = gmcp_manager_get_private (self);
  list = g_ptr_array_new_with_free_func (g_object_unref);
  append_roles (list, priv->policy->own_roles, priv->host);
  append_roles (list, priv->policy->roles, priv->host);
  return list;
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

  return gmcp_manager_get_private (self)->policy->role;
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
  GmcpManagerPolicy *policy;

  g_return_if_fail (GMCP_IS_MANAGER (self));

  policy = gmcp_manager_get_private (self)->policy;
  if (role != NULL && *role == '\0')
    role = NULL;
  if (g_strcmp0 (policy->role, role) == 0)
    return;

  g_free (policy->role);
  policy->role = g_strdup (role);
  gmcp_manager_record_role (self, role);
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
    *error = gmcp_manager_refused_error (server, tool, decision.rule);
  return decision.allowed;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-policy-private.h"

#include <string.h>

#include "gmcp-i18n-private.h"
#include "gmcp-protocol-private.h"
#include "gmcp-server-config-private.h"
#include "gmcp-tool-pattern-private.h"

#include <gmcp/core/gmcp-error.h>

struct _GmcpPolicy
{
  char *role;           /* that holds for all calls */
  GPtrArray *own_roles; /* of GmcpRole: added by the program */
  GPtrArray *roles;     /* of GmcpRole: of the configuration */
  GStrv ask_first;
  GPtrArray *asking_patterns; /* of GmcpToolPattern: ask_first */
  const char *invalid_asking; /* one of the texts that is no pattern */
  gboolean ask_destructive;
};

GmcpPolicy *
gmcp_policy_new (void)
{
  GmcpPolicy *self = g_new0 (GmcpPolicy, 1);

  self->own_roles = g_ptr_array_new_with_free_func (g_object_unref);
  self->roles = g_ptr_array_new_with_free_func (g_object_unref);
  self->ask_first = g_new0 (char *, 1);
  self->asking_patterns = gmcp_tool_patterns_new (NULL, &self->invalid_asking);
  return self;
}

void
gmcp_policy_free (GmcpPolicy *self)
{
  g_free (self->role);
  g_ptr_array_unref (self->own_roles);
  g_ptr_array_unref (self->roles);
  g_strfreev (self->ask_first);
  g_ptr_array_unref (self->asking_patterns);
  g_free (self);
}

gboolean
gmcp_policy_set_role (GmcpPolicy *self, const char *role)
{
  if (g_strcmp0 (self->role, role) == 0)
    return FALSE;

  g_free (self->role);
  self->role = g_strdup (role);
  return TRUE;
}

const char *
gmcp_policy_get_role (GmcpPolicy *self)
{
  return self->role;
}

gboolean
gmcp_policy_set_roles (GmcpPolicy *self, GPtrArray *roles)
{
  if (self->roles->len == roles->len
      && (roles->len == 0
          || memcmp (self->roles->pdata, roles->pdata, roles->len * sizeof (gpointer)) == 0))
    return FALSE;

  g_ptr_array_unref (self->roles);
  self->roles = g_ptr_array_new_with_free_func (g_object_unref);
  for (guint i = 0; i < roles->len; i++)
    g_ptr_array_add (self->roles, g_object_ref (g_ptr_array_index (roles, i)));
  return TRUE;
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

void
gmcp_policy_add_role (GmcpPolicy *self, GmcpRole *role)
{
  guint position;

  g_object_ref (role);
  if (find_same_role (self->own_roles, role, &position))
    g_ptr_array_remove_index (self->own_roles, position);
  g_ptr_array_add (self->own_roles, role);
}

gboolean
gmcp_policy_remove_role (GmcpPolicy *self, GmcpRole *role)
{
  return g_ptr_array_remove (self->own_roles, role);
}

GPtrArray *
gmcp_policy_get_own_roles (GmcpPolicy *self)
{
  return self->own_roles;
}

static void
append_roles (GPtrArray *list, GPtrArray *roles, const char *host)
{
  for (guint i = 0; i < roles->len; i++)
    if (gmcp_role_is_for_host (g_ptr_array_index (roles, i), host))
      g_ptr_array_add (list, g_object_ref (g_ptr_array_index (roles, i)));
}

GPtrArray *
gmcp_policy_list_roles (GmcpPolicy *self, const char *host)
{
  GPtrArray *list = g_ptr_array_new_with_free_func (g_object_unref);

  append_roles (list, self->own_roles, host);
  append_roles (list, self->roles, host);
  return list;
}

void
gmcp_policy_set_asking (GmcpPolicy *self, GStrv ask_first, gboolean ask_destructive)
{
  g_strfreev (self->ask_first);
  self->ask_first = ask_first;
  g_ptr_array_unref (self->asking_patterns);
  self->invalid_asking = NULL;
  self->asking_patterns
    = gmcp_tool_patterns_new ((const char *const *) ask_first, &self->invalid_asking);
  self->ask_destructive = ask_destructive;
}

const char *const *
gmcp_policy_get_ask_first (GmcpPolicy *self)
{
  return (const char *const *) self->ask_first;
}

gboolean
gmcp_policy_get_ask_destructive (GmcpPolicy *self)
{
  return self->ask_destructive;
}

static guint
judge_list (GPtrArray *roles,
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
judge_role (GmcpPolicy *self,
            const char *name,
            const char *host,
            const GmcpPolicySubject *subject,
            GmcpPolicyDecision *decision)
{
  guint n_found = judge_list (self->own_roles, name, host, subject, decision)
                  + judge_list (self->roles, name, host, subject, decision);

  /* A role that is misspelt, or not configured any more, must not be a way around it. */
  if (n_found == 0)
    gmcp_policy_decision_refuse (decision,
                                 g_strdup_printf ("role %s: not configured for this host", name));
}

void
gmcp_policy_judge_roles (GmcpPolicy *self,
                         const GmcpPolicyCaller *caller,
                         const GmcpPolicySubject *subject,
                         GmcpPolicyDecision *decision)
{
  if (self->role != NULL)
    judge_role (self, self->role, caller->host, subject, decision);
  if (caller->role != NULL && g_strcmp0 (caller->role, self->role) != 0)
    judge_role (self, caller->role, caller->host, subject, decision);
}

char *
gmcp_policy_dup_grant (GmcpPolicy *self,
                       const GmcpPolicyCaller *caller,
                       const GmcpPolicySubject *subject)
{
  const char *name = caller->role != NULL ? caller->role : self->role;
  g_autoptr (GPtrArray) roles = gmcp_policy_list_roles (self, caller->host);
  char *grant = NULL;

  for (guint i = 0; name != NULL && grant == NULL && i < roles->len; i++)
    {
      if (g_str_equal (gmcp_role_get_name (g_ptr_array_index (roles, i)), name))
        grant = gmcp_role_dup_grant (g_ptr_array_index (roles, i), subject);
    }
  return grant;
}

void
gmcp_policy_judge_asking (GmcpPolicy *self,
                          const GmcpPolicySubject *subject,
                          GmcpPolicyDecision *decision)
{
  const GmcpToolPattern *pattern = gmcp_tool_patterns_find (self->asking_patterns, subject);

  if (self->invalid_asking != NULL)
    gmcp_policy_decision_ask (
      decision, g_strdup_printf ("ask-first: invalid rule “%s”", self->invalid_asking));
  else if (pattern != NULL)
    gmcp_policy_decision_ask (decision, g_strdup_printf ("ask-first: %s", pattern->text));
  else if (self->ask_destructive && subject->server != NULL
           && !gmcp_policy_subject_is_harmless (subject))
    gmcp_policy_decision_ask (decision, g_strdup ("ask-destructive"));
}

void
gmcp_policy_judge_server (GmcpServerConfig *config,
                          const GmcpPolicySubject *subject,
                          GmcpPolicyDecision *decision)
{
  if (config != NULL && !gmcp_server_config_allows_tool (config, subject->tool))
    gmcp_policy_decision_refuse (
      decision, g_strdup_printf ("allowed-tools, denied-tools: %s", subject->server));
}

/* Each role of the name has to; none is not enough. */
static gboolean
may_role_reach (GmcpPolicy *self, const char *name, const char *host, const char *server)
{
  GPtrArray *lists[] = { self->own_roles, self->roles };
  guint n_found = 0;

  for (gsize i = 0; i < G_N_ELEMENTS (lists); i++)
    for (guint j = 0; j < lists[i]->len; j++)
      {
        GmcpRole *role = g_ptr_array_index (lists[i], j);

        if (!g_str_equal (gmcp_role_get_name (role), name) || !gmcp_role_is_for_host (role, host))
          continue;
        if (!gmcp_role_may_reach (role, server))
          return FALSE;
        n_found++;
      }

  return n_found > 0;
}

gboolean
gmcp_policy_may_reach (GmcpPolicy *self, const GmcpPolicyCaller *caller, const char *server)
{
  return (self->role == NULL || may_role_reach (self, self->role, caller->host, server))
         && (caller->role == NULL || may_role_reach (self, caller->role, caller->host, server));
}

gboolean
gmcp_policy_check_reach (GmcpPolicy *self,
                         const GmcpPolicyCaller *caller,
                         const char *server,
                         const char *title,
                         GError **error)
{
  /* A role that allows nothing of the server does not allow a tool that has no name either. */
  const GmcpPolicySubject subject = { .server = server, .tool = "", .title = title };
  g_auto (GmcpPolicyDecision) decision = { .allowed = TRUE };
  g_autofree char *shown = NULL;

  if (gmcp_policy_may_reach (self, caller, server))
    return TRUE;

  gmcp_policy_judge_roles (self, caller, &subject, &decision);
  shown = gmcp_protocol_shorten (title != NULL ? title : server);
  g_set_error (
    error, GMCP_ERROR, GMCP_ERROR_NOT_PERMITTED,
    /* TRANSLATORS: the second %s is the rule that forbids it, as it is written in the settings */
    _ ("Nothing of server “%s” may be used (%s)"), shown,
    decision.rule != NULL ? decision.rule : "role");
  return FALSE;
}

GError *
gmcp_policy_refused_error (const char *server, const char *tool, const char *rule)
{
  g_autofree char *name = server != NULL ? g_strconcat (server, ".", tool, NULL) : g_strdup (tool);
  g_autofree char *shown = gmcp_protocol_shorten (name);

  /* TRANSLATORS: the second %s is the rule that forbids it, as it is written in the settings */
  return g_error_new (GMCP_ERROR, GMCP_ERROR_NOT_PERMITTED, _ ("%s may not be called (%s)"), shown,
                      rule);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-manager-policy-private.h"
#include "gmcp-tool-pattern-private.h"

/* Rules that hold whatever the role. */

void
gmcp_manager_judge_asking (GmcpManagerPolicy *policy,
                           const GmcpPolicySubject *subject,
                           GmcpPolicyDecision *decision)
{
  const GmcpToolPattern *pattern = gmcp_tool_patterns_find (policy->asking_patterns, subject);

  if (policy->invalid_asking != NULL)
    gmcp_policy_decision_ask (
      decision, g_strdup_printf ("ask-first: invalid rule “%s”", policy->invalid_asking));
  else if (pattern != NULL)
    gmcp_policy_decision_ask (decision, g_strdup_printf ("ask-first: %s", pattern->text));
  else if (policy->ask_destructive && subject->server != NULL
           && !gmcp_policy_subject_is_harmless (subject))
    gmcp_policy_decision_ask (decision, g_strdup ("ask-destructive"));
}

void
gmcp_manager_use_asking (GmcpManager *self)
{
  GmcpManagerPrivate *priv = gmcp_manager_get_private (self);
  GmcpManagerPolicy *policy = priv->policy;

  g_strfreev (policy->ask_first);
  policy->ask_first = gmcp_effective_settings_dup_texts (priv->settings, GMCP_SETTING_ASK_FIRST);
  g_ptr_array_unref (policy->asking_patterns);
  policy->invalid_asking = NULL;
  policy->asking_patterns
    = gmcp_tool_patterns_new ((const char *const *) policy->ask_first, &policy->invalid_asking);
  policy->ask_destructive
    = gmcp_effective_settings_get_boolean (priv->settings, GMCP_SETTING_ASK_DESTRUCTIVE);
  gmcp_manager_refresh_policy (self);
}

/**
 * gmcp_manager_get_ask_first:
 * @self: a manager
 *
 * Gives the rules for what may be called only after somebody was asked.
 *
 * Returns: (transfer none) (array zero-terminated=1): rules
 *
 * Since: 0.1
 */
const char *const *
gmcp_manager_get_ask_first (GmcpManager *self)
{
  g_return_val_if_fail (GMCP_IS_MANAGER (self), NULL);

  return (const char *const *) gmcp_manager_get_private (self)->policy->ask_first;
}

/**
 * gmcp_manager_set_ask_first:
 * @self: a manager
 * @ask_first: (nullable) (array zero-terminated=1): rules, as those of a [class@Gmcp.Role]; %NULL for
 *   those of the settings
 *
 * Sets what may be called only after somebody was asked, with
 * [signal@Gmcp.ToolProvider::call-requested], under any role. While one of the rules cannot be
 * understood, that is everything.
 *
 * Since: 0.1
 */
void
gmcp_manager_set_ask_first (GmcpManager *self, const char *const *ask_first)
{
  g_return_if_fail (GMCP_IS_MANAGER (self));

  gmcp_effective_settings_set_texts (gmcp_manager_get_private (self)->settings,
                                     GMCP_SETTING_ASK_FIRST, ask_first);
}

/**
 * gmcp_manager_get_ask_destructive:
 * @self: a manager
 *
 * Tells whether somebody is asked before a tool is called that may destroy something.
 *
 * Returns: whether it is so
 *
 * Since: 0.1
 */
gboolean
gmcp_manager_get_ask_destructive (GmcpManager *self)
{
  g_return_val_if_fail (GMCP_IS_MANAGER (self), FALSE);

  return gmcp_manager_get_private (self)->policy->ask_destructive;
}

/**
 * gmcp_manager_set_ask_destructive:
 * @self: a manager
 * @ask_destructive: whether to ask
 *
 * Sets whether somebody is asked before a tool is called that may destroy something. That a tool
 * does not is believed of servers that are trusted only; all tools of others are asked about.
 *
 * Since: 0.1
 */
void
gmcp_manager_set_ask_destructive (GmcpManager *self, gboolean ask_destructive)
{
  g_return_if_fail (GMCP_IS_MANAGER (self));

  gmcp_effective_settings_set_boolean (gmcp_manager_get_private (self)->settings,
                                       GMCP_SETTING_ASK_DESTRUCTIVE, ask_destructive != FALSE);
}

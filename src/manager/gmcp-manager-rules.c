/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-manager-private.h"
#include "gmcp-manager-settings-private.h"

/* Rules that hold whatever the role. */

void
gmcp_manager_use_asking (GmcpManager *self)
{
  GmcpEffectiveSettings *settings = gmcp_manager_get_settings (self);

  gmcp_policy_set_asking (
    gmcp_manager_get_policy (self),
    gmcp_effective_settings_dup_texts (settings, GMCP_SETTING_ASK_FIRST),
    gmcp_effective_settings_get_boolean (settings, GMCP_SETTING_ASK_DESTRUCTIVE));
  gmcp_tool_catalog_refresh_rules (gmcp_manager_get_catalog (self));
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

  return gmcp_policy_get_ask_first (gmcp_manager_get_policy (self));
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
  if (!gmcp_manager_check_thread (self, G_STRFUNC))
    return;

  gmcp_effective_settings_set_texts (gmcp_manager_get_settings (self), GMCP_SETTING_ASK_FIRST,
                                     ask_first);
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

  return gmcp_policy_get_ask_destructive (gmcp_manager_get_policy (self));
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
  if (!gmcp_manager_check_thread (self, G_STRFUNC))
    return;

  gmcp_effective_settings_set_boolean (gmcp_manager_get_settings (self),
                                       GMCP_SETTING_ASK_DESTRUCTIVE, ask_destructive != FALSE);
}

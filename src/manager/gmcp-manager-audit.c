/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-manager-private.h"
#include "gmcp-manager-settings-private.h"
#include "gmcp-local-file-private.h"
#include "gmcp-redactor-config-private.h"
#include "gmcp-result-spool-private.h"

void
gmcp_manager_limit_logs (GmcpManager *self)
{
  const GmcpManagerLimits *limits
    = gmcp_effective_settings_peek_limits (gmcp_manager_get_settings (self));

  gmcp_auditor_set_log_limits (gmcp_manager_get_auditor (self), limits->max_log_bytes,
                               limits->max_log_files);
}

void
gmcp_manager_use_audit (GmcpManager *self)
{
  GmcpAuditor *auditor = gmcp_manager_get_auditor (self);
  GmcpEffectiveSettings *settings = gmcp_manager_get_settings (self);

  gmcp_auditor_set_enabled (auditor,
                            gmcp_effective_settings_get_boolean (settings, GMCP_SETTING_AUDIT));
  gmcp_auditor_set_hash_arguments (
    auditor, gmcp_effective_settings_get_boolean (settings, GMCP_SETTING_AUDIT_HASH_ARGUMENTS));
}

void
gmcp_manager_use_log_directory (GmcpManager *self)
{
  g_autoptr (GFile) directory = gmcp_file_new_for_path_or_null (gmcp_effective_settings_get_text (
    gmcp_manager_get_settings (self), GMCP_SETTING_LOG_DIRECTORY));

  gmcp_auditor_set_log_directory (gmcp_manager_get_auditor (self), directory);
}

void
gmcp_manager_learn_secrets (GmcpManager *self, GPtrArray *configs)
{
  GmcpRedactor *redactor = gmcp_auditor_get_redactor (gmcp_manager_get_auditor (self));

  gmcp_result_spool_sweep ();
  for (guint i = 0; i < configs->len; i++)
    gmcp_redactor_add_config (redactor, g_ptr_array_index (configs, i));
}

/**
 * gmcp_manager_get_audit:
 * @self: a manager
 *
 * Says whether calls are written down in an audit log.
 *
 * Returns: whether they are
 *
 * Since: 0.1
 */
gboolean
gmcp_manager_get_audit (GmcpManager *self)
{
  g_return_val_if_fail (GMCP_IS_MANAGER (self), FALSE);

  return gmcp_auditor_is_enabled (gmcp_manager_get_auditor (self));
}

/**
 * gmcp_manager_set_audit:
 * @self: a manager
 * @audit: whether calls are written down
 *
 * Sets whether calls are written down in an audit log.
 *
 * Since: 0.1
 */
void
gmcp_manager_set_audit (GmcpManager *self, gboolean audit)
{
  g_return_if_fail (GMCP_IS_MANAGER (self));
  if (!gmcp_manager_check_thread (self, G_STRFUNC))
    return;

  gmcp_effective_settings_set_boolean (gmcp_manager_get_settings (self), GMCP_SETTING_AUDIT,
                                       audit != FALSE);
}

/**
 * gmcp_manager_get_audit_hash_arguments:
 * @self: a manager
 *
 * Says whether the audit log holds a hash in place of the arguments of calls.
 *
 * Returns: whether it does
 *
 * Since: 0.1
 */
gboolean
gmcp_manager_get_audit_hash_arguments (GmcpManager *self)
{
  g_return_val_if_fail (GMCP_IS_MANAGER (self), FALSE);

  return gmcp_auditor_get_hash_arguments (gmcp_manager_get_auditor (self));
}

/**
 * gmcp_manager_set_audit_hash_arguments:
 * @self: a manager
 * @audit_hash_arguments: whether only a hash is written
 *
 * Sets whether the audit log holds a hash in place of the arguments of calls, from now on.
 *
 * Since: 0.1
 */
void
gmcp_manager_set_audit_hash_arguments (GmcpManager *self, gboolean audit_hash_arguments)
{
  g_return_if_fail (GMCP_IS_MANAGER (self));
  if (!gmcp_manager_check_thread (self, G_STRFUNC))
    return;

  gmcp_effective_settings_set_boolean (gmcp_manager_get_settings (self),
                                       GMCP_SETTING_AUDIT_HASH_ARGUMENTS,
                                       audit_hash_arguments != FALSE);
}

/**
 * gmcp_manager_get_audit_log:
 * @self: a manager
 *
 * Gives the log that calls are written to. Where none was set, one is made at the standard place.
 *
 * Returns: (transfer none) (nullable): the log; %NULL where [property@Gmcp.Manager:audit] is not set
 *
 * Since: 0.1
 */
GmcpAuditLog *
gmcp_manager_get_audit_log (GmcpManager *self)
{
  g_return_val_if_fail (GMCP_IS_MANAGER (self), NULL);

  return gmcp_auditor_get_log (gmcp_manager_get_auditor (self));
}

/**
 * gmcp_manager_set_audit_log:
 * @self: a manager
 * @audit_log: a log
 *
 * Sets the log that calls are written to from now on; several managers may share one. Sets
 * [property@Gmcp.Manager:audit] too, and does nothing where an administrator has locked that calls are
 * not written down.
 *
 * Since: 0.1
 */
void
gmcp_manager_set_audit_log (GmcpManager *self, GmcpAuditLog *audit_log)
{
  g_return_if_fail (GMCP_IS_MANAGER (self));
  g_return_if_fail (GMCP_IS_AUDIT_LOG (audit_log));
  if (!gmcp_manager_check_thread (self, G_STRFUNC))
    return;

  g_object_freeze_notify (G_OBJECT (self));
  gmcp_manager_set_audit (self, TRUE);
  if (gmcp_auditor_set_log (gmcp_manager_get_auditor (self), audit_log))
    g_object_notify (G_OBJECT (self), "audit-log");
  g_object_thaw_notify (G_OBJECT (self));
}

/**
 * gmcp_manager_get_log_directory:
 * @self: a manager
 *
 * Gives the folder that holds a log of each server.
 *
 * Returns: (transfer none) (nullable): the folder; %NULL for `$XDG_STATE_HOME/gmcp/servers`
 *
 * Since: 0.1
 */
GFile *
gmcp_manager_get_log_directory (GmcpManager *self)
{
  g_return_val_if_fail (GMCP_IS_MANAGER (self), NULL);

  return gmcp_auditor_get_log_directory (gmcp_manager_get_auditor (self));
}

/**
 * gmcp_manager_set_log_directory:
 * @self: a manager
 * @log_directory: (nullable): a local folder; %NULL for that of the configuration, or `$XDG_STATE_HOME/gmcp/servers`
 *
 * Sets the folder that holds a log of each server, from the next line of each on. It is made where it
 * is not there.
 *
 * Since: 0.1
 */
void
gmcp_manager_set_log_directory (GmcpManager *self, GFile *log_directory)
{
  g_return_if_fail (GMCP_IS_MANAGER (self));
  g_return_if_fail (gmcp_file_is_local_or_null (log_directory));
  if (!gmcp_manager_check_thread (self, G_STRFUNC))
    return;

  gmcp_effective_settings_set_text (gmcp_manager_get_settings (self), GMCP_SETTING_LOG_DIRECTORY,
                                    gmcp_file_peek_path_or_null (log_directory));
}

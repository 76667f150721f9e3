/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-i18n-private.h"
#include "gmcp-limits.h"
#include "gmcp-manager-private.h"
#include "gmcp-redactor-config-private.h"
#include "gmcp-result-spool-private.h"

#include <gmcp/core/gmcp-error.h>

static void
on_log_state (GmcpAuditLog *log, GParamSpec *pspec, GmcpManager *self)
{
  const GError *error = gmcp_audit_log_get_last_error (log);
  g_autofree char *message = NULL;

  if (error != NULL)
    message = g_strdup_printf (_ ("Calls cannot be written to the audit log: %s"), error->message);
  else
    message = g_strdup_printf (_ ("Calls are written to the audit log %s again"),
                               gmcp_audit_log_get_path (log));
  gmcp_manager_notice (self, NULL,
                       error != NULL ? GMCP_NOTICE_LEVEL_WARNING : GMCP_NOTICE_LEVEL_INFO, message);
}

static void
use_log (GmcpManager *self, GmcpAuditLog *log)
{
  GmcpCallBook *book = gmcp_manager_get_private (self)->book;

  if (book->audit_log == log)
    return;

  if (book->audit_log != NULL)
    g_signal_handlers_disconnect_by_func (book->audit_log, on_log_state, self);
  g_set_object (&book->audit_log, log);
  if (log == NULL)
    return;

  g_signal_connect (log, "notify::last-error", G_CALLBACK (on_log_state), self);
  /* Another manager with which it is shared may have been told more than this one. */
  if (book->max_log_bytes != GMCP_DEFAULT_LOG_BYTES
      || book->max_log_files != GMCP_DEFAULT_LOG_FILES)
    gmcp_audit_log_set_limits (log, book->max_log_bytes, book->max_log_files);
}

void
gmcp_manager_limit_logs (GmcpManager *self)
{
  GmcpManagerPrivate *priv = gmcp_manager_get_private (self);
  GmcpCallBook *book = priv->book;

  book->max_log_bytes = gmcp_effective_settings_peek_limits (priv->settings)->max_log_bytes;
  book->max_log_files = gmcp_effective_settings_peek_limits (priv->settings)->max_log_files;
  if (book->audit_log != NULL)
    gmcp_audit_log_set_limits (book->audit_log, book->max_log_bytes, book->max_log_files);
}

void
gmcp_manager_use_audit (GmcpManager *self)
{
  GmcpManagerPrivate *priv = gmcp_manager_get_private (self);
  gboolean hashes
    = gmcp_effective_settings_get_boolean (priv->settings, GMCP_SETTING_AUDIT_HASH_ARGUMENTS);

  priv->audit = gmcp_effective_settings_get_boolean (priv->settings, GMCP_SETTING_AUDIT);
  if (!priv->audit)
    use_log (self, NULL);
  if (priv->audit_hash_arguments == hashes)
    return;

  priv->audit_hash_arguments = hashes;
  if (priv->book->audit_log != NULL)
    gmcp_audit_log_set_hash_arguments (priv->book->audit_log, hashes);
}

void
gmcp_manager_use_log_directory (GmcpManager *self)
{
  GmcpManagerPrivate *priv = gmcp_manager_get_private (self);

  g_free (priv->book->log_dir);
  priv->book->log_dir
    = g_strdup (gmcp_effective_settings_get_text (priv->settings, GMCP_SETTING_LOG_DIRECTORY));
}

static void
make_log (GmcpManager *self)
{
  GmcpManagerPrivate *priv = gmcp_manager_get_private (self);
  g_autoptr (GmcpAuditLog) log = NULL;

  g_main_context_push_thread_default (priv->context);
  log = gmcp_audit_log_new (NULL);
  g_main_context_pop_thread_default (priv->context);
  gmcp_audit_log_set_hash_arguments (log, priv->audit_hash_arguments);
  use_log (self, log);
}

void
gmcp_manager_record_call (GmcpManager *self, GmcpToolCall *call)
{
  GmcpManagerPrivate *priv = gmcp_manager_get_private (self);
  GmcpJsonValue arguments = gmcp_tool_call_get_arguments_value (call);
  gboolean names_are_plain = FALSE;
  gsize length = 0;

  if (gmcp_json_value_is_present (arguments))
    gmcp_json_value_peek_raw (arguments, &length);
  if (length > 0 && length <= GMCP_LIMIT_AUDIT_ARGUMENTS_BYTES)
    names_are_plain = !gmcp_redactor_add_arguments (priv->book->redactor, arguments);
  if (G_UNLIKELY (priv->audit && priv->book->audit_log == NULL))
    make_log (self);
  gmcp_call_record_begin (priv->book, call, names_are_plain);
  if (G_UNLIKELY (priv->replaying != NULL))
    gmcp_call_record_set_replay_of (call, priv->replaying);
}

void
gmcp_manager_resolve_call (GmcpManagerEntry *entry, GmcpToolCall *call, const char *tool)
{
  GmcpManagedServer *server = entry->section->server;
  GmcpCallStatistics *statistics = gmcp_managed_server_get_call_statistics (server);
  GmcpCallLimiter *limiter = gmcp_managed_server_get_call_limiter (server);

  if (entry->statistics == NULL)
    entry->statistics = gmcp_call_statistics_get_tool (statistics, tool);
  gmcp_call_limiter_use_config (limiter, gmcp_managed_server_get_config (server));
  gmcp_call_record_resolve (call, statistics, entry->statistics, limiter);
}

void
gmcp_manager_learn_secrets (GmcpManager *self, GPtrArray *configs)
{
  GmcpRedactor *redactor = gmcp_manager_get_private (self)->book->redactor;

  gmcp_result_spool_sweep ();
  for (guint i = 0; i < configs->len; i++)
    gmcp_redactor_add_config (redactor, g_ptr_array_index (configs, i));
}

void
gmcp_manager_record_role (GmcpManager *self, const char *role)
{
  GmcpCallBook *book = gmcp_manager_get_private (self)->book;

  g_free (book->role);
  book->role = g_strdup (role);
}

void
gmcp_manager_record_project (GmcpManager *self, const char *project)
{
  GmcpCallBook *book = gmcp_manager_get_private (self)->book;

  g_free (book->project);
  book->project = g_strdup (project);
}

void
gmcp_manager_drop_audit (GmcpManager *self)
{
  use_log (self, NULL);
  gmcp_manager_get_private (self)->audit = FALSE;
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

  return gmcp_manager_get_private (self)->audit;
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

  gmcp_effective_settings_set_boolean (gmcp_manager_get_private (self)->settings,
                                       GMCP_SETTING_AUDIT, audit != FALSE);
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

  return gmcp_manager_get_private (self)->audit_hash_arguments;
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

  gmcp_effective_settings_set_boolean (gmcp_manager_get_private (self)->settings,
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
  GmcpManagerPrivate *priv;

  g_return_val_if_fail (GMCP_IS_MANAGER (self), NULL);

  priv = gmcp_manager_get_private (self);
  if (priv->audit && priv->book->audit_log == NULL)
    make_log (self);
  return priv->book->audit_log;
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

  gmcp_manager_set_audit (self, TRUE);
  if (!gmcp_manager_get_private (self)->audit
      || gmcp_manager_get_private (self)->book->audit_log == audit_log)
    return;

  use_log (self, audit_log);
  g_object_notify (G_OBJECT (self), "audit-log");
}

/**
 * gmcp_manager_get_log_directory:
 * @self: a manager
 *
 * Gives the folder that holds a log of each server.
 *
 * Returns: (nullable) (type filename): a path; %NULL for `$XDG_STATE_HOME/gmcp/servers`
 *
 * Since: 0.1
 */
const char *
gmcp_manager_get_log_directory (GmcpManager *self)
{
  g_return_val_if_fail (GMCP_IS_MANAGER (self), NULL);

  return gmcp_manager_get_private (self)->book->log_dir;
}

/**
 * gmcp_manager_set_log_directory:
 * @self: a manager
 * @log_directory: (nullable) (type filename): a path; %NULL or an empty one for that of the
 *   configuration, or `$XDG_STATE_HOME/gmcp/servers`
 *
 * Sets the folder that holds a log of each server, from the next line of each on. It is made where it
 * is not there.
 *
 * Since: 0.1
 */
void
gmcp_manager_set_log_directory (GmcpManager *self, const char *log_directory)
{
  g_return_if_fail (GMCP_IS_MANAGER (self));

  gmcp_effective_settings_set_text (gmcp_manager_get_private (self)->settings,
                                    GMCP_SETTING_LOG_DIRECTORY, log_directory);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-manager-sharing-private.h"

#include "gmcp-i18n-private.h"
#include "gmcp-manager-config-private.h"
#include "gmcp-manager-folders-private.h"
#include "gmcp-manager-struct-private.h"
#include "gmcp-share-key-private.h"
#include "gmcp-shared-process-private.h"
#include "gmcp-work-folder-private.h"

/* Whether programs share processes of servers. */

void
gmcp_manager_set_offers_servers (GmcpManager *self, gboolean offers_servers)
{
  gmcp_manager_get_private (self)->offers_servers = offers_servers;
}

gboolean
gmcp_manager_offers_servers (GmcpManager *self)
{
  return gmcp_manager_get_private (self)->offers_servers;
}

GmcpShare
gmcp_manager_find_share (GmcpManager *self, GmcpServerConfig *config)
{
  GmcpShare share = gmcp_server_config_get_share (config);

  return share != GMCP_SHARE_AUTO ? share : gmcp_manager_get_share (self);
}

char *
gmcp_manager_dup_share_key (GmcpManager *self, GmcpServerConfig *config)
{
  GmcpConfigExpandContext context = { NULL };
  GmcpServerFolderContext folders = { NULL };
  g_auto (GStrv) ids = NULL;
  g_autofree char *state_dir = NULL;
  g_autofree char *own_folder = NULL;

  if (gmcp_manager_find_share (self, config) == GMCP_SHARE_NO)
    return NULL;

  ids = gmcp_manager_fill_expand_context (self, &context);
  state_dir = gmcp_manager_fill_folder_context (self, &folders);
  own_folder = gmcp_work_folder_dup_path (state_dir, gmcp_server_config_get_id (config));
  return gmcp_share_key_make (config, &context, own_folder, gmcp_manager_offers_servers (self));
}

static void
on_activation_failed (const char *reason, gpointer data)
{
  g_autofree char *message
    /* Translators: why gmcpd, which the session bus starts, is not used */
    = g_strdup_printf (_ ("The session bus cannot start gmcpd, so that servers are not shared with "
                          "other programs: %s"),
                       reason);

  gmcp_manager_notice (data, NULL, GMCP_NOTICE_LEVEL_WARNING, message);
}

GmcpDaemonActivation *
gmcp_manager_make_activation (GmcpManager *self)
{
  return gmcp_daemon_activation_new (on_activation_failed, self);
}

GmcpDaemonActivation *
gmcp_manager_find_activation (GmcpManager *self)
{
  GmcpDaemonActivation *activation = gmcp_manager_get_private (self)->activation;

  return gmcp_manager_get_config_file (self) == NULL && !gmcp_manager_offers_servers (self)
             && gmcp_daemon_activation_is_due (activation)
           ? activation
           : NULL;
}

char *
gmcp_manager_dup_reachable_key (GmcpManager *self, GmcpServerConfig *config, GmcpShare *share)
{
  g_autofree char *folder = NULL;

  *share = gmcp_manager_find_share (self, config);
  if (*share == GMCP_SHARE_NO || gmcp_manager_offers_servers (self))
    return NULL;

  folder = gmcp_shared_process_dup_folder ();
  return gmcp_shared_process_check_folder (folder) || gmcp_manager_find_activation (self) != NULL
           ? gmcp_manager_dup_share_key (self, config)
           : NULL;
}

/**
 * gmcp_manager_get_share:
 * @self: a manager
 *
 * Says whether the programs of a session share one process of a server.
 *
 * Returns: whether they do, where the server's configuration says nothing else
 *
 * Since: 0.1
 */
GmcpShare
gmcp_manager_get_share (GmcpManager *self)
{
  g_return_val_if_fail (GMCP_IS_MANAGER (self), GMCP_SHARE_AUTO);

  return (GmcpShare) gmcp_effective_settings_get_enum (gmcp_manager_get_settings (self),
                                                       GMCP_SETTING_SHARE);
}

/**
 * gmcp_manager_set_share:
 * @self: a manager
 * @share: whether they do
 *
 * Sets whether the programs of a session share one process of a server, where the server's configuration says
 * nothing else. It holds for servers that start from then on.
 *
 * Since: 0.1
 */
void
gmcp_manager_set_share (GmcpManager *self, GmcpShare share)
{
  g_return_if_fail (GMCP_IS_MANAGER (self));
  if (!gmcp_manager_check_thread (self, G_STRFUNC))
    return;

  gmcp_effective_settings_set_enum (gmcp_manager_get_settings (self), GMCP_SETTING_SHARE,
                                    (int) share);
}

/**
 * gmcp_manager_get_needs_input: (get-property needs-input)
 * @self: a manager
 *
 * Says whether this program has to get what any server asks.
 *
 * Returns: whether a server that cannot ask, as it is shared, gets a process for this program alone
 *
 * Since: 0.1
 */
gboolean
gmcp_manager_get_needs_input (GmcpManager *self)
{
  g_return_val_if_fail (GMCP_IS_MANAGER (self), FALSE);

  return gmcp_manager_get_private (self)->needs_input;
}

/**
 * gmcp_manager_set_needs_input: (set-property needs-input)
 * @self: a manager
 * @needs_input: whether it does
 *
 * Sets whether this program has to get what any server asks, see [property@Gmcp.Manager:needs-input]. It holds for
 * servers that start from then on.
 *
 * Since: 0.1
 */
void
gmcp_manager_set_needs_input (GmcpManager *self, gboolean needs_input)
{
  GmcpManagerPrivate *priv;

  g_return_if_fail (GMCP_IS_MANAGER (self));
  if (!gmcp_manager_check_thread (self, G_STRFUNC))
    return;

  priv = gmcp_manager_get_private (self);
  needs_input = needs_input != FALSE;
  if (priv->needs_input == needs_input)
    return;

  priv->needs_input = needs_input;
  g_object_notify (G_OBJECT (self), "needs-input");
}

/**
 * gmcp_manager_get_activates_daemon: (get-property activates-daemon)
 * @self: a manager
 *
 * Says whether gmcpd is started where a server is to be shared.
 *
 * Returns: the value of [property@Gmcp.Manager:activates-daemon]
 *
 * Since: 0.1
 */
gboolean
gmcp_manager_get_activates_daemon (GmcpManager *self)
{
  g_return_val_if_fail (GMCP_IS_MANAGER (self), FALSE);

  return gmcp_daemon_activation_is_allowed (gmcp_manager_get_private (self)->activation);
}

/**
 * gmcp_manager_set_activates_daemon: (set-property activates-daemon)
 * @self: a manager
 * @activates_daemon: whether it is
 *
 * Sets whether gmcpd is started where a server is to be shared, see [property@Gmcp.Manager:activates-daemon].
 *
 * Since: 0.1
 */
void
gmcp_manager_set_activates_daemon (GmcpManager *self, gboolean activates_daemon)
{
  g_return_if_fail (GMCP_IS_MANAGER (self));
  if (!gmcp_manager_check_thread (self, G_STRFUNC))
    return;

  if (gmcp_daemon_activation_allow (gmcp_manager_get_private (self)->activation, activates_daemon))
    g_object_notify (G_OBJECT (self), "activates-daemon");
}

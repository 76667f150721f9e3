/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-lockdown-private.h"
#include "gmcp-settings-config-source-private.h"

gboolean
gmcp_lockdown_has_key (GmcpSettingsConfigSource *settings, const char *key)
{
  return settings != NULL && gmcp_settings_config_source_is_locked (settings, key);
}

GmcpServerConfig *
gmcp_lockdown_apply (GmcpSettingsConfigSource *settings, GmcpServerConfig *config)
{
  return settings != NULL ? gmcp_settings_config_source_lock (settings, config)
                          : g_object_ref (config);
}

gboolean
gmcp_lockdown_permits_id (GmcpSettingsConfigSource *settings, const char *id)
{
  GListModel *servers;
  guint n_servers;

  if (!gmcp_lockdown_has_key (settings, "servers"))
    return TRUE;

  servers = gmcp_config_source_get_servers (GMCP_CONFIG_SOURCE (settings));
  n_servers = g_list_model_get_n_items (servers);
  for (guint i = 0; i < n_servers; i++)
    {
      g_autoptr (GmcpServerConfig) config = g_list_model_get_item (servers, i);

      if (g_str_equal (gmcp_server_config_get_id (config), id))
        return TRUE;
    }
  return FALSE;
}

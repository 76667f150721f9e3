/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-manager-places-private.h"
#include "gmcp-settings-config-source-private.h"

/* What the administrator of the computer has locked stands above all places, also where a file of the
 * host's is the only one. */

GmcpSettingsConfigSource *
gmcp_manager_get_settings_source (GmcpManager *self)
{
  GmcpManagerPrivate *priv = gmcp_manager_get_private (self);

  for (guint i = 0; i < priv->sources->len; i++)
    {
      GmcpManagerSource *source = g_ptr_array_index (priv->sources, i);

      if (GMCP_IS_SETTINGS_CONFIG_SOURCE (source->source))
        return GMCP_SETTINGS_CONFIG_SOURCE (source->source);
    }
  return NULL;
}

gboolean
gmcp_manager_is_locked (GmcpManager *self, const char *key)
{
  GmcpSettingsConfigSource *settings = gmcp_manager_get_settings_source (self);

  return settings != NULL && gmcp_settings_config_source_is_locked (settings, key);
}

GmcpServerConfig *
gmcp_manager_lock_config (GmcpManager *self, GmcpServerConfig *config)
{
  GmcpSettingsConfigSource *settings = gmcp_manager_get_settings_source (self);

  return settings != NULL ? gmcp_settings_config_source_lock (settings, config)
                          : g_object_ref (config);
}

gboolean
gmcp_manager_permits_id (GmcpManager *self, const char *id)
{
  GmcpSettingsConfigSource *settings = gmcp_manager_get_settings_source (self);
  GListModel *servers;
  guint n_servers;

  if (settings == NULL || !gmcp_settings_config_source_is_locked (settings, "servers"))
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

/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <gmcp/config/file/gmcp-file-config-source.h>
#include <gmcp/config/settings/gmcp-settings-config-source.h>

#include "gmcpd-facts.h"

const char *
gmcpd_facts_get_nick (GType type, int value)
{
  g_autoptr (GEnumClass) values = g_type_class_ref (type);

  return g_enum_get_value (values, value)->value_nick;
}

static gboolean
has_server (GmcpConfigSource *source, const char *server_id)
{
  GListModel *servers = gmcp_config_source_get_servers (source);
  guint n = g_list_model_get_n_items (servers);

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (GmcpServerConfig) config = g_list_model_get_item (servers, i);

      if (g_str_equal (gmcp_server_config_get_id (config), server_id))
        return TRUE;
    }
  return FALSE;
}

static char *
describe_source (GmcpConfigSource *source)
{
  if (GMCP_IS_SETTINGS_CONFIG_SOURCE (source))
    return g_strdup ("settings");
  if (GMCP_IS_FILE_CONFIG_SOURCE (source))
    return g_file_get_parse_name (
      gmcp_file_config_source_get_file (GMCP_FILE_CONFIG_SOURCE (source)));
  return g_strdup ("program");
}

char *
gmcpd_facts_find_source (GmcpManager *manager, const char *server_id)
{
  g_autoptr (GPtrArray) sources = gmcp_manager_list_sources (manager);

  for (guint i = 0; i < sources->len; i++)
    if (has_server (sources->pdata[i], server_id))
      return describe_source (sources->pdata[i]);
  return g_strdup ("program");
}

const char *
gmcpd_facts_get_transport (GmcpServerConfig *config)
{
  GmcpServerTransport transport = gmcp_server_config_get_transport (config);

  if (transport == GMCP_SERVER_TRANSPORT_AUTO)
    return gmcp_server_config_get_url (config) != NULL ? "http" : "stdio";
  return gmcpd_facts_get_nick (GMCP_TYPE_SERVER_TRANSPORT, (int) transport);
}

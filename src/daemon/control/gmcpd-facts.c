/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcpd-facts.h"

const char *
gmcpd_facts_get_nick (GType type, int value)
{
  g_autoptr (GEnumClass) values = g_type_class_ref (type);

  return g_enum_get_value (values, value)->value_nick;
}

const char *
gmcpd_facts_get_transport (GmcpServerConfig *config)
{
  GmcpServerTransport transport = gmcp_server_config_get_transport (config);

  if (transport == GMCP_SERVER_TRANSPORT_AUTO)
    return gmcp_server_config_get_url (config) != NULL ? "http" : "stdio";
  return gmcpd_facts_get_nick (GMCP_TYPE_SERVER_TRANSPORT, (int) transport);
}

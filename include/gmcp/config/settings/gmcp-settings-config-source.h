/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/config/source/gmcp-config-source.h>
#include <gmcp/config/gmcp-server-config.h>

G_BEGIN_DECLS

#define GMCP_TYPE_SETTINGS_CONFIG_SOURCE (gmcp_settings_config_source_get_type ())

GMCP_AVAILABLE_IN_0_1
G_DECLARE_FINAL_TYPE (GmcpSettingsConfigSource,
                      gmcp_settings_config_source,
                      GMCP,
                      SETTINGS_CONFIG_SOURCE,
                      GmcpConfigSource)

GMCP_AVAILABLE_IN_0_1
GmcpSettingsConfigSource *gmcp_settings_config_source_new (void);

GMCP_AVAILABLE_IN_0_1
GSettings *gmcp_settings_config_source_get_settings (GmcpSettingsConfigSource *self);

GMCP_AVAILABLE_IN_0_1
gboolean gmcp_settings_config_source_add_server (GmcpSettingsConfigSource *self,
                                                 GmcpServerConfig *config,
                                                 GError **error);

GMCP_AVAILABLE_IN_0_1
gboolean gmcp_settings_config_source_set_server (GmcpSettingsConfigSource *self,
                                                 GmcpServerConfig *config,
                                                 GError **error);

GMCP_AVAILABLE_IN_0_1
gboolean gmcp_settings_config_source_remove_server (GmcpSettingsConfigSource *self,
                                                    const char *server_id,
                                                    GError **error);

GMCP_AVAILABLE_IN_0_1
gboolean gmcp_settings_config_source_has_unlisted_server (GmcpSettingsConfigSource *self,
                                                          const char *server_id);

GMCP_AVAILABLE_IN_0_1
gboolean gmcp_settings_config_source_set_server_enabled (GmcpSettingsConfigSource *self,
                                                         const char *server_id,
                                                         gboolean enabled,
                                                         GError **error);

G_END_DECLS

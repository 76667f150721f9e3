/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/config/gmcp-config-source.h>

G_BEGIN_DECLS

#define GMCP_TYPE_SETTINGS_CONFIG_SOURCE (gmcp_settings_config_source_get_type ())

GMCP_AVAILABLE_IN_0_1
G_DECLARE_FINAL_TYPE (GmcpSettingsConfigSource,
                      gmcp_settings_config_source,
                      GMCP,
                      SETTINGS_CONFIG_SOURCE,
                      GmcpConfigSource)

GMCP_AVAILABLE_IN_0_1
GmcpConfigSource *gmcp_settings_config_source_new (void);

GMCP_AVAILABLE_IN_0_1
GSettings *gmcp_settings_config_source_get_settings (GmcpSettingsConfigSource *self);

G_END_DECLS

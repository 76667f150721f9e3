/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/manager/gmcp-config-source.h>

G_BEGIN_DECLS

#define GMCP_TYPE_JSON_CONFIG_SOURCE (gmcp_json_config_source_get_type ())

GMCP_AVAILABLE_IN_0_1
G_DECLARE_FINAL_TYPE (GmcpJsonConfigSource,
                      gmcp_json_config_source,
                      GMCP,
                      JSON_CONFIG_SOURCE,
                      GmcpConfigSource)

GMCP_AVAILABLE_IN_0_1
GmcpConfigSource *gmcp_json_config_source_new (GFile *file);

GMCP_AVAILABLE_IN_0_1
GFile *gmcp_json_config_source_get_file (GmcpJsonConfigSource *self);

G_END_DECLS

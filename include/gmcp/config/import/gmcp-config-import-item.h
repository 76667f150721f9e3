/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/config/gmcp-server-config.h>

G_BEGIN_DECLS

#define GMCP_TYPE_CONFIG_IMPORT_ITEM (gmcp_config_import_item_get_type ())

GMCP_AVAILABLE_IN_0_1
G_DECLARE_FINAL_TYPE (GmcpConfigImportItem,
                      gmcp_config_import_item,
                      GMCP,
                      CONFIG_IMPORT_ITEM,
                      GObject)

GMCP_AVAILABLE_IN_0_1
const char *gmcp_config_import_item_get_name (GmcpConfigImportItem *self);

GMCP_AVAILABLE_IN_0_1
const char *gmcp_config_import_item_get_id (GmcpConfigImportItem *self);

GMCP_AVAILABLE_IN_0_1
GmcpImportChange gmcp_config_import_item_get_change (GmcpConfigImportItem *self);

GMCP_AVAILABLE_IN_0_1
GmcpServerConfig *gmcp_config_import_item_get_config (GmcpConfigImportItem *self);

GMCP_AVAILABLE_IN_0_1
const char *const *gmcp_config_import_item_get_fields (GmcpConfigImportItem *self);

GMCP_AVAILABLE_IN_0_1
const char *gmcp_config_import_item_get_problem (GmcpConfigImportItem *self);

GMCP_AVAILABLE_IN_0_1
const char *const *gmcp_config_import_item_get_secrets (GmcpConfigImportItem *self);

GMCP_AVAILABLE_IN_0_1
const char *const *gmcp_config_import_item_get_notes (GmcpConfigImportItem *self);

G_END_DECLS

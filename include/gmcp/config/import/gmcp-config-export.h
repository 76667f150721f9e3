/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/config/gmcp-server-config.h>

G_BEGIN_DECLS

#define GMCP_TYPE_CONFIG_EXPORT (gmcp_config_export_get_type ())

GMCP_AVAILABLE_IN_0_1
G_DECLARE_FINAL_TYPE (GmcpConfigExport, gmcp_config_export, GMCP, CONFIG_EXPORT, GObject)

GMCP_AVAILABLE_IN_0_1
GmcpConfigExport *gmcp_config_export_new (const char *program, GError **error);

GMCP_AVAILABLE_IN_0_1
const char *gmcp_config_export_get_program (GmcpConfigExport *self);

GMCP_AVAILABLE_IN_0_1
gboolean gmcp_config_export_get_with_secrets (GmcpConfigExport *self);

GMCP_AVAILABLE_IN_0_1
void gmcp_config_export_set_with_secrets (GmcpConfigExport *self, gboolean with_secrets);

GMCP_AVAILABLE_IN_0_1
void gmcp_config_export_add_server (GmcpConfigExport *self, GmcpServerConfig *config);

GMCP_AVAILABLE_IN_0_1
void gmcp_config_export_write_async (GmcpConfigExport *self,
                                     GCancellable *cancellable,
                                     GAsyncReadyCallback callback,
                                     gpointer user_data);

GMCP_AVAILABLE_IN_0_1
char *gmcp_config_export_write_finish (GmcpConfigExport *self,
                                       GAsyncResult *result,
                                       char ***notes,
                                       GError **error);

G_END_DECLS

/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gio/gio.h>
#include <gmcp/config/import/gmcp-config-import-item.h>

G_BEGIN_DECLS

#define GMCP_TYPE_CONFIG_IMPORT (gmcp_config_import_get_type ())

GMCP_AVAILABLE_IN_0_1
G_DECLARE_FINAL_TYPE (GmcpConfigImport, gmcp_config_import, GMCP, CONFIG_IMPORT, GObject)

GMCP_AVAILABLE_IN_0_1
GmcpConfigImport *gmcp_config_import_new (const char *program, GFile *file);

GMCP_AVAILABLE_IN_0_1
GmcpConfigImport *gmcp_config_import_new_for_text (const char *text, GFile *folder);

GMCP_AVAILABLE_IN_0_1
char **gmcp_config_import_list_programs (void);

GMCP_AVAILABLE_IN_0_1
void gmcp_config_import_find_async (const char *program,
                                    GFile *workspace,
                                    GCancellable *cancellable,
                                    GAsyncReadyCallback callback,
                                    gpointer user_data);

GMCP_AVAILABLE_IN_0_1
GPtrArray *gmcp_config_import_find_finish (GAsyncResult *result, GError **error);

GMCP_AVAILABLE_IN_0_1
const char *gmcp_config_import_get_program (GmcpConfigImport *self);

GMCP_AVAILABLE_IN_0_1
const char *gmcp_config_import_get_title (GmcpConfigImport *self);

GMCP_AVAILABLE_IN_0_1
GFile *gmcp_config_import_get_file (GmcpConfigImport *self);

GMCP_AVAILABLE_IN_0_1
GFile *gmcp_config_import_get_target_file (GmcpConfigImport *self);

GMCP_AVAILABLE_IN_0_1
void gmcp_config_import_set_target_file (GmcpConfigImport *self, GFile *file);

GMCP_AVAILABLE_IN_0_1
gboolean gmcp_config_import_get_store_secrets (GmcpConfigImport *self);

GMCP_AVAILABLE_IN_0_1
void gmcp_config_import_set_store_secrets (GmcpConfigImport *self, gboolean store_secrets);

GMCP_AVAILABLE_IN_0_1
GListModel *gmcp_config_import_get_items (GmcpConfigImport *self);

GMCP_AVAILABLE_IN_0_1
void gmcp_config_import_load_async (GmcpConfigImport *self,
                                    GCancellable *cancellable,
                                    GAsyncReadyCallback callback,
                                    gpointer user_data);

GMCP_AVAILABLE_IN_0_1
gboolean
gmcp_config_import_load_finish (GmcpConfigImport *self, GAsyncResult *result, GError **error);

GMCP_AVAILABLE_IN_0_1
void gmcp_config_import_apply_async (GmcpConfigImport *self,
                                     const char *const *server_ids,
                                     GCancellable *cancellable,
                                     GAsyncReadyCallback callback,
                                     gpointer user_data);

GMCP_AVAILABLE_IN_0_1
gboolean
gmcp_config_import_apply_finish (GmcpConfigImport *self, GAsyncResult *result, GError **error);

G_END_DECLS

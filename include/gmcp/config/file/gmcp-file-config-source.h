/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/config/source/gmcp-config-source.h>

G_BEGIN_DECLS

#define GMCP_TYPE_FILE_CONFIG_SOURCE (gmcp_file_config_source_get_type ())

GMCP_AVAILABLE_IN_0_1
G_DECLARE_FINAL_TYPE (GmcpFileConfigSource,
                      gmcp_file_config_source,
                      GMCP,
                      FILE_CONFIG_SOURCE,
                      GmcpConfigSource)

GMCP_AVAILABLE_IN_0_1
GmcpFileConfigSource *gmcp_file_config_source_new (GFile *file);

GMCP_AVAILABLE_IN_0_1
char *gmcp_file_config_source_dup_template (const char *file_name, GError **error);

GMCP_AVAILABLE_IN_0_1
GFile *gmcp_file_config_source_get_file (GmcpFileConfigSource *self);

GMCP_AVAILABLE_IN_0_1
gboolean gmcp_file_config_source_is_trusted (GmcpFileConfigSource *self);

GMCP_AVAILABLE_IN_0_1
void gmcp_file_config_source_set_trusted_async (GmcpFileConfigSource *self,
                                                gboolean trusted,
                                                GCancellable *cancellable,
                                                GAsyncReadyCallback callback,
                                                gpointer user_data);

GMCP_AVAILABLE_IN_0_1
gboolean gmcp_file_config_source_set_trusted_finish (GmcpFileConfigSource *self,
                                                     GAsyncResult *result,
                                                     GError **error);

GMCP_AVAILABLE_IN_0_1
void gmcp_file_config_source_set_approved_async (GmcpFileConfigSource *self,
                                                 const char *server_id,
                                                 gboolean approved,
                                                 GCancellable *cancellable,
                                                 GAsyncReadyCallback callback,
                                                 gpointer user_data);

GMCP_AVAILABLE_IN_0_1
gboolean gmcp_file_config_source_set_approved_finish (GmcpFileConfigSource *self,
                                                      GAsyncResult *result,
                                                      GError **error);

GMCP_AVAILABLE_IN_0_1
void gmcp_file_config_source_remove_server_async (GmcpFileConfigSource *self,
                                                  const char *server_id,
                                                  GCancellable *cancellable,
                                                  GAsyncReadyCallback callback,
                                                  gpointer user_data);

GMCP_AVAILABLE_IN_0_1
gboolean gmcp_file_config_source_remove_server_finish (GmcpFileConfigSource *self,
                                                       GAsyncResult *result,
                                                       GError **error);

GMCP_AVAILABLE_IN_0_1
void gmcp_file_config_source_set_server_enabled_async (GmcpFileConfigSource *self,
                                                       const char *server_id,
                                                       gboolean enabled,
                                                       GCancellable *cancellable,
                                                       GAsyncReadyCallback callback,
                                                       gpointer user_data);

GMCP_AVAILABLE_IN_0_1
gboolean gmcp_file_config_source_set_server_enabled_finish (GmcpFileConfigSource *self,
                                                            GAsyncResult *result,
                                                            GError **error);

GMCP_AVAILABLE_IN_0_1
void gmcp_file_config_source_read_server_text_async (GmcpFileConfigSource *self,
                                                     const char *server_id,
                                                     GCancellable *cancellable,
                                                     GAsyncReadyCallback callback,
                                                     gpointer user_data);

GMCP_AVAILABLE_IN_0_1
char *gmcp_file_config_source_read_server_text_finish (GmcpFileConfigSource *self,
                                                       GAsyncResult *result,
                                                       GError **error);

GMCP_AVAILABLE_IN_0_1
void gmcp_file_config_source_write_server_text_async (GmcpFileConfigSource *self,
                                                      const char *server_id,
                                                      const char *before,
                                                      const char *text,
                                                      GCancellable *cancellable,
                                                      GAsyncReadyCallback callback,
                                                      gpointer user_data);

GMCP_AVAILABLE_IN_0_1
gboolean gmcp_file_config_source_write_server_text_finish (GmcpFileConfigSource *self,
                                                           GAsyncResult *result,
                                                           GError **error);

GMCP_AVAILABLE_IN_0_1
void gmcp_file_config_source_set_server_async (GmcpFileConfigSource *self,
                                               GmcpServerConfig *config,
                                               GCancellable *cancellable,
                                               GAsyncReadyCallback callback,
                                               gpointer user_data);

GMCP_AVAILABLE_IN_0_1
gboolean gmcp_file_config_source_set_server_finish (GmcpFileConfigSource *self,
                                                    GAsyncResult *result,
                                                    GError **error);

GMCP_AVAILABLE_IN_0_1
void gmcp_file_config_source_add_server_async (GmcpFileConfigSource *self,
                                               GmcpServerConfig *config,
                                               GCancellable *cancellable,
                                               GAsyncReadyCallback callback,
                                               gpointer user_data);

GMCP_AVAILABLE_IN_0_1
gboolean gmcp_file_config_source_add_server_finish (GmcpFileConfigSource *self,
                                                    GAsyncResult *result,
                                                    GError **error);

G_END_DECLS

/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/client/gmcp-client.h>
#include <gmcp/config/gmcp-server-config.h>
#include <gmcp/protocol/gmcp-implementation.h>
#include <gmcp/supervisor/life/gmcp-server-state.h>
#include <gmcp/supervisor/gmcp-tool-changes.h>

G_BEGIN_DECLS

#define GMCP_TYPE_MANAGED_SERVER (gmcp_managed_server_get_type ())

GMCP_AVAILABLE_IN_0_1
G_DECLARE_FINAL_TYPE (GmcpManagedServer, gmcp_managed_server, GMCP, MANAGED_SERVER, GObject)

GMCP_AVAILABLE_IN_0_1
const char *gmcp_managed_server_get_id (GmcpManagedServer *self);

GMCP_AVAILABLE_IN_0_1
const char *gmcp_managed_server_get_title (GmcpManagedServer *self);

GMCP_AVAILABLE_IN_0_1
GmcpServerConfig *gmcp_managed_server_get_config (GmcpManagedServer *self);

GMCP_AVAILABLE_IN_0_1
GmcpServerState gmcp_managed_server_get_state (GmcpManagedServer *self);

GMCP_AVAILABLE_IN_0_1
const GError *gmcp_managed_server_get_last_error (GmcpManagedServer *self);

GMCP_AVAILABLE_IN_0_1
GmcpServerStart gmcp_managed_server_get_start (GmcpManagedServer *self);

GMCP_AVAILABLE_IN_0_1
gboolean gmcp_managed_server_get_auto_start (GmcpManagedServer *self);

GMCP_AVAILABLE_IN_0_1
GDateTime *gmcp_managed_server_dup_started_at (GmcpManagedServer *self);

GMCP_AVAILABLE_IN_0_1
gint64 gmcp_managed_server_get_uptime_seconds (GmcpManagedServer *self);

GMCP_AVAILABLE_IN_0_1
GDateTime *gmcp_managed_server_dup_last_health_check (GmcpManagedServer *self);

GMCP_AVAILABLE_IN_0_1
guint gmcp_managed_server_get_restarts (GmcpManagedServer *self);

GMCP_AVAILABLE_IN_0_1
const char *gmcp_managed_server_get_last_failure (GmcpManagedServer *self);

GMCP_AVAILABLE_IN_0_1
GDateTime *gmcp_managed_server_dup_last_failure_at (GmcpManagedServer *self);

GMCP_AVAILABLE_IN_0_1
GDateTime *gmcp_managed_server_dup_last_ready_at (GmcpManagedServer *self);

GMCP_AVAILABLE_IN_0_1
GmcpServerState gmcp_managed_server_get_last_state (GmcpManagedServer *self);

GMCP_AVAILABLE_IN_0_1
guint gmcp_managed_server_get_last_tools_count (GmcpManagedServer *self);

GMCP_AVAILABLE_IN_0_1
gboolean gmcp_managed_server_is_awaited (GmcpManagedServer *self);

GMCP_AVAILABLE_IN_0_1
int gmcp_managed_server_get_pid (GmcpManagedServer *self);

GMCP_AVAILABLE_IN_0_1
gboolean gmcp_managed_server_is_shared (GmcpManagedServer *self);

GMCP_AVAILABLE_IN_0_1
const char *gmcp_managed_server_get_unshared_reason (GmcpManagedServer *self);

GMCP_AVAILABLE_IN_0_1
guint gmcp_managed_server_get_tools_count (GmcpManagedServer *self);

GMCP_AVAILABLE_IN_0_1
const char *gmcp_managed_server_get_protocol_version (GmcpManagedServer *self);

GMCP_AVAILABLE_IN_0_1
GmcpImplementation *gmcp_managed_server_get_server_info (GmcpManagedServer *self);

GMCP_AVAILABLE_IN_0_1
const char *gmcp_managed_server_get_instructions (GmcpManagedServer *self);

GMCP_AVAILABLE_IN_0_1
GmcpClient *gmcp_managed_server_get_client (GmcpManagedServer *self);

GMCP_AVAILABLE_IN_0_1
void gmcp_managed_server_start_async (GmcpManagedServer *self,
                                      GCancellable *cancellable,
                                      GAsyncReadyCallback callback,
                                      gpointer user_data);

GMCP_AVAILABLE_IN_0_1
gboolean
gmcp_managed_server_start_finish (GmcpManagedServer *self, GAsyncResult *result, GError **error);

GMCP_AVAILABLE_IN_0_1
void gmcp_managed_server_stop_async (GmcpManagedServer *self,
                                     GCancellable *cancellable,
                                     GAsyncReadyCallback callback,
                                     gpointer user_data);

GMCP_AVAILABLE_IN_0_1
gboolean
gmcp_managed_server_stop_finish (GmcpManagedServer *self, GAsyncResult *result, GError **error);

GMCP_AVAILABLE_IN_0_1
void gmcp_managed_server_force_stop_async (GmcpManagedServer *self,
                                           GCancellable *cancellable,
                                           GAsyncReadyCallback callback,
                                           gpointer user_data);

GMCP_AVAILABLE_IN_0_1
gboolean gmcp_managed_server_force_stop_finish (GmcpManagedServer *self,
                                                GAsyncResult *result,
                                                GError **error);

GMCP_AVAILABLE_IN_0_1
void gmcp_managed_server_restart_async (GmcpManagedServer *self,
                                        GCancellable *cancellable,
                                        GAsyncReadyCallback callback,
                                        gpointer user_data);

GMCP_AVAILABLE_IN_0_1
gboolean
gmcp_managed_server_restart_finish (GmcpManagedServer *self, GAsyncResult *result, GError **error);

GMCP_AVAILABLE_IN_0_1
void gmcp_managed_server_health_check_async (GmcpManagedServer *self,
                                             GCancellable *cancellable,
                                             GAsyncReadyCallback callback,
                                             gpointer user_data);

GMCP_AVAILABLE_IN_0_1
gboolean gmcp_managed_server_health_check_finish (GmcpManagedServer *self,
                                                  GAsyncResult *result,
                                                  GError **error);

GMCP_AVAILABLE_IN_0_1
void gmcp_managed_server_discover_tools_async (GmcpManagedServer *self,
                                               GCancellable *cancellable,
                                               GAsyncReadyCallback callback,
                                               gpointer user_data);

GMCP_AVAILABLE_IN_0_1
GListModel *gmcp_managed_server_discover_tools_finish (GmcpManagedServer *self,
                                                       GAsyncResult *result,
                                                       GError **error);

GMCP_AVAILABLE_IN_0_1
void gmcp_managed_server_sync_tools_async (GmcpManagedServer *self,
                                           GCancellable *cancellable,
                                           GAsyncReadyCallback callback,
                                           gpointer user_data);

GMCP_AVAILABLE_IN_0_1
GmcpToolChanges *gmcp_managed_server_sync_tools_finish (GmcpManagedServer *self,
                                                        GAsyncResult *result,
                                                        GError **error);

GMCP_AVAILABLE_IN_0_1
void gmcp_managed_server_read_overview_async (GmcpManagedServer *self,
                                              GCancellable *cancellable,
                                              GAsyncReadyCallback callback,
                                              gpointer user_data);

GMCP_AVAILABLE_IN_0_1
JsonNode *gmcp_managed_server_read_overview_finish (GmcpManagedServer *self,
                                                    GAsyncResult *result,
                                                    GError **error);

GMCP_AVAILABLE_IN_0_1
void gmcp_managed_server_read_overview_json_async (GmcpManagedServer *self,
                                                   GCancellable *cancellable,
                                                   GAsyncReadyCallback callback,
                                                   gpointer user_data);

GMCP_AVAILABLE_IN_0_1
char *gmcp_managed_server_read_overview_json_finish (GmcpManagedServer *self,
                                                     GAsyncResult *result,
                                                     GError **error);

GMCP_AVAILABLE_IN_0_1
void gmcp_managed_server_hold (GmcpManagedServer *self);

GMCP_AVAILABLE_IN_0_1
void gmcp_managed_server_release (GmcpManagedServer *self);

GMCP_AVAILABLE_IN_0_1
void gmcp_managed_server_read_resource_async (GmcpManagedServer *self,
                                              const char *uri,
                                              GmcpCallOptions *options,
                                              GCancellable *cancellable,
                                              GAsyncReadyCallback callback,
                                              gpointer user_data);

GMCP_AVAILABLE_IN_0_1
GmcpResourceResult *gmcp_managed_server_read_resource_finish (GmcpManagedServer *self,
                                                              GAsyncResult *result,
                                                              GError **error);

GMCP_AVAILABLE_IN_0_1
GFile *gmcp_managed_server_dup_log_file (GmcpManagedServer *self);

GMCP_AVAILABLE_IN_0_1
char *gmcp_managed_server_dup_statistics_json (GmcpManagedServer *self);

G_END_DECLS

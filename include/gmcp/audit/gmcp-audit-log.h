/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gio/gio.h>
#include <gmcp/core/gmcp-macros.h>

G_BEGIN_DECLS

#define GMCP_TYPE_AUDIT_LOG (gmcp_audit_log_get_type ())

GMCP_AVAILABLE_IN_0_1
G_DECLARE_FINAL_TYPE (GmcpAuditLog, gmcp_audit_log, GMCP, AUDIT_LOG, GObject)

GMCP_AVAILABLE_IN_0_1
GmcpAuditLog *gmcp_audit_log_new (GFile *file);

GMCP_AVAILABLE_IN_0_1
GFile *gmcp_audit_log_dup_file (GmcpAuditLog *self);

GMCP_AVAILABLE_IN_0_1
gboolean gmcp_audit_log_get_hash_arguments (GmcpAuditLog *self);

GMCP_AVAILABLE_IN_0_1
void gmcp_audit_log_set_hash_arguments (GmcpAuditLog *self, gboolean hash_arguments);

GMCP_AVAILABLE_IN_0_1
const GError *gmcp_audit_log_get_last_error (GmcpAuditLog *self);

GMCP_AVAILABLE_IN_0_1
guint64 gmcp_audit_log_get_n_dropped (GmcpAuditLog *self);

GMCP_AVAILABLE_IN_0_1
void gmcp_audit_log_flush_async (GmcpAuditLog *self,
                                 GCancellable *cancellable,
                                 GAsyncReadyCallback callback,
                                 gpointer user_data);

GMCP_AVAILABLE_IN_0_1
gboolean gmcp_audit_log_flush_finish (GmcpAuditLog *self, GAsyncResult *result, GError **error);

GMCP_AVAILABLE_IN_0_1
void gmcp_audit_log_read_async (GmcpAuditLog *self,
                                const char *server_id,
                                GDateTime *since,
                                guint limit,
                                GCancellable *cancellable,
                                GAsyncReadyCallback callback,
                                gpointer user_data);

GMCP_AVAILABLE_IN_0_1
char **gmcp_audit_log_read_finish (GmcpAuditLog *self, GAsyncResult *result, GError **error);

GMCP_AVAILABLE_IN_0_1
void gmcp_audit_log_search_async (GmcpAuditLog *self,
                                  const char *server_id,
                                  const char *tool,
                                  const char *outcome,
                                  GDateTime *since,
                                  GDateTime *before,
                                  const char *before_id,
                                  guint limit,
                                  GCancellable *cancellable,
                                  GAsyncReadyCallback callback,
                                  gpointer user_data);

GMCP_AVAILABLE_IN_0_1
char **gmcp_audit_log_search_finish (GmcpAuditLog *self, GAsyncResult *result, GError **error);

GMCP_AVAILABLE_IN_0_1
void gmcp_audit_log_find_async (GmcpAuditLog *self,
                                const char *id,
                                GCancellable *cancellable,
                                GAsyncReadyCallback callback,
                                gpointer user_data);

GMCP_AVAILABLE_IN_0_1
char *gmcp_audit_log_find_finish (GmcpAuditLog *self, GAsyncResult *result, GError **error);

G_END_DECLS

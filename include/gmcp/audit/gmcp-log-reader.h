/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/audit/gmcp-log-entry.h>

G_BEGIN_DECLS

#define GMCP_TYPE_LOG_READER (gmcp_log_reader_get_type ())

GMCP_AVAILABLE_IN_0_1
G_DECLARE_FINAL_TYPE (GmcpLogReader, gmcp_log_reader, GMCP, LOG_READER, GObject)

GMCP_AVAILABLE_IN_0_1
GmcpLogReader *gmcp_log_reader_new (const char *server_id, GFile *file);

GMCP_AVAILABLE_IN_0_1
const char *gmcp_log_reader_get_server_id (GmcpLogReader *self);

GMCP_AVAILABLE_IN_0_1
GFile *gmcp_log_reader_get_file (GmcpLogReader *self);

GMCP_AVAILABLE_IN_0_1
void gmcp_log_reader_read_async (GmcpLogReader *self,
                                 GDateTime *since,
                                 guint limit,
                                 GCancellable *cancellable,
                                 GAsyncReadyCallback callback,
                                 gpointer user_data);

GMCP_AVAILABLE_IN_0_1
GPtrArray *gmcp_log_reader_read_finish (GmcpLogReader *self, GAsyncResult *result, GError **error);

GMCP_AVAILABLE_IN_0_1
void gmcp_log_reader_read_new_async (GmcpLogReader *self,
                                     GCancellable *cancellable,
                                     GAsyncReadyCallback callback,
                                     gpointer user_data);

GMCP_AVAILABLE_IN_0_1
GPtrArray *
gmcp_log_reader_read_new_finish (GmcpLogReader *self, GAsyncResult *result, GError **error);

G_END_DECLS

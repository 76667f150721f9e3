/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/core/gmcp-enums.h>
#include <gmcp/protocol/gmcp-capabilities.h>
#include <gmcp/protocol/gmcp-implementation.h>
#include <gmcp/protocol/questions/gmcp-input-request.h>
#include <gmcp/protocol/questions/gmcp-root.h>

G_BEGIN_DECLS

#define GMCP_TYPE_CALLER (gmcp_caller_get_type ())

GMCP_AVAILABLE_IN_0_1
G_DECLARE_FINAL_TYPE (GmcpCaller, gmcp_caller, GMCP, CALLER, GObject)

GMCP_AVAILABLE_IN_0_1
GmcpImplementation *gmcp_caller_get_client_info (GmcpCaller *self);

GMCP_AVAILABLE_IN_0_1
GmcpCapabilities *gmcp_caller_get_client_capabilities (GmcpCaller *self);

GMCP_AVAILABLE_IN_0_1
const char *gmcp_caller_get_protocol_version (GmcpCaller *self);

GMCP_AVAILABLE_IN_0_1
const char *gmcp_caller_get_user (GmcpCaller *self);

GMCP_AVAILABLE_IN_0_1
void gmcp_caller_log (GmcpCaller *self, GmcpLogLevel level, const char *logger, const char *text);

GMCP_AVAILABLE_IN_0_1
gboolean gmcp_caller_log_json (GmcpCaller *self,
                               GmcpLogLevel level,
                               const char *logger,
                               const char *data_json,
                               GError **error);

GMCP_AVAILABLE_IN_0_1
void gmcp_caller_ask_async (GmcpCaller *self,
                            GmcpInputRequest *question,
                            GCancellable *cancellable,
                            GAsyncReadyCallback callback,
                            gpointer user_data);

GMCP_AVAILABLE_IN_0_1
char *gmcp_caller_ask_finish (GmcpCaller *self, GAsyncResult *result, GError **error);

GMCP_AVAILABLE_IN_0_1
void gmcp_caller_list_roots_async (GmcpCaller *self,
                                   GCancellable *cancellable,
                                   GAsyncReadyCallback callback,
                                   gpointer user_data);

GMCP_AVAILABLE_IN_0_1
GPtrArray *gmcp_caller_list_roots_finish (GmcpCaller *self, GAsyncResult *result, GError **error);

GMCP_AVAILABLE_IN_0_1
gboolean gmcp_caller_set_state_json (GmcpCaller *self, const char *state_json, GError **error);

GMCP_AVAILABLE_IN_0_1
char *gmcp_caller_dup_state_json (GmcpCaller *self);

GMCP_AVAILABLE_IN_0_1
gboolean gmcp_caller_end_stream (GmcpCaller *self, guint retry_ms);

GMCP_AVAILABLE_IN_0_1
gboolean gmcp_caller_hold_task (GmcpCaller *self);

GMCP_AVAILABLE_IN_0_1
gboolean gmcp_caller_begin_task (GmcpCaller *self);

G_END_DECLS
